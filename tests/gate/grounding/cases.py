"""Small invented passages, what they say in other words, and what they do not say: one table per promise.

A row: evidence, claim, and for what is not held the reason that must be given (None: any).
"""

from __future__ import annotations

REPORT = (
    "Rapporten lämnas till styrgruppen senast den 15 april. Styrgruppen har fem ledamöter och sammanträder varje månad."
)
FEE = "Återbetalning sker inom 30 dagar. Avgiften är 1 200 kronor per år och höjs med 4,5 procent i juli."
PROJECT = "Maria Lund leder projektet Fyren. Projektets budget fastställs av nämnden i Solvik."
TENANT = "Hyresgästen får inte hyra ut lokalen i andra hand. Nycklar lämnas i receptionen."
GRANT = "Bidraget kan sökas av föreningar med minst 20 medlemmar. Ansökan ska vara underskriven av ordföranden."
SCHOOLS = "Några av skolorna har egen matsal. Handläggaren bör kontakta sökanden innan beslut fattas."
BUILDER = "Kommunen anlitar företaget Nordbygg för renoveringen. Nordbygg ansvarar för städningen."
LIBRARY = "Biblioteket är öppet måndag till fredag klockan 10–18. På lördagar stänger det klockan 15."
PLAN = "Projektplanen ska godkännas av beställaren före start. Systemägaren ansvarar för användarutbildningen."
BOARD = "The board meets four times a year. Members must submit proposals no later than two weeks before the meeting."
VISITORS = "The manager informs the owner of delays. Visitors must not feed the animals. Some offices close at noon."
CHAIN = "Styrelsen väljer ordföranden. Ordföranden utser kassören."
HALL = "Taket läckte efter stormen. Hallen stängdes i april."
COUNTS = "Antalet besökare ökade från 300 till 450. En fjärdedel av dem åkte buss."
DUTY = "Personalen får utbildning i brandskydd varje år. Driftmiljön övervakas dygnet runt av leverantören."
SMOKE = "Det är förbjudet att röka på gården. Ingen avgift tas ut."
LISTED = "Ansökan består av tre delar:\n- intyg från läkare\n- personbevis\n- foto"
TERTIAL = "Kommunen inventerade 450 träd under T1 2024. Rapporten om vattnet lämnas i andra tertialet 2025."
TERTIALS = "The city counted 450 trees in T1 2024. The report on water is due in the second tertial of 2025."
PRICES = "Simhallen | vuxen 90 kr\nGymmet | vuxen 120 kr"

HELD = {
    "word for word": [
        (REPORT, "Rapporten lämnas till styrgruppen senast den 15 april."),
        (TENANT, "Hyresgästen får inte hyra ut lokalen i andra hand."),
        (BOARD, "The board meets four times a year."),
    ],
    "another order": [
        (REPORT, "Senast den 15 april lämnas rapporten till styrgruppen."),
        (SCHOOLS, "Innan beslut fattas bör handläggaren kontakta sökanden."),
        (PLAN, "Före start ska projektplanen godkännas av beställaren."),
    ],
    "active and passive": [
        (PROJECT, "Projektet Fyren leds av Maria Lund."),
        (PROJECT, "Nämnden i Solvik fastställer projektets budget."),
        (BUILDER, "Företaget Nordbygg anlitas av kommunen för renoveringen."),
        (PLAN, "Beställaren ska godkänna projektplanen före start."),
        (GRANT, "Föreningar med minst 20 medlemmar kan söka bidraget."),
        (TENANT, "Lokalen får inte hyras ut i andra hand av hyresgästen."),
        (CHAIN, "Kassören utses av ordföranden."),
        (DUTY, "Leverantören övervakar driftmiljön dygnet runt."),
        (VISITORS, "The owner is informed of delays by the manager."),
    ],
    "numbers and measures in other forms": [
        (REPORT, "Styrgruppen har 5 ledamöter."),
        (FEE, "Återbetalning sker inom trettio dagar."),
        (FEE, "Avgiften är 1200 kr per år."),
        (FEE, "Avgiften är 1,2 tkr per år."),
        (FEE, "Avgiften höjs med 4,5 % i juli."),
        (GRANT, "Föreningar med minst tjugo medlemmar kan söka bidraget."),
        (COUNTS, "25 procent av dem åkte buss."),
        (BOARD, "The board meets 4 times per year."),
    ],
    "dates, hours and rhythms in other forms": [
        (TERTIAL, "Kommunen inventerade 450 träd under första tertialet 2024."),
        (TERTIAL, "Rapporten om vattnet lämnas i T2 2025."),
        (TERTIALS, "The city counted 450 trees in the first tertial of 2024."),
        (REPORT, "Rapporten lämnas till styrgruppen senast 15/4."),
        (REPORT, "Styrgruppen sammanträder månadsvis."),
        (REPORT, "Styrgruppen sammanträder en gång i månaden."),
        (LIBRARY, "På lördagar stänger biblioteket kl. 15.00."),
        (DUTY, "Personalen får utbildning i brandskydd årligen."),
    ],
    "other words": [
        (REPORT, "Styrgruppen består av fem ledamöter."),
        (BUILDER, "Nordbygg har ansvar för städningen."),
        (GRANT, "Föreningar med minst tjugo medlemmar kan ansöka om bidraget."),
        (SCHOOLS, "En del av skolorna har egen matsal."),
        (TENANT, "Det är inte tillåtet för hyresgästen att hyra ut lokalen i andra hand."),
    ],
    "compounds joined and split": [
        (PROJECT, "Projektbudgeten fastställs av nämnden i Solvik."),
        (PLAN, "Systemägaren ansvarar för utbildningen av användarna."),
        (DUTY, "Varje år får personalen brandskyddsutbildning."),
    ],
    "definite and indefinite forms": [
        (LISTED, "I ansökan ingår foto och intyg från läkare."),
        (SMOKE, "Rökning är förbjuden på gården."),
        (PRICES, "Gymmet | vuxen 120 kr"),
    ],
    "words that only introduce": [
        (PLAN, "Enligt underlaget ansvarar systemägaren för användarutbildningen."),
    ],
}

NOT_HELD = {
    "numbers": [
        (REPORT, "Styrgruppen har sju ledamöter.", "number_mismatch"),
        (FEE, "Återbetalning sker inom 90 dagar.", "number_mismatch"),
        (FEE, "Återbetalning sker inom nittio dagar.", "number_mismatch"),
        (FEE, "Avgiften höjs med 45 procent i juli.", "number_mismatch"),
        (FEE, "Avgiften är 120 kronor per år.", "number_mismatch"),
        (FEE, "Avgiften är 30 kronor per år.", None),
        (LISTED, "Ansökan består av fyra delar.", "number_mismatch"),
        (BOARD, "The board meets five times a year.", None),
    ],
    "units": [
        (FEE, "Återbetalning sker inom 30 veckor.", None),
        (FEE, "Avgiften är 1 200 tkr per år.", None),
        (FEE, "Avgiften är 1 200 euro per år.", "unit_mismatch"),
        (FEE, "Avgiften höjs med 4,5 procentenheter i juli.", "unit_mismatch"),
        (FEE, "Avgiften är 1 200 kronor per månad.", None),
        (BOARD, "Members must submit proposals no later than two months before the meeting.", None),
    ],
    "dates, hours and rhythms": [
        (TERTIAL, "Kommunen inventerade 450 träd under T2 2024.", "date_mismatch"),
        (TERTIAL, "Kommunen inventerade 450 träd under tredje tertialet 2024.", "date_mismatch"),
        (TERTIAL, "Kommunen inventerade 450 träd under Q1 2024.", "date_mismatch"),
        (TERTIAL, "Kommunen inventerade 450 träd under T1 2025.", None),
        (TERTIAL, "Rapporten om vattnet lämnas i tertial 3 2025.", "date_mismatch"),
        (TERTIAL, "Rapporten om vattnet lämnas i sista tertialet 2025.", "date_mismatch"),
        (TERTIALS, "The city counted 450 trees in T2 2024.", "date_mismatch"),
        (TERTIALS, "The city counted 450 trees in the first quarter of 2024.", "date_mismatch"),
        (TERTIALS, "The report on water is due in the third tertial of 2025.", "date_mismatch"),
        (REPORT, "Rapporten lämnas till styrgruppen senast den 16 april.", "date_mismatch"),
        (REPORT, "Rapporten lämnas till styrgruppen senast den 15 maj.", "date_mismatch"),
        (FEE, "Avgiften höjs med 4,5 procent i juni.", "date_mismatch"),
        (LIBRARY, "På söndagar stänger biblioteket klockan 15.", None),
        (LIBRARY, "På lördagar stänger biblioteket klockan 16.", None),
        (REPORT, "Styrgruppen sammanträder varje vecka.", None),
        (DUTY, "Personalen får utbildning i brandskydd vartannat år.", None),
    ],
    "names": [
        (PROJECT, "Anna Lund leder projektet Fyren.", "name_not_in_evidence"),
        (PROJECT, "Maria Lund leder projektet Kompassen.", "name_not_in_evidence"),
        (PROJECT, "Projektets budget fastställs av nämnden i Bergvik.", "name_not_in_evidence"),
        (BOARD, "The board meets four times a year in Oslo.", "name_not_in_evidence"),
    ],
    "negations": [
        (TENANT, "Hyresgästen får hyra ut lokalen i andra hand.", "negation_flipped"),
        (TENANT, "Nycklar lämnas inte i receptionen.", "negation_flipped"),
        (REPORT, "Rapporten lämnas aldrig till styrgruppen.", "negation_flipped"),
        (REPORT, "Styrgruppen har inga ledamöter.", "negation_flipped"),
        (SMOKE, "Avgift tas ut.", None),
        (SMOKE, "Det är tillåtet att röka på gården.", None),
        (BOARD, "The board does not meet four times a year.", "negation_flipped"),
        (VISITORS, "Visitors must feed the animals.", "negation_flipped"),
    ],
    "quantifiers and bounds": [
        (SCHOOLS, "Alla skolor har egen matsal.", None),
        (SCHOOLS, "De flesta av skolorna har egen matsal.", None),
        (GRANT, "Bidraget kan sökas av föreningar med högst 20 medlemmar.", None),
        (GRANT, "Endast föreningar med minst 20 medlemmar kan söka bidraget.", None),
        (GRANT, "Bidraget kan sökas av alla.", None),
        (VISITORS, "All offices close at noon.", None),
    ],
    "modals": [
        (SCHOOLS, "Handläggaren måste kontakta sökanden innan beslut fattas.", "not_entailed"),
        (GRANT, "Ansökan kan vara underskriven av ordföranden.", "not_entailed"),
        (GRANT, "Bidraget ska sökas av föreningar med minst 20 medlemmar.", "not_entailed"),
        (BOARD, "Members may submit proposals no later than two weeks before the meeting.", "not_entailed"),
    ],
    "roles": [
        (BUILDER, "Nordbygg anlitar kommunen för renoveringen.", None),
        (BUILDER, "Kommunen ansvarar för städningen.", None),
        (PLAN, "Systemägaren ska godkänna projektplanen före start.", None),
        (CHAIN, "Styrelsen utser kassören.", None),
        (CHAIN, "Kassören väljer ordföranden.", None),
        (VISITORS, "The owner informs the manager of delays.", None),
        (PRICES, "Gymmet | vuxen 90 kr", None),
        (PRICES, "Simhallen | vuxen 120 kr", None),
    ],
    "opposites and directions": [
        (COUNTS, "Antalet besökare minskade från 300 till 450.", None),
        (COUNTS, "Antalet besökare ökade från 450 till 300.", None),
    ],
    "what is added": [
        (PLAN, "Systemägaren ansvarar för användarutbildningen, som hålls i kommunens lokaler.", "not_entailed"),
        (BUILDER, "Kommunen anlitar företaget Nordbygg för renoveringen eftersom det är billigast.", "not_entailed"),
        (REPORT, "Styrgruppen har fem ledamöter och en sekreterare.", "not_entailed"),
        (REPORT, "Styrgruppen är projektets viktigaste organ.", "not_entailed"),
        (HALL, "Hallen stängdes eftersom taket läckte.", None),
        (LISTED, "Ansökan ska innehålla en budget.", "not_entailed"),
        (REPORT, "Månen är en ost.", "not_entailed"),
    ],
    "what is the machine's own": [
        (PLAN, "Enligt Projektplan_v2.pdf ansvarar systemägaren för användarutbildningen.", "metadata_as_fact"),
        (PLAN, "agent2 anser att systemägaren ansvarar för användarutbildningen.", "leaked_internals"),
        (PLAN, '{"answer": "Systemägaren ansvarar för användarutbildningen."}', "leaked_internals"),
        (PLAN, "<b>Systemägaren</b> ansvarar för användarutbildningen.", "leaked_internals"),
        (PLAN, "Systemägaren ansvarar för användarutbildningen, se https://exempel.test/plan.", "leaked_internals"),
    ],
    "nothing": [
        (PLAN, "", "empty"),
        (PLAN, " \n ", "empty"),
        (PLAN, "Källor:\n- plan.pdf, sidan 3", "empty"),
    ],
}

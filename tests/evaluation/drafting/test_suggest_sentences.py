"""Questions from sentences: the words are turned round only where that is sure, and no sentence gives a broken question."""

import pytest

from ankare.evaluation.drafting import sentences as suggest_sentences
from ankare.evaluation.drafting.clause import Clause, Grammar
from ankare.evaluation.drafting.draft import Draft, Evidence
from ankare.evaluation.drafting.leads import leads_to
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.sentences import questions_of
from ankare.evaluation.drafting.variants import in_few_words, tells_itself
from ankare.evaluation.drafting.voice import active
from ankare.evaluation.drafting.words import LANGUAGES, draft_words
from ankare.language.languages import get_language
from tests.samples import chunk

NOUNS = {code: Nouns(code, ["Vi kör Tråden. I planen står att mötet och kursen är klara."]) for code in ("sv", "en")}
GRAMMAR = {code: Grammar(draft_words(code), NOUNS[code].lowered) for code in ("sv", "en")}

SWEDISH = [
    # (a sentence, the questions that it answers, each with its type)
    ("En loggbok är en lista över det som har hänt.", {"Vad är en loggbok?": "definition"}),
    ("Med driftstopp avses varje avbrott över en timme.", {"Vad menas med driftstopp?": "definition"}),
    ("Återgång innebär att det gamla systemet tas i bruk.", {"Vad innebär återgång?": "definition"}),
    ("Syftet med kursen är att alla ska hitta i systemet.", {"Vad är syftet med kursen?": "purpose"}),
    ("Styrgruppen beslutar om budgeten.", {"Vem beslutar om budgeten?": "responsibility"}),
    (
        "Projektledaren ansvarar för tidplanen, utser testare och leder mötet.",
        {"Vem ansvarar för tidplanen?": "responsibility"},
    ),
    ("Avtalet undertecknas av direktören.", {"Vem undertecknar avtalet?": "responsibility"}),
    ("Inköp över 500 kronor beslutas av styrelsen.", {"Vem beslutar om inköp över 500 kronor?": "responsibility"}),
    ("Testaren utses av projektledaren i mars.", {"Vem utser testaren?": "responsibility"}),
    ("Nycklar lämnas ut av vaktmästaren.", {"Vem lämnar ut nycklar?": "responsibility"}),
    ("Avtalet ska undertecknas av direktören.", {"Vem ska underteckna avtalet?": "responsibility"}),
    ("Firman tecknas av ordföranden och kassören.", {"Vilka tecknar firman?": "responsibility"}),
    (
        "När larmet har gått leds insatsen av polischefen.",
        {"Vem leder insatsen när larmet har gått?": "responsibility"},
    ),
    (
        "Planen fastställs av rektorn i april.",
        {"När fastställs planen?": "time", "Vem fastställer planen?": "responsibility"},
    ),
    ("Projektledaren ska meddela sin chef.", {"Vem ska meddela sin chef?": "responsibility"}),
    ("Kursen är avgiftsfri för medlemmar.", {"Är kursen avgiftsfri för medlemmar?": "existence"}),
    ("Vid brand, ring brandkåren och lämna lokalen.", {"Vad ska man göra vid brand?": "process"}),
    ("Om ersättare saknas, ange kontaktperson.", {"Vad ska man göra om ersättare saknas?": "process"}),
    ("Lämna aldrig serverrummet olåst.", {"Får man lämna serverrummet olåst?": "existence"}),
    ("Ansvarig för arkivet är registratorn.", {"Vem är ansvarig för arkivet?": "responsibility"}),
    ("Handledarna godkänner provet.", {"Vilka godkänner provet?": "responsibility"}),
    ("Protokollet ska skickas ut senast tre dagar efter mötet.", {"När ska protokollet skickas ut?": "time"}),
    ("Efter varje möte skickar sekreteraren protokollet.", {"När skickar sekreteraren protokollet?": "time"}),
    ("När avtalet är undertecknat startar projektet formellt.", {"När startar projektet formellt?": "time"}),
    ("Loggen sparas i fem år.", {"Hur länge sparas loggen?": "time"}),
    ("Behörigheterna ses över två gånger om året.", {"Hur ofta ses behörigheterna över?": "time"}),
    ("Ärendet besvaras inom tre veckor.", {"Inom vilken tid besvaras ärendet?": "time"}),
    ("Grupperna hålls isär för att alla ska kunna tala fritt.", {"Varför hålls grupperna isär?": "purpose"}),
    ("Felet rättas genom att leverantören skickar en ny version.", {"Hur rättas felet?": "process"}),
    ("Om strömmen går startar reservkraften själv.", {"Vad händer om strömmen går?": "process"}),
    ("Testplanen ska innehålla mål, omfattning och resurser.", {"Vad ska testplanen innehålla?": "planning"}),
    ("Kursen omfattar registrering, sökning och arkivering.", {"Vad omfattar kursen?": "list"}),
    ("Det ska finnas en ersättare för varje roll.", {"Ska det finnas en ersättare för varje roll?": "existence"}),
    ("Ingen besiktning får ske under vintern.", {"Får besiktning ske under vintern?": "existence"}),
    ("Revisorn granskar räkenskaperna i februari.", {"Vem granskar räkenskaperna?": "responsibility"}),
    ("Besökare får inte vistas i serverrummet.", {"Får besökare vistas i serverrummet?": "existence"}),
]
ENGLISH = [
    ("An incident is an event that threatens availability.", {"What is an incident?": "definition"}),
    ("The purpose of the policy is to keep travel safe.", {"What is the purpose of the policy?": "purpose"}),
    ("The board approves the budget.", {"Who approves the budget?": "responsibility"}),
    ("Receipts are kept for seven years.", {"For how long are receipts kept?": "time"}),
    ("Claims must be submitted within 30 days after the trip.", {"Within what time must claims be submitted?": "time"}),
    ("Backups are encrypted because tapes leave the building.", {"Why are backups encrypted?": "purpose"}),
    ("If a laptop is lost, the account is locked at once.", {"What happens if a laptop is lost?": "process"}),
    ("The report must contain time, place and measures.", {"What must the report contain?": "list"}),
    ("Hives without a permit are removed by the inspector.", {"Who removes hives without a permit?": "responsibility"}),
    ("The contract must be signed by the director.", {"Who must sign the contract?": "responsibility"}),
    ("Applications are approved by the board in May.", {"When are applications approved?": "time"}),
    ("The exhibition is free of charge.", {"Is the exhibition free of charge?": "existence"}),
    ("In an emergency, call the guard.", {"What should you do in an emergency?": "process"}),
    ("Never work alone in the workshop.", {"Are you allowed to work alone in the workshop?": "existence"}),
    (
        "Visitors must report their route to the guard before they leave.",
        {"When must visitors report their route to the guard?": "time"},
    ),
    ("There is an allowance for private cars.", {"Is there an allowance for private cars?": "existence"}),
]
NOTHING = [
    ("sv", "Den gäller i fem år."),  # what does?
    ("sv", "Detta beslutas av styrgruppen."),
    ("sv", "Styrgruppen beslutar om de krav som den har fått."),
    ("sv", "Beskriv hur testet ska följas upp."),  # an order
    ("sv", "Handboken beskriver hur kommunen inför systemet."),  # "inför" is no time here
    ("sv", "Undantag får göras endast för att rätta ett fel."),
    ("sv", "Styrgruppen består av personer från varje avdelning."),
    ("sv", "[Skriv svaret här.]"),
    ("sv", "Kontakta xxxx för mer information om kursen."),
    ("sv", "Systemet bygger på mallar, behörigheter och planer."),
    ("sv", "Ansvarig för"),
    ("sv", "Vem ansvarar för planen?"),
    ("en", "It is kept for seven years."),
    ("en", "They approve the budget every year."),
    ("en", "If you come across one by mistake, close it."),
    ("en", "Open the form in the staff portal."),
]


@pytest.mark.parametrize(
    ("code", "sentence", "expected"), [*(("sv", *row) for row in SWEDISH), *(("en", *row) for row in ENGLISH)]
)
def test_a_sentence_is_turned_into_the_questions_that_it_answers(
    code: str, sentence: str, expected: dict[str, str]
) -> None:
    asked = {one.question: str(one.type) for one in questions_of(sentence, GRAMMAR[code])}
    assert expected.items() <= asked.items(), asked


@pytest.mark.parametrize(("code", "sentence"), NOTHING)
def test_what_cannot_be_turned_round_for_certain_gives_no_question(code: str, sentence: str) -> None:
    assert [one.question for one in questions_of(sentence, GRAMMAR[code])] == []


def test_without_the_words_that_point_elsewhere_a_question_would_hang_in_the_air(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    careless = Grammar(draft_words("sv"), NOUNS["sv"].lowered)
    monkeypatch.setattr(careless, "_pointing", frozenset())
    asked = [one.question for one in suggest_sentences.questions_of(NOTHING[2][1], careless)]
    assert asked == ["Vem beslutar om de krav som den har fått?"]


GIVEN_AWAY = [
    # (what would be told by the question that asks about it, words of such a question)
    ("sv", "Utrustning ska lämnas inom två dagar.", "Ska utrustning"),
    ("sv", "Medlemmen får ett bidrag på 1 450 kronor per år.", "Får medlemmen"),
    ("sv", "Varje bil får service två gånger per år.", "Får varje bil"),
    ("sv", "Soppan får innehålla högst 20 procent vatten.", "Får soppan"),
    ("sv", "Nycklar får lämnas ut endast till vaktmästaren.", "Får nycklar"),
    ("sv", "Lampan ska testas före varje resa.", "Ska lampan"),
    ("sv", "Byte av lås sker på måndagar klockan 09.00.", "på måndagar"),
    ("sv", "När larmet har gått leds insatsen av polischefen.", "När leds"),
    ("sv", "Bidrag beslutas av styrelsen två gånger per år.", "av styrelsen"),
    ("en", "Equipment must be returned within 48 hours.", "Must equipment"),
    ("en", "Keys may be lent only to the guard.", "May keys"),
]


@pytest.mark.parametrize(("code", "sentence", "told"), GIVEN_AWAY)
def test_no_question_tells_its_own_answer(code: str, sentence: str, told: str) -> None:
    assert not [one.question for one in questions_of(sentence, GRAMMAR[code]) if told in one.question]


VOICES = [
    ("sv", "beslutas", "beslutar om"),
    ("sv", "utses", "utser"),
    ("sv", "ägs", "äger"),
    ("sv", "körs", "kör"),
    ("sv", "bränns", "bränner"),
    ("sv", "qwzxs", None),
    ("en", "removed", "removes"),
    ("en", "carried", "carries"),
    ("en", "kept", "keeps"),
    ("en", "red", None),
]


@pytest.mark.parametrize(("code", "passive", "told"), VOICES)
def test_a_passive_is_asked_in_the_active_only_where_its_form_is_sure(
    code: str, passive: str, told: str | None
) -> None:
    verb, before = (passive, "") if code == "sv" else ("is", passive)
    found = active(Clause("the plan", "plan", verb, ""), before, GRAMMAR[code])
    assert (found and found[0]) == told


TOLD = [
    ("existence", "Får besökare vistas i serverrummet?", "Besökare får inte vistas i serverrummet.", True),
    ("time", "Hur länge sparas registerloggen?", "Registerloggen sparas i fem år.", False),
    ("responsibility", "Vem godkänner planeringen i maj?", "Planeringen godkänns i maj.", True),
]


@pytest.mark.parametrize(("kind", "question", "sentence", "told"), TOLD)
def test_no_variant_is_made_of_a_question_that_holds_its_own_answer(
    kind: str, question: str, sentence: str, told: bool
) -> None:
    held = chunk(sentence)
    draft = Draft(question, kind, "sv", 3, (Evidence(held, held.sentences),))
    assert tells_itself(draft) is told
    assert (not [*in_few_words(draft)]) is told


@pytest.mark.parametrize("sentence", [row[0] for row in SWEDISH])
def test_a_question_ends_as_one_and_holds_only_words_of_its_sentence_and_its_pattern(sentence: str) -> None:
    asks = "vad vem vilka när hur länge ofta inom vilken tid varför av är finns det händer menas med i för om ska man göra får"
    held = {*sentence.casefold().replace(",", "").rstrip(".").split(), *asks.split()}
    for one in questions_of(sentence, GRAMMAR["sv"]):
        assert one.question.endswith("?") and one.question[0].isupper()
        added = {*one.question.casefold().rstrip("?").split()} - held
        assert all(_forms(word) & {form for other in held for form in _forms(other)} for word in added), added


def _forms(word: str) -> set[str]:
    return {*get_language("sv").analyze(word).terms}


LEADS = [
    ("sv", "Projektet består av följande delar:", ["Vad består projektet av?"]),
    ("sv", "Följande roller finns i projektet:", ["Vilka roller finns i projektet?"]),
    ("sv", "Det finns fyra delprojekt:", ["Vilka delprojekt finns det?"]),
    ("sv", "I leveransen ingår:", ["Vad ingår i leveransen?"]),
    ("sv", "Projektledaren ska", ["Vad ska projektledaren göra?"]),
    ("sv", "Ett fel hanteras så här:", ["Hur hanteras ett fel?"]),
    ("sv", "Acceptanstestet godkänns när", ["När godkänns acceptanstestet?"]),
    ("sv", "Varje elev får låna följande böcker:", ["Vilka böcker får varje elev låna?", "Vad får varje elev låna?"]),
    ("sv", "Vid mötet behandlas följande frågor:", ["Vilka frågor behandlas vid mötet?", "Vad behandlas vid mötet?"]),
    ("sv", "Kursen består av fem delar:", ["Vad består kursen av?"]),
    ("sv", "Så monterar du en kran:", ["Hur monterar du en kran?"]),
    ("sv", "Om larmet går, gör så här:", ["Vad ska man göra om larmet går?"]),
    ("sv", "Det får låna följande böcker:", []),
    ("sv", "Så monterar du en kran.", []),  # announces nothing
    ("sv", "Den består av fem ledamöter:", []),
    ("sv", "Exempel på detta kan vara:", []),
    ("sv", "Underlag", []),
    ("en", "The system consists of:", ["What does the system consist of?"]),
    (
        "en",
        "The following documents must be attached to a request:",
        ["Which documents must be attached to a request?"],
    ),
    ("en", "Three rules apply to everyone:", ["Which rules apply to everyone?"]),
    (
        "en",
        "The library lends the following tools:",
        ["Which tools does the library lend?", "What does the library lend?"],
    ),
    ("en", "Each member may borrow the following:", ["What may each member borrow?"]),
    ("en", "To change a filter, follow these steps:", ["How do you change a filter?"]),
    ("en", "If a laptop is lost, do the following:", ["What should you do if a laptop is lost?"]),
    ("en", "It includes:", []),
]


@pytest.mark.parametrize(("code", "lead", "expected"), LEADS)
def test_what_announces_a_list_asks_for_it(code: str, lead: str, expected: list[str]) -> None:
    assert [one.question for one in leads_to(lead, GRAMMAR[code])] == expected


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("Reporting", "report"),
        ("removing", "remove"),
        ("Putting", "put"),
        ("billing", "bill"),
        ("string", ""),
        ("King", ""),
    ],
)
def test_a_heading_in_ing_gives_its_verb_or_none(word: str, verb: str) -> None:
    assert NOUNS["en"].of_gerund(word) == verb


@pytest.mark.parametrize(
    ("word", "definite"),
    [
        ("Planering", "planeringen"),
        ("Styrgrupp", "styrgruppen"),
        ("Acceptanstest", "acceptanstestet"),
        ("Överlämnande", "överlämnandet"),
        ("Mål", "målet"),
        ("Risker", "riskerna"),
        ("Beskriv", ""),
        ("Qwzx", ""),
    ],
)
def test_a_heading_takes_its_definite_form_or_none(word: str, definite: str) -> None:
    assert NOUNS["sv"].definite(word) == definite


@pytest.mark.parametrize("word", ["handboken", "nyckeln", "mötet", "kansliet", "grupperna", "kursledaren"])
def test_a_definite_noun_is_known_as_one(word: str) -> None:
    assert NOUNS["sv"].is_definite(word)


@pytest.mark.parametrize("word", ["bokat", "möjligt", "internt", "högst", "flöden", "plan", "Tråden", "inträffat"])
def test_a_participle_an_adjective_a_plural_and_a_name_are_none(word: str) -> None:
    assert not NOUNS["sv"].is_definite(word)


@pytest.mark.parametrize(
    ("phrase", "lowered"),
    [("Planen är klar", "planen är klar"), ("Tråden är klar", "Tråden är klar"), ("BP3", "BP3"), ("K-nr", "K-nr")],
)
def test_a_name_keeps_its_capital(phrase: str, lowered: str) -> None:
    assert NOUNS["sv"].lowered(phrase) == lowered


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_patterns_of_a_language_can_be_read(code: str) -> None:
    words = draft_words(code)
    assert (
        words.sentences
        and words.leads
        and words.absent("far")
        and words.attributes
        and words.figures("count")
        and words.figures("amount")
    )
    assert all("{1}" in one.ask or "{s}" in one.ask or "{2}" in one.ask for one in (*words.sentences, *words.leads))

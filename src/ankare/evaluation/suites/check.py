"""Does a suite fit the home that it asks: does its gold stand where it says, and does the profile know its figures?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePosixPath

from ankare.domain.fact import TOTAL, Fact, FactKey, exact
from ankare.evaluation.case import Case, Expected, Gold, Suite
from ankare.evaluation.suites.gold import Place, holds, normalise
from ankare.evaluation.suites.holdings import Holdings
from ankare.evaluation.suites.suite_row import ASKED_BACK
from ankare.language.detect import detect_language
from ankare.language.languages import LANGUAGE_CODES, get_language
from ankare.language.period_forms import read_code
from ankare.profile.model import Profile
from ankare.profile.names import Names

FEW_OF_A_TYPE = 3
FEW_CASES = 30
SHARE_WITHOUT_ANSWER = 0.1
SHOWN_PLACES = 4
ALSO_AT_MOST = 5
_PERIODS = '"FY2024", "2024H1", "2024T1", "2024Q3" or "2024-03"'
_NAME_OR_LEAVE = "name it as gold where it answers the question as well, with the same snippet; else leave it as it is"
_ONE_OR_TWO = (
    "both count as one thing. Where they are two, take more words into the shorter snippet, until no other holds it"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is odd about a case, or about the suite ("" for `case_id`).

    `wrong`: scores come out wrong as long as it is so; else it is something to look at.
    """

    case_id: str
    field: str
    message: str
    wrong: bool = True


def check_suite(suite: Suite, held: Holdings) -> tuple[Finding, ...]:
    """What there is to say: case by case in the order of the file, then of the whole."""
    found = [finding for case in suite for finding in _of_case(case, held)]
    return (*found, *_alike(suite), *_of_whole(suite))


def _of_case(case: Case, held: Holdings) -> Iterator[Finding]:
    for number, gold in enumerate(case.gold):
        yield from _of_gold(case.id, f"gold[{number}]", gold, held)
    if not any(finding.wrong for number, gold in enumerate(case.gold) for finding in _of_gold("", "", gold, held)):
        yield from _elsewhere_too(case, held)
    yield from _within_another(case)
    names = Names(held.profile)
    for number, expected in enumerate(case.expected):
        yield from _of_figure(case, number, expected, held, names)
    if case.answerable is not False and not (case.gold or case.expected or case.reference_answer):
        yield Finding(
            case.id, "gold", "nothing says what would be right: name gold, or make answerable false", wrong=False
        )


def _of_gold(case_id: str, field: str, gold: Gold, held: Holdings) -> Iterator[Finding]:
    document = held.documents.get(gold.source)
    if document is None:
        yield Finding(case_id, f"{field}.source", f"the home does not hold {gold.source!r}{_meant(gold.source, held)}")
        return
    beyond = [page for page in gold.pages if page > document.page_count]
    if beyond:
        message = f"{gold.source} has {_counted(document.page_count, 'page')}, and none numbered {_listed(beyond)}"
        yield Finding(case_id, f"{field}.pages", message)
    elif gold.snippet and not holds(held.text_of(gold.source, gold.pages), gold.snippet):
        where = f"in {gold.source}" if not gold.pages else f"on page {_listed(gold.pages)} of {gold.source}"
        stands = _told(held.places_of(gold.snippet)) or "stand nowhere in the home"
        yield Finding(case_id, f"{field}.snippet", f"its words do not stand {where}; they {stands}")
    elif gold.snippet:
        yield from _pages_without(case_id, field, gold, held)


def _pages_without(case_id: str, field: str, gold: Gold, held: Holdings) -> Iterator[Finding]:
    """Pages that are named and hold nothing of the snippet, where another one holds it whole."""
    holding = [page for page in gold.pages if holds(held.text_of(gold.source, (page,)), gold.snippet)]
    without = [page for page in gold.pages if page not in holding]
    if holding and without:
        message = f"its words stand on page {_listed(holding)}, not on {_listed(without)}: what is found there counts as right"
        yield Finding(case_id, f"{field}.pages", message, wrong=False)


def _elsewhere_too(case: Case, held: Holdings) -> Iterator[Finding]:
    """Places with the words of a snippet that the case does not name: what is found there counts as wrong.

    Where a newer version of a document holds them, its older one would be a wrong place.
    """
    named = {(gold.source, page) for gold in case.gold for page in gold.pages}
    passed = held.superseded | {gold.source for gold in case.gold if not gold.pages}
    for number, gold in enumerate(case.gold):
        if not gold.snippet:
            continue
        places = [
            place for place in held.places_of(gold.snippet) if place.source not in passed and tuple(place) not in named
        ]
        if 0 < len(places) <= ALSO_AT_MOST:
            message = f"its words {_told(places)} too: {_NAME_OR_LEAVE}"
            yield Finding(case.id, f"gold[{number}].snippet", message, wrong=False)


def _within_another(case: Case) -> Iterator[Finding]:
    """Snippets of one case of which one holds the other's words: they are one thing with two wordings, and count once."""
    for number, gold in enumerate(case.gold):
        longer = [
            f"gold[{other}]"
            for other, one in enumerate(case.gold)
            if normalise(one.snippet) != normalise(gold.snippet) and holds(one.snippet, gold.snippet)
        ]
        if longer:
            told = f"its words stand within the snippet of {', '.join(longer)}: {_ONE_OR_TWO}"
            yield Finding(case.id, f"gold[{number}].snippet", told, wrong=False)


def _meant(source: str, held: Holdings) -> str:
    """ "; did you mean ...", by the file's name in another folder, with another ending, or by a near spelling."""
    name = PurePosixPath(source.casefold())
    same = [known for known in held.documents if PurePosixPath(known.casefold()).stem == name.stem]
    same.sort(key=lambda known: PurePosixPath(known.casefold()).name != name.name)
    near = same or get_close_matches(source, held.documents, n=1, cutoff=0.75)
    return f"; did you mean {near[0]!r}?" if near else ""


def _told(places: Iterable[Place]) -> str:
    by_source: dict[str, list[int]] = {}
    for place in places:
        by_source.setdefault(place.source, []).append(place.page or 1)
    told = [f"{source} p. {_listed(pages)}" for source, pages in by_source.items()]
    if not told:
        return ""
    more = f" and in {len(told) - SHOWN_PLACES} more documents" if len(told) > SHOWN_PLACES else ""
    return f"stand in {', '.join(told[:SHOWN_PLACES])}{more}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(pages: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(pages)))


def figures_of(suite: Suite) -> Callable[[Profile], Collection[FactKey]]:
    """The figures that a suite expects something of, by the names of a profile."""

    def keys(profile: Profile) -> Collection[FactKey]:
        names = Names(profile)
        found = (_key(expected, names) for case in suite for expected in case.expected)
        return list(dict.fromkeys(key for key in found if key is not None))

    return keys


def _of_figure(case: Case, number: int, expected: Expected, held: Holdings, names: Names) -> Iterator[Finding]:
    field = f"expected[{number}]"
    for kind, code in _codes(expected, names).items():
        name = getattr(expected, kind)
        if name and code is None:
            yield Finding(case.id, f"{field}.{kind}", f"the profile knows no {kind} {name!r}")
    if expected.period and read_code(expected.period) is None:
        yield Finding(case.id, f"{field}.period", f"{expected.period!r} is no period: write it as {_PERIODS}")
    key = _key(expected, names)
    if key is not None and expected.mode not in ASKED_BACK:
        yield from _of_value(case, number, expected, held.facts.get(key, ()))


def _codes(expected: Expected, names: Names) -> dict[str, str | None]:
    known = {"metric": names.metric, "entity": names.entity, "channel": names.channel}
    return {kind: look_up(getattr(expected, kind)) for kind, look_up in known.items()}


def _key(expected: Expected, names: Names) -> FactKey | None:
    """What the store is asked for; None where a name is missing or unknown."""
    codes, period = _codes(expected, names), read_code(expected.period)
    metric, entity, channel = codes["metric"], codes["entity"], codes["channel"] if expected.channel else TOTAL
    if metric is None or entity is None or channel is None or period is None:
        return None
    return FactKey(metric, entity, period.type, period.value, channel)


def _of_value(case: Case, number: int, expected: Expected, facts: tuple[Fact, ...]) -> Iterator[Finding]:
    """Is the value that is expected one that is held, and is none expected where none is?"""
    values = ", ".join(dict.fromkeys(f"{fact.value} {fact.unit}" for fact in facts))
    field = f"expected[{number}].value"
    if not expected.value and facts:
        yield Finding(case.id, field, f"no value is expected, and the home holds {values}")
    elif expected.value and not facts:
        yield Finding(case.id, field, "the home holds no such figure")
    elif expected.value and not any(_same(expected, fact) for fact in facts):
        yield Finding(
            case.id, field, f"{expected.value} {expected.unit}".strip() + f" is expected, and the home holds {values}"
        )


def _same(expected: Expected, fact: Fact) -> bool:
    return exact(expected.value) == fact.value and expected.unit in ("", fact.unit)


def _alike(suite: Suite) -> Iterator[Finding]:
    """Questions that ask the same: they begin alike and have the same words, but for order, forms and words without content."""
    first: dict[object, Case] = {}
    for case in suite:
        other = first.setdefault(_asks(case), case)
        if other is case:
            continue
        if {case.answerable, other.answerable} == {True, False}:
            message = f"it asks what {other.id!r} asks, and one of them is said to have no answer"
            yield Finding(case.id, "question", message)
        else:
            yield Finding(case.id, "question", f"it asks what {other.id!r} asks: both count", wrong=False)


def _asks(case: Case) -> object:
    code = case.language or detect_language(case.question, LANGUAGE_CODES, "en")
    language = get_language(code)
    plain = normalise(case.question)
    terms = sorted(set(language.index_terms(case.question))) or [plain]
    return code, plain.split(" ", 1)[0], tuple(terms), case.reference_date


def _of_whole(suite: Suite) -> Iterator[Finding]:
    cases = _counted(len(suite), "case")
    drafts = sum(case.draft for case in suite)
    if drafts:
        message = f'not looked at yet: {drafts} of {cases}. Correct each, then take its "draft" out'
        yield Finding("", "draft", message, wrong=False)
    if len(suite) < FEW_CASES:
        message = f"{cases}: differences between runs will seldom be told from chance, {FEW_CASES} are a start"
        yield Finding("", "", message, wrong=False)
    without = sum(case.answerable is False for case in suite)
    if without < SHARE_WITHOUT_ANSWER * len(suite):
        message = f"without an answer: {without} of {cases}. Too few to tell how often it answers what it should not"
        yield Finding("", "answerable", message, wrong=False)
    types = Counter(case.type for case in suite)
    few = [f"{name or 'no type'} ({count})" for name, count in sorted(types.items()) if count < FEW_OF_A_TYPE]
    if few:
        message = f"types with fewer than {FEW_OF_A_TYPE} cases tell little: {', '.join(few)}"
        yield Finding("", "type", message, wrong=False)

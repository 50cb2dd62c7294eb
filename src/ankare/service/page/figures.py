"""How do figures read on the page: what was assumed, a small table with the cell of each, a plot where they are compared?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape as quoted

from ankare.cite.escape import plain
from ankare.cite.figures import FactSource
from ankare.domain.fact import TOTAL, Fact
from ankare.domain.figures import FigureAnswer, FigureLine, LineKind
from ankare.language.numbers import format_decimal
from ankare.language.units import format_quantity, parse_unit, unit_label
from ankare.messages import messages
from ankare.messages.places import said_locator
from ankare.service.page.plot import Point, plot_svg
from ankare.service.page.views import Fields, Views
from ankare.structured.compose import Wording

Column = tuple[str, list[str]]


class FigureHtml:
    """Sets one answer from figures. `wordings`: the answer's, and the page's. `name` is unique in the document."""

    def __init__(
        self,
        answer: FigureAnswer,
        sources: Sequence[FactSource],
        views: Views,
        wordings: tuple[Wording, Wording],
        name: str,
    ) -> None:
        self._answer = answer
        self._sources = {(source.doc, source.locator): source for source in sources}
        self._views = views
        self._wording, self._panel = wordings
        self._name = name
        self._texts: Mapping[str, str] = messages(answer.language)
        self._facts = tuple(dict.fromkeys(fact for line in answer.lines for fact in self._told(line)))

    def html(self) -> str:
        """Assumptions, the figures, the plot, and what was left out."""
        answer = self._answer
        before = "".join(f'<p class="ak-assumed">{_said(text)}</p>' for text in answer.before)
        after = "".join(f'<p class="ak-note">{_said(text)}</p>' for text in answer.after)
        lead = "".join(self._lead())
        plots = "".join(self._plots())
        table = self._table() if self._facts else ""
        return f"{before}{lead}{table}{''.join(self._lines())}{plots}{after}"

    def source_view(self, source: FactSource) -> int:
        """The view of a place, with everything that is stored of what was read there."""
        facts = [
            fact for fact in self._facts if (fact.source_doc_id, fact.source_locator) == (source.doc, source.locator)
        ]
        return self._views.of_cell(source, facts, [fact_fields(fact, self._panel) for fact in facts])

    def _told(self, line: FigureLine) -> Sequence[Fact]:
        return line.facts if line.kind in (LineKind.FOUND, LineKind.CONFLICT) else ()

    def _lead(self) -> Iterator[str]:
        """One figure is told in a sentence, several under a line that introduces them."""
        lines = self._answer.lines
        if len(lines) == 1 and lines[0].kind is LineKind.FOUND:
            yield f'<p class="ak-figure">{_said(lines[0].text)} {self._marks(lines[0].facts)}</p>'
        elif self._answer.header:
            yield f"<p>{_said(self._answer.header)}</p>"

    def _lines(self) -> Iterator[str]:
        """What the table does not tell: differences, disagreements, what is missing."""
        said = [line for line in self._answer.lines if line.kind is not LineKind.FOUND]
        if said:
            items = "".join(f"<li>{_said(line.text)} {self._marks(self._told(line))}</li>" for line in said)
            yield f'<ul class="ak-told">{items}</ul>'

    def _marks(self, facts: Sequence[Fact]) -> str:
        places = dict.fromkeys((fact.source_doc_id, fact.source_locator) for fact in facts)
        found = [self._sources[place] for place in places if place in self._sources]
        return "".join(self._views.button(s.number, self.source_view(s), s.label) for s in found)

    def _table(self) -> str:
        """One row for each figure. A column whose cells are all alike is told in the caption instead."""
        facts, texts = self._facts, self._texts
        named: list[Column] = [
            (texts["page.metric"], [self._wording.metric(fact.metric_code) for fact in facts]),
            (texts["page.entity"], [self._wording.entity(fact.entity) for fact in facts]),
            (texts["page.channel"], [self._channel(fact) for fact in facts]),
        ]
        common = [cells[0] for _, cells in named if len(set(cells)) == 1 and cells[0]]
        columns = [column for column in named if len(set(column[1])) > 1]
        columns.append((texts["page.period"], [self._period(fact) for fact in facts]))
        head = "".join(f'<th scope="col">{quoted(name)}</th>' for name, _ in columns)
        head += f'<th scope="col" class="ak-number">{quoted(texts["page.value"])}</th>'
        head += f'<th scope="col">{quoted(texts["page.unit"])}</th><th scope="col">{quoted(texts["page.place"])}</th>'
        rows = "".join(self._row([cells[place] for _, cells in columns], fact) for place, fact in enumerate(facts))
        caption = quoted(plain(", ".join(common)) or texts["page.figures"])
        return (
            f'<div class="ak-scroll" role="region" tabindex="0" aria-label="{caption}"><table class="ak-figures">'
            f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )

    def _row(self, names: Sequence[str], fact: Fact) -> str:
        first, *others = [quoted(plain(name)) for name in names]
        cells = f'<th scope="row">{first}</th>' + "".join(f"<td>{name}</td>" for name in others)
        value = quoted(format_decimal(fact.value, self._answer.language))
        unit = quoted(unit_label(fact.unit, self._answer.language))
        place = quoted(plain(said_locator(fact.source_locator, self._texts) or fact.source_doc_id))
        return (
            f'<tr>{cells}<td class="ak-number">{value} {self._marks((fact,))}</td><td>{unit}</td>'
            f'<td class="ak-place-of">{place}</td></tr>'
        )

    def _plots(self) -> Iterator[str]:
        """One plot for each metric and unit of which several figures can stand on one axis."""
        groups: dict[tuple[str, object, str], list[Fact]] = {}
        for fact in self._facts:
            groups.setdefault((fact.metric_code, parse_unit(fact.unit) or fact.unit, fact.period_type), []).append(fact)
        for number, ((metric, _, _), facts) in enumerate(groups.items()):
            if len({fact.key for fact in facts}) == len(facts) > 1:  # sources that disagree are told, not drawn
                yield plot_svg(
                    [self._point(fact, facts) for fact in sorted(facts, key=lambda fact: fact.period)],
                    name=f"{self._name}-{number}",
                    title=plain(", ".join([self._wording.metric(metric), *self._one_entity(facts)])),
                    unit=unit_label(facts[0].unit, self._answer.language),
                    language=self._answer.language,
                )

    def _one_entity(self, facts: Sequence[Fact]) -> list[str]:
        return [self._wording.entity(facts[0].entity)] if len({fact.entity for fact in facts}) == 1 else []

    def _point(self, fact: Fact, among: Sequence[Fact]) -> Point:
        parts = [
            self._wording.entity(fact.entity) if len({one.entity for one in among}) > 1 else "",
            self._channel(fact) if len({one.channel for one in among}) > 1 else "",
        ]
        return Point(self._period(fact), plain(", ".join(filter(None, parts))), fact.value, self._quantity(fact))

    def _channel(self, fact: Fact) -> str:
        return "" if fact.channel == TOTAL else self._wording.channel(fact.channel)

    def _period(self, fact: Fact) -> str:
        return plain(self._wording.period(fact.period_type, fact.period))

    def _quantity(self, fact: Fact) -> str:
        return format_quantity(fact.value, fact.unit, self._answer.language)


def fact_fields(fact: Fact, wording: Wording) -> Fields:
    """Everything that is stored of a figure and that a reader can check it by; "" for what is not known."""
    texts, language = wording.texts, wording.language
    values = {
        "metric": wording.metric(fact.metric_code),
        "entity": wording.entity(fact.entity),
        "period": wording.period(fact.period_type, fact.period),
        "channel": "" if fact.channel == TOTAL else wording.channel(fact.channel),
        "value": format_decimal(fact.value, language),
        "unit": unit_label(fact.unit, language),
        "document": fact.source_doc_id,
        "place": said_locator(fact.source_locator, texts),
        "valid_as_of": fact.valid_as_of,
        "review_status": texts[f"page.status_{fact.review_status}"],
        "read_in": _minute(fact.ingested_at),
    }
    return tuple((texts[f"page.{name}"], value) for name, value in values.items())


def _minute(time: str) -> str:
    """An ISO time (UTC) as people write it."""
    return f"{time[:10]} {time[11:16]} UTC" if time else ""


def _said(text: str) -> str:
    return quoted(plain(text))

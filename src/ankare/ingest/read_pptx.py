"""What does a presentation show to its audience? A slide is a page, its title a heading.

Speaker's notes, footers and slide numbers are left out, hidden slides and shapes and what stands outside the slide are
reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ankare.domain.document import BlockKind, Extraction
from ankare.ingest.blocks import BlockList, clean
from ankare.messages.remarks import remark

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_BULLET = "•"


def read_pptx(path: Path) -> Extraction:
    """Read a PPTX file. Raises what python-pptx raises for a broken one."""
    import pptx

    presentation = pptx.Presentation(str(path))
    found = BlockList()
    warnings: list[str] = []
    size = (presentation.slide_width or 0, presentation.slide_height or 0)
    slides = list(presentation.slides)
    for number, slide in enumerate(slides, 1):
        found.page = number
        if slide._element.get("show") in ("0", "false"):
            warnings.append(remark("slide_hidden", number=str(number)))
            found.leave_out(number)
            continue
        _Slide(slide, found, size).read()
    core = clean(presentation.core_properties.title or "")
    title = core if core.lower() not in ("", "powerpoint presentation", "powerpoint-presentation") else ""
    return found.extraction("pptx", title or found.title(path.stem), pages=len(slides), warnings=tuple(warnings))


class _Slide:
    def __init__(self, slide: Any, found: BlockList, size: tuple[int, int]) -> None:
        self.slide = slide
        self.found = found
        self.size = size
        self.plain = _has_no_colours(slide)

    def read(self) -> None:
        title = self.slide.shapes.title
        if title is not None and title.has_text_frame and not self.hidden(title):
            self.found.add(BlockKind.HEADING, title.text_frame.text, level=1)
        for shape in self.in_order(self.slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                self.shape(shape)

    def in_order(self, shapes: Any) -> list[Any]:
        """Placeholders in the order of the layout, other shapes from the top down and from the left."""

        def place(shape: Any) -> tuple[int, int]:
            return (int(shape.top or 0) // 200_000, int(shape.left or 0))

        return sorted(shapes, key=place)

    def shape(self, shape: Any) -> None:
        if _is_frame(shape):
            return
        if self.hidden(shape):
            self.found.hide(" ".join(part.text or "" for part in shape._element.iter(f"{_A}t")))
        elif shape.shape_type is not None and hasattr(shape, "shapes"):
            for inner in self.in_order(shape.shapes):
                self.shape(inner)
        elif getattr(shape, "has_table", False):
            self.table(shape.table)
        elif getattr(shape, "has_chart", False):
            self.chart(shape.chart)
        elif getattr(shape, "has_text_frame", False):
            if self.plain and _is_white(shape):
                self.found.hide(shape.text_frame.text)
            else:
                self.text(shape)
        else:
            self.diagram(shape)

    def text(self, shape: Any) -> None:
        paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if clean(paragraph.text)]
        default = _has_bullets(shape) and len(paragraphs) > 1
        group = 0
        counters: dict[int, int] = {}
        for paragraph in paragraphs:
            marker = _marker(paragraph, default, counters)
            if not marker:
                group = 0
                self.found.add(BlockKind.PARAGRAPH, paragraph.text)
                continue
            group = group or self.found.new_group()
            self.found.add(BlockKind.ITEM, paragraph.text, level=paragraph.level, marker=marker, group=group)

    def table(self, table: Any) -> None:
        group = self.found.new_group()
        for number, row in enumerate(table.rows):
            cells = [cell.text_frame.text for cell in row.cells]
            self.found.add_row(cells, group, header=number == 0 and bool(table.first_row))

    def chart(self, chart: Any) -> None:
        if chart.has_title and chart.chart_title.has_text_frame:
            self.found.add(BlockKind.PARAGRAPH, chart.chart_title.text_frame.text)
        group = self.found.new_group()
        for plot in chart.plots:
            series = list(plot.series)
            self.found.add_row(["", *(str(one.name) for one in series)], group, header=True)
            for at, category in enumerate(plot.categories):
                values = [one.values[at] if at < len(one.values) else None for one in series]
                self.found.add_row([str(category), *(_number(value) for value in values)], group)

    def diagram(self, shape: Any) -> None:
        """The texts of a SmartArt drawing, which lie in a part of their own."""
        for relation in shape._element.iter(f"{_DIAGRAM}relIds"):
            from lxml import etree

            part = self.slide.part.related_part(relation.get(f"{_R}dm"))
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            group = self.found.new_group()
            for point in etree.fromstring(part.blob, parser).iter(f"{_DIAGRAM}t"):
                text = "".join(node.text or "" for node in point.iter(f"{_A}t"))
                self.found.add(BlockKind.ITEM, text, marker=_BULLET, group=group)

    def hidden(self, shape: Any) -> bool:
        """Is the shape hidden, or wholly outside the slide?"""
        if any(node.get("hidden") in ("1", "true") for node in _own_names(shape)):
            return True
        if None in (shape.left, shape.top, shape.width, shape.height) or not all(self.size):
            return False
        beyond = shape.left >= self.size[0] or shape.top >= self.size[1]
        return bool(beyond or shape.left + shape.width <= 0 or shape.top + shape.height <= 0)


def _own_names(shape: Any) -> Iterator[Any]:
    for child in shape._element:
        for node in child:
            if node.tag.endswith("}cNvPr"):
                yield node


def _has_no_colours(slide: Any) -> bool:
    """Is nothing behind the slide's text: no background or picture of slide, layout or master, and no filled shape?"""
    for part in (slide, slide.slide_layout, slide.slide_layout.slide_master):
        tree = part._element
        for fill in tree.iter(f"{_A}gradFill", f"{_A}blipFill", f"{_A}pattFill", f"{_A}blip"):
            if fill is not None:
                return False
        for fill in tree.iter(f"{_A}solidFill"):
            if not fill.getparent().tag.endswith(_TEXT_OR_LINE) and not _says_white(fill):
                return False
        for reference in (*tree.iter(f"{_P}bgRef"), *tree.iter(f"{_A}fillRef")):
            scheme = reference.find(f"{_A}schemeClr")
            if reference.get("idx") != "0" and (scheme is None or scheme.get("val") not in ("bg1", "lt1")):
                return False
    return True


_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_TEXT_OR_LINE = ("}rPr", "}defRPr", "}endParaRPr", "}ln", "}lnL", "}lnR", "}lnT", "}lnB", "}buClr")


def _is_white(shape: Any) -> bool:
    """Do all runs of this shape say that they are white?"""
    runs = [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs if run.text.strip()]
    fills = [run._r.find(f"{_A}rPr/{_A}solidFill") for run in runs]
    return bool(fills) and all(fill is not None and _says_white(fill) for fill in fills)


def _says_white(fill: Any) -> bool:
    colour = fill.find(f"{_A}srgbClr")
    if colour is not None:
        return str(colour.get("val", "")).upper() == "FFFFFF"
    scheme = fill.find(f"{_A}schemeClr")
    return scheme is not None and scheme.get("val") in ("bg1", "lt1") and len(scheme) == 0


def _is_frame(shape: Any) -> bool:
    """Date, footer and slide number repeat on every slide."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    frames = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER)
    return bool(shape.is_placeholder and shape.placeholder_format.type in frames)


def _has_bullets(shape: Any) -> bool:
    """Do paragraphs of this shape have bullets unless they say otherwise? Those of the body do."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    bodies = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY)
    return bool(shape.is_placeholder and shape.placeholder_format.type in bodies)


def _marker(paragraph: Any, default: bool, counters: dict[int, int]) -> str:
    properties = paragraph._p.find(f"{_A}pPr")
    level = paragraph.level
    for deeper in [step for step in counters if step > level]:
        del counters[deeper]
    if properties is not None:
        if properties.find(f"{_A}buNone") is not None:
            return ""
        if (numbered := properties.find(f"{_A}buAutoNum")) is not None:
            counters[level] = counters.get(level, int(numbered.get("startAt", "1")) - 1) + 1
            return f"{counters[level]}."
        if properties.find(f"{_A}buChar") is not None:
            return _BULLET
    return _BULLET if default else ""


def _number(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

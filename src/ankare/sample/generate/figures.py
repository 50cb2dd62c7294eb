"""Which figures do the documents hold, and how are they drawn?

As pictures: the text in them is not a text layer, as in many real documents.
"""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw, ImageFont

from ankare.sample.generate.furniture import font_folder

GREEN, PALE, INK = (28, 74, 56), (233, 240, 234), (20, 22, 21)
DECISIONS = (
    ("BP1", "Förstudien godkänd", "Fas 1 Förberedelse", "8 veckor"),
    ("BP2", "Kravbilden fastställd", "Fas 2 Krav och avrop", "14 veckor"),
    ("BP3", "Leveransen godkänd för pilot", "Fas 3 Anpassning och test", "16 veckor"),
    ("BP4", "Piloten godkänd", "Fas 4 Pilot", "6 veckor"),
    ("BP5", "Alla etapper i drift", "Fas 5 Breddinförande", "12 veckor"),
    ("BP6", "Överlämnat till förvaltning", "Fas 6 Överlämning", "4 veckor"),
)
WAVES = (
    ("Etapp 1", "Kommunlednings- förvaltningen", 0),
    ("Etapp 2", "Social- och utbildnings- förvaltningen", 1),
    ("Etapp 3", "Samhällsbyggnads- förvaltningen", 2),
)


def draw(name: str) -> Image.Image:
    """The figure of that name, as a picture of few colours."""
    return {"beslutskarta": _decision_map, "etapper": _waves}[name]().quantize(16, dither=Image.Dither.NONE)


def _decision_map() -> Image.Image:
    """A page of A4 at 150 dots an inch: the six decision points and the phases between them."""
    image = Image.new("RGB", (1240, 1754), "white")
    pen = ImageDraw.Draw(image)
    pen.text((130, 120), "Beslutskarta för införandet av Tråden", font=_font(44, bold=True), fill=GREEN)
    pen.text((130, 186), "Bilaga till Införandehandbok, version 3.1", font=_font(28), fill=INK)
    for index, (code, decision, phase, length) in enumerate(DECISIONS):
        top = 290 + index * 225
        pen.rounded_rectangle((130, top, 700, top + 130), 14, fill=PALE, outline=GREEN, width=3)
        pen.text((160, top + 24), phase, font=_font(32, bold=True), fill=INK)
        pen.text((160, top + 74), length, font=_font(28), fill=INK)
        pen.line((700, top + 65, 800, top + 65), fill=GREEN, width=4)
        middle = (850, top + 65)
        pen.polygon([(800, middle[1]), (850, top + 5), (900, middle[1]), (850, top + 125)], fill=GREEN)
        pen.text(middle, code, font=_font(26, bold=True), fill="white", anchor="mm")
        _wrapped(pen, (920, top + 30), decision, 270)
        if index < len(DECISIONS) - 1:
            pen.line((415, top + 130, 415, top + 205), fill=GREEN, width=4)
            pen.polygon([(403, top + 203), (427, top + 203), (415, top + 225)], fill=GREEN)
    pen.text((130, 1660), "Styrgruppen fattar alla sex besluten.", font=_font(28), fill=INK)
    return image


def _waves() -> Image.Image:
    """The three waves of the rollout on a time line of twelve weeks."""
    image = Image.new("RGB", (1320, 420), "white")
    pen = ImageDraw.Draw(image)
    for week in range(13):
        x = 340 + week * 74
        pen.line((x, 60, x, 390), fill=(205, 212, 207), width=2)
        if week < 12:
            pen.text((x + 37, 36), f"v {week + 1}", font=_font(24), fill=INK, anchor="mm")
    for label, text, index in WAVES:
        top = 80 + index * 105
        pen.text((20, top + 26), label, font=_font(30, bold=True), fill=GREEN)
        pen.rounded_rectangle((340 + index * 4 * 74, top, 340 + (index + 1) * 4 * 74, top + 84), 8, fill=GREEN)
        _wrapped(pen, (354 + index * 4 * 74, top + 10), text, 280, size=24, fill="white")
    return image


def _wrapped(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    width: int,
    size: int = 28,
    fill: str | tuple[int, int, int] = INK,
) -> None:
    line, y = "", at[1]
    for word in [*text.split(), ""]:
        longer = f"{line} {word}".strip()
        if word and pen.textlength(longer, font=_font(size)) <= width:
            line = longer
            continue
        pen.text((at[0], y), line, font=_font(size), fill=fill)
        line, y = word, y + size + 8


@cache
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_folder() / f"SourceSansPro-{'Semibold' if bold else 'Regular'}.ttf", size)

"""How are figures drawn as SVG, without a library and without a script?

Each function takes frozen values and gives one `<svg>` as text, which says what it shows to whoever cannot see it. Colours are
those of `style_sheet()`, light and dark:

    bars(Chart("c1", "Omsättning"), ["2023", "2024"], [Series("Kanada", (1.0, 2.5))], Axis("MSEK"))
"""

from __future__ import annotations

from ankare.plot.bars import bars, columns, stacked
from ankare.plot.drawing import style_sheet
from ankare.plot.intervals import intervals
from ankare.plot.lines import lines
from ankare.plot.scatter import scatter
from ankare.plot.spread import histogram, strip
from ankare.plot.values import Axis, Chart, Dot, Interval, Series, plain_number

__all__ = [
    "Axis",
    "Chart",
    "Dot",
    "Interval",
    "Series",
    "bars",
    "columns",
    "histogram",
    "intervals",
    "lines",
    "plain_number",
    "scatter",
    "stacked",
    "strip",
    "style_sheet",
]

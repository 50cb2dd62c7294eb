"""What do the tokens of a model cost?

A table that its reader keeps, since prices change and differ by contract; ankare ships none:

    [models."a-model"]          # or a pattern: "vendor/*"
    prompt = 1.0                # for a million tokens
    completion = 2.0
    currency = "USD"            # the same for all models of a table
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ankare.errors import EvaluationError
from ankare.regular_file import read_regular

MILLION = 1_000_000
MOST_BYTES = 1_000_000
LONGEST_LINE = 2_000
HIGHEST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Of one model or pattern of names: for a million tokens, in the table's currency."""

    pattern: str
    prompt: Decimal
    completion: Decimal


@dataclass(frozen=True, slots=True)
class Prices:
    """A table of prices in one currency. A name itself comes before patterns, a longer pattern before a shorter one."""

    currency: str
    models: tuple[Price, ...]

    def of(self, model: str) -> Price | None:
        """The price of a model, None for one that the table does not know."""
        fitting = [price for price in self.models if fnmatchcase(model, price.pattern)]
        same = next((price for price in self.models if price.pattern == model), None)
        return same or max(fitting, key=lambda price: len(price.pattern), default=None)

    def cost(self, model: str, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
        """What this many tokens cost, None for a model that the table does not know."""
        price = self.of(model)
        if price is None:
            return None
        return (price.prompt * prompt_tokens + price.completion * completion_tokens) / MILLION


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds characters that cannot be shown")
    return text


_Amount = Annotated[Decimal, Field(ge=0, le=HIGHEST, allow_inf_nan=False)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    prompt: _Amount
    completion: _Amount
    currency: Annotated[str, Field(min_length=1, max_length=12), AfterValidator(_printable)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")

    models: dict[str, _Model] = Field(min_length=1)


def read_prices(path: Path) -> Prices:
    """Read a table. Raises EvaluationError with the file and what is wrong in it: each price is from 0 to HIGHEST."""
    try:
        told = tomllib.loads(_text(path), parse_float=_decimal)
        models = _Table.model_validate(told).models
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}.", "Give a table of prices.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise EvaluationError(f"{path}: {place}: {first['msg']}.", "See docs/measures.md, Cost.") from error
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{path} is no TOML: {error}.", "Names with / or : stand in quotes.") from error
    currencies = sorted({model.currency for model in models.values()})
    if len(currencies) > 1:
        raise EvaluationError(
            f"{path} names several currencies ({', '.join(currencies)}).", "Sums need one: use one table for each."
        )
    return Prices(currencies[0], tuple(Price(name, one.prompt, one.completion) for name, one in models.items()))


def _text(path: Path) -> str:
    """Raises EvaluationError for what is larger than a table, OSError (also for no regular file), and UnicodeDecodeError."""
    data = read_regular(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise EvaluationError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Give a table of prices.")
    for number, line in enumerate(data.split(b"\n"), 1):
        if len(line) > LONGEST_LINE:
            raise EvaluationError(f"{path}:{number} is longer than {LONGEST_LINE:,} bytes.", "Give a table of prices.")
    return data.decode("utf-8").replace("\r\n", "\n")


def _decimal(text: str) -> Decimal:
    """Infinity for what is beyond any decimal number: the table then says under which name it stands."""
    try:
        return Decimal(text)
    except ArithmeticError:
        return Decimal("Infinity")

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

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ankare.errors import EvaluationError

MILLION = 1_000_000
MOST_BYTES = 1_000_000


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


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    prompt: Decimal = Field(ge=0, allow_inf_nan=False)
    completion: Decimal = Field(ge=0, allow_inf_nan=False)
    currency: str = Field(min_length=1, max_length=12)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")

    models: dict[str, _Model] = Field(min_length=1)


def read_prices(path: Path) -> Prices:
    """Read a table. Raises EvaluationError with the file and what is wrong in it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise EvaluationError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Give a table of prices.")
        told = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        models = _Table.model_validate(told).models
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}.", "Give a table of prices.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise EvaluationError(f"{path}: {place}: {first['msg']}.", "See docs/measures.md, Cost.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EvaluationError(f"{path} is no TOML: {error}.", "Names with / or : stand in quotes.") from error
    currencies = sorted({model.currency for model in models.values()})
    if len(currencies) > 1:
        raise EvaluationError(
            f"{path} names several currencies ({', '.join(currencies)}).", "Sums need one: use one table for each."
        )
    return Prices(currencies[0], tuple(Price(name, one.prompt, one.completion) for name, one in models.items()))

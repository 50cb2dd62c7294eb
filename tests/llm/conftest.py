"""A loopback service for each test, and each test for both adapters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.dialects import DIALECTS, Dialect
from tests.model_server import ModelServer, model_server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return request.param

"""A visitor of the page, and one that has paired."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.firmware.fake_appliance import FakeAppliance
from tests.firmware.visitor import Visitor


@pytest.fixture
def appliance() -> FakeAppliance:
    return FakeAppliance()


@pytest.fixture
def visitor(appliance: FakeAppliance) -> Iterator[Visitor]:
    visitor = Visitor(appliance)
    yield visitor
    visitor.close()


@pytest.fixture
def paired(visitor: Visitor) -> Visitor:
    visitor.pair()
    return visitor

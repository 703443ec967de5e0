"""What all tests share: the switch that writes golden pictures anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regold",
        action="store_true",
        help="write the golden pictures anew, and fail: look at them, then run without",
    )


@pytest.fixture(scope="session")
def regold(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--regold"))

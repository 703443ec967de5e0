"""What of the bench needs no machine: whether it would notice, and what it runs on."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).parents[1] / "hardware" / "bench"
OURS = ("firmware", "rules", "vision")
ONE, TWO, THREE = ({"house": cell} for cell in ("a1ne", "b2ne", "c3ne"))


@pytest.fixture(scope="module")
def cuts() -> Iterator[Any]:
    sys.path.insert(0, str(BENCH))
    try:
        yield import_module("cuts")
    finally:
        sys.path.remove(str(BENCH))
        for name in ("cuts", "machine"):
            sys.modules.pop(name, None)


def cut_short(cuts: Any, kept: list[dict[str, str]]) -> Any:
    """Two events were shown and a third was about to be kept when the power went."""
    tally = cuts.Tally()
    tally.show(1, 0, [ONE])
    tally.show(1, 1, [TWO])
    tally.announced, tally.cuts = (1, 3), 1
    tally.compare({1: kept}, None, "")
    return tally


@pytest.mark.parametrize(
    ("kept", "unkept", "unshown"), [([ONE, TWO], 1, 0), ([ONE, TWO, THREE], 0, 1)]
)
def test_what_was_shown_is_kept_and_one_step_more_may_be(
    cuts: Any, kept: list[dict[str, str]], unkept: int, unshown: int
) -> None:
    tally = cut_short(cuts, kept)
    assert (tally.faults, tally.unkept, tally.unshown) == ([], unkept, unshown)
    assert tally.shown == {1: kept}


@pytest.mark.parametrize("kept", [[], [ONE], [ONE, THREE], [TWO, ONE]])
def test_what_is_missing_or_another_is_a_fault(cuts: Any, kept: list[dict[str, str]]) -> None:
    (fault,) = cut_short(cuts, kept).faults
    assert fault.startswith("after cut 1: game 1: 2 shown, ")


def test_a_store_that_complains_is_a_fault(cuts: Any) -> None:
    tally = cuts.Tally()
    tally.compare({}, "set aside", "")
    assert tally.faults == ["after cut 0: the store says set aside "]


def test_where_there_is_no_kvm_everything_is_emulated(
    cuts: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = sys.modules["machine"]
    monkeypatch.setattr(machine.os, "access", lambda *_: False)
    assert machine.find_accel(tmp_path) is machine.Accel.TCG
    monkeypatch.setattr(machine.os, "access", lambda *_: True)
    monkeypatch.setattr(machine, "carries", lambda accel, _: accel is machine.Accel.KVM)
    assert machine.find_accel(tmp_path) is machine.Accel.KVM
    monkeypatch.setattr(machine, "carries", lambda *_: False)
    assert machine.find_accel(tmp_path) is machine.Accel.TCG


@pytest.mark.parametrize("script", sorted(BENCH.rglob("*.py")), ids=lambda path: path.stem)
def test_what_the_bench_imports_of_ours_is_there(script: Path) -> None:
    """Its scripts run in another machine, where no type checker has been before them."""
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            module = import_module(str(node.module))
            for name in node.names:
                is_module = find_spec(f"{node.module}.{name.name}") if _is_package(module) else None
                assert is_module or hasattr(module, name.name), f"no {node.module}.{name.name}"


def _is_package(module: ModuleType) -> bool:
    return hasattr(module, "__path__")

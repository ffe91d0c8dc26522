"""`spark bench apply` measures what it says, and a slow apply or checkpoint misses its bar."""

import argparse

import pytest

from spark_tui.bench import apply
from spark_tui.bench.measuring.reporting import Spread, finish
from spark_tui.edits.parser import Parser

FORMATS = ("lines", "search_replace", "apply_patch", "udiff", "whole")


def flags(**more):
    return argparse.Namespace(
        **{"quick": True, "files": 3000, "json": False, "check": True, "plot": None, **more}
    )


@pytest.mark.parametrize("name", FORMATS)
def test_an_answer_of_each_format_has_all_its_hunks(name, monkeypatch):
    monkeypatch.setattr(apply, "HUNKS", 20)
    lines = [f"line {number}" for number in range(1000)]
    parser = Parser(name, {"big.py": lines}.get)
    for _ in (*parser.feed(apply.stream(name, lines)), *parser.finish()):
        pass
    assert not parser.failures
    assert [hunk.old_start for hunk in parser.hunks] == [26 + 50 * number for number in range(20)]


def test_a_small_run_reports_every_format_and_both_bars(monkeypatch):
    monkeypatch.setattr(apply, "HUNKS", 5)
    monkeypatch.setattr(apply, "LINES", 500)
    report = apply.measure(flags())
    assert len(report.rows) == 6
    assert [bar.name for bar in report.bars] == ["parse_and_apply_cpu_seconds", "checkpoint_seconds"]
    assert all(bar.value is not None and bar.value >= 0 for bar in report.bars)


@pytest.mark.parametrize(
    ("parse", "checkpoint", "code"),
    [(0.5, 0.1, 0), (2.5, 0.1, 1), (0.5, 0.4, 1)],
    ids=["fast", "apply", "checkpoint"],
)
def test_a_slowdown_of_either_misses_its_bar(monkeypatch, parse, checkpoint, code):
    monkeypatch.setattr(apply, "_edit", lambda name: apply.ApplyTimes(9.0, 9.0, parse))
    monkeypatch.setattr(apply, "_checkpoints", lambda folder, files, rounds: Spread.of([checkpoint]))
    assert finish(apply.measure(flags()), flags()) == code

"""A crash in a builder costs its reading; the tests, and who sets SPARK_STRICT, see it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from intent.fixed_reader import ranked
from intent.support import PATH, result

from spark_tui.intent.building.building import BUILDERS, Built
from spark_tui.intent.context.crashes import STRICT
from spark_tui.intent.context.reading_in_place import Context

CODE = "def load(path):\n    return open(path)\n"
READINGS = (
    ("swap_parameters", {"function": "load"}, 0.6),
    ("rename", {"symbol": "load", "new": "read"}, 0.3),
)


def _crashes(context: Context) -> Iterator[Built]:
    raise ZeroDivisionError("in a builder")
    yield


def test_a_builder_that_crashes_costs_its_reading(monkeypatch, caplog) -> None:
    monkeypatch.setitem(BUILDERS, "swap_parameters", _crashes)
    monkeypatch.delenv(STRICT)
    with caplog.at_level(logging.DEBUG, "spark.intent"):
        found = ranked({PATH: CODE}, *READINGS)
    assert "def read(path)" in result(found, {PATH: CODE})
    assert "in a builder" in caplog.text and "_crashes" in caplog.text


def test_a_crash_of_the_only_reading_is_no_edit(monkeypatch) -> None:
    monkeypatch.setitem(BUILDERS, "swap_parameters", _crashes)
    monkeypatch.delenv(STRICT)
    assert ranked({PATH: CODE}, READINGS[0]).kind == "write"


def test_the_tests_see_a_crash(monkeypatch) -> None:
    monkeypatch.setitem(BUILDERS, "swap_parameters", _crashes)
    with pytest.raises(ZeroDivisionError):
        ranked({PATH: CODE}, *READINGS)

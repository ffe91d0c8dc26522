"""A crash in a builder costs its reading; the tests, and who sets SPARK_STRICT, see it."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
from intent.fixed_reader import ranked
from intent.support import PATH, result

from spark_tui.intent.building.building import BUILDERS, Built
from spark_tui.intent.context import crashes
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
    monkeypatch.setattr(crashes, "_LOGGED", set())
    for _ in range(2):
        found = ranked({PATH: CODE}, *READINGS)
        assert "def read(path)" in result(found, {PATH: CODE})
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "in a builder" in caplog.text and "_crashes" in caplog.text


def test_a_crash_is_not_printed_on_the_screen() -> None:
    code = "from spark_tui.intent.context import crashes; crashes._LOG.warning('x')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (told.stdout, told.stderr) == (b"", b"")


def test_a_crash_of_the_only_reading_is_no_edit(monkeypatch) -> None:
    monkeypatch.setitem(BUILDERS, "swap_parameters", _crashes)
    monkeypatch.delenv(STRICT)
    assert ranked({PATH: CODE}, READINGS[0]).kind == "write"


def test_the_tests_see_a_crash(monkeypatch) -> None:
    monkeypatch.setitem(BUILDERS, "swap_parameters", _crashes)
    with pytest.raises(ZeroDivisionError):
        ranked({PATH: CODE}, *READINGS)

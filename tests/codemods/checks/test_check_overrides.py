"""Methods that no longer take the calls of the one that they override."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

from spark_tui.codemods.plan import Finding

BASE = """class Exporter:
    def __init__(self, target):
        self.target = target

    def write(self, rows, header=True):
        return rows

    @staticmethod
    def quoted(text):
        return text
"""
OTHER = """from out.base import Exporter


class Csv(Exporter):
    def __init__(self):
        super().__init__("csv")

    def write(self, rows, header=True):
        return list(rows)

    @staticmethod
    def quoted(text):
        return repr(text)


class Loud(Csv):
    def write(self, rows, **options):
        return super().write(rows)


class Odd(Exporter):
    def write(self, table):
        return table
"""
FILES = {"out/__init__.py": "", "out/base.py": BASE, "out/other.py": OTHER}


def found(path: str, old: str, new: str) -> list[Finding]:
    text = FILES[path]
    assert old in text
    return findings("overrides", FILES, {path: text.replace(old, new, 1)})


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("self, rows, header=True, footer=None", "has no parameter 'footer'"),
        ("self, rows, header=True, *, footer=None", "has no parameter 'footer'"),
        ("self, lines, header=True", "calls 'lines' 'rows'"),
        ("self", "needs 'rows'"),
    ],
)
def test_a_changed_method_names_the_one_that_overrides_it(new: str, reason: str) -> None:
    harm = found("out/base.py", "self, rows, header=True", new)
    said = [item.reason for item in harm if item.reason.startswith("Csv.write")]
    assert said == [f"Csv.write overrides Exporter.write, but {reason}"]
    assert {(item.path, item.sure) for item in harm} == {("out/other.py", False)}


def test_a_changed_override_is_told_apart_from_what_it_overrides() -> None:
    (harm,) = found("out/other.py", "self, rows, header=True", "self, rows, header=True, limit=None, *, to")
    assert (harm.line, harm.reason) == (8, "Csv.write overrides Exporter.write, but needs 'to'")


def test_a_static_method_has_no_first_parameter_to_fill() -> None:
    (harm,) = found("out/base.py", "quoted(text)", "quoted(text, by)")
    assert harm.reason == "Csv.quoted overrides Exporter.quoted, but has no parameter 'by'"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("out/base.py", "self, target", "self, target, mode"),  # constructors are called by their class
        ("out/base.py", "return rows", "return [*rows]"),
        ("out/other.py", "self, rows, header=True", "self, rows, header=True, limit=None"),
        ("out/other.py", "self, rows, header=True", "self, *args, **options"),
        ("out/other.py", "self, table", "self, table, *more"),  # it fitted no better before
    ],
)
def test_what_takes_the_same_calls_is_no_harm(path: str, old: str, new: str) -> None:
    assert found(path, old, new) == []

"""Values as people say them, as Python writes them."""

from __future__ import annotations

import pytest

from spark_tui.refactor.literals import in_unit, literal, values


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("thirty", "30"),
        ("twenty-five", "25"),
        ("five hundred", "500"),
        ("two hundred and fifty", "250"),
        ("a dozen", "12"),
        ("minus one", "-1"),
        ("-1", "-1"),
        ("10k", "10000"),
        ("1,000", "1000"),
        ("10_000", "10_000"),
        ("0x1F", "0x1F"),
        ("1e-3", "1e-3"),
        ("an empty list", "[]"),
        ("empty dict", "{}"),
        ("an empty string", '""'),
        ("nothing", "None"),
        ("null", "None"),
        ("true", "True"),
        ("off", "False"),
        ("`'a'`", "'a'"),
        ('"json"', '"json"'),
        ("[1, 2]", "[1, 2]"),
    ],
)
def test_a_value_is_written_as_python_has_it(said: str, written: str) -> None:
    assert literal(said) == written


@pytest.mark.parametrize("said", ["timeout", "the port", "a list of names", "foo()", "x + 1"])
def test_what_is_no_value_is_none(said: str) -> None:
    assert literal(said) is None


def test_every_value_of_a_text_is_found_where_it_is_said() -> None:
    text = 'use 30 seconds instead of `5` for "x 1" in v2, not twenty and not an empty list'
    found = values(text)
    assert [(one.source, one.unit) for one in found] == [
        ("30", "seconds"), ("5", ""), ('"x 1"', ""), ("20", ""), ("[]", ""),
    ]  # fmt: skip
    assert text[found[0].start : found[0].end] == "30 seconds"


def test_what_belongs_to_a_name_is_no_number() -> None:
    assert [one.source for one in values("sha-8 and md5 and x.3 and a_1 or line #4")] == []


@pytest.mark.parametrize(
    ("said", "unit", "written"),
    [
        ("half a minute", "s", "30"),
        ("2 seconds", "ms", "2000"),
        ("20 mb", "kb", "20480"),
        ("an hour and a half", "min", "90"),
    ],
)
def test_a_measure_is_told_in_another_unit(said: str, unit: str, written: str) -> None:
    assert in_unit(values(said)[0], unit) == written


def test_an_encoding_is_a_text() -> None:
    assert [one.source for one in values("decode as utf8, not latin-1")] == ['"utf-8"', '"latin-1"']


def test_other_measures_are_not_mixed() -> None:
    assert in_unit(values("2 seconds")[0], "mb") is None

"""Which strings, loops and tuples get a newer form: those that are named, all of them, or the nearest."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

STRINGS = 'A = "\\\\d"\n\n\ndef f(x):\n    return x.split("\\\\w", sep="\\\\s")\n'
TUPLES = 'from collections import namedtuple\n\nP = namedtuple("P", "x")\nQ = namedtuple("Q", "y")\n'


@pytest.mark.parametrize(
    ("text", "slots", "raw"),
    [
        ("make A a raw string", {"variable": "A"}, "d"),
        ("raw strings in f please", {"function": "f"}, "ws"),
        ("raw string for sep", {"variable": "sep"}, "s"),
    ],
)
def test_the_strings_that_are_named_are_raw_then(text: str, slots: dict[str, str], raw: str) -> None:
    wanted = STRINGS
    for sign in raw:
        wanted = wanted.replace(f'"\\\\{sign}"', f'r"\\{sign}"')
    assert changed(STRINGS, text, "to_raw_string", **slots) == wanted


def test_each_string_is_a_choice_where_none_is_named() -> None:
    assert len(answer_to(STRINGS, "make it a raw string", "to_raw_string").ways) == 3


def test_of_several_namedtuples_one_is_meant() -> None:
    assert len(answer_to(TUPLES, "use NamedTuple", "to_typed_tuple").ways) == 2
    done = changed(TUPLES, "Q as a NamedTuple", "to_typed_tuple", symbol="Q")
    assert "class Q(NamedTuple):\n    y: Any\n" in done and 'P = namedtuple("P", "x")' in done


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("use raw strings for the patterns", "to_raw_string"),
        ("write the namedtuple as a NamedTuple", "to_typed_tuple"),
        ("for and range in place of the while", "pattern.for_range"),
    ],
)
def test_what_is_nowhere_is_said(text: str, intent: str) -> None:
    assert answer_to("x = 1\n", text, intent).kind == "nothing"


def test_a_loop_that_is_there_and_does_not_fit_is_no_reason_to_do_nothing() -> None:
    code = "def f(rows, i):\n    while i < len(rows):\n        print(rows[i])\n        i += 1\n"
    found = answer_to(code, "make f a for loop over range", "pattern.for_range", function="f")
    assert found.kind == "write" and "no `while` loop there counts from" in found.reason


@pytest.mark.parametrize(
    "text", ["triple double quotes for docstrings", "docstrings with \"\"\" instead of '''"]
)
def test_docstrings_get_three_double_quotes(text: str) -> None:
    code = "def f(x):\n    '''Say \"it\" now.'''\n    return '''x'''\n"
    done = changed(code, text, "set_quotes", quote=text[:6])
    assert done == code.replace("'''Say \"it\" now.'''", '"""Say "it" now."""')


def test_a_docstring_that_three_double_quotes_would_end_keeps_its_own() -> None:
    code = "def f(x):\n    '''Say \"it\"'''\n"
    assert (
        answer_to(code, "triple double quotes for docstrings", "set_quotes", quote="triple").kind == "nothing"
    )


@pytest.mark.parametrize("quote", ["double", "single"])
def test_triple_quotes_that_are_left_alone_are_not_the_wanted_ones(quote: str) -> None:
    code = "def f():\n    '''Doc.'''\n    return 'a', \"b\"\n"
    done = changed(code, f"{quote} quotes, leave triple-quoted strings alone", "set_quotes", quote=quote)
    sign = '"' if quote == "double" else "'"
    assert done == code.replace("'a', \"b\"", f"{sign}a{sign}, {sign}b{sign}")

"""What a message takes away, or turns, where the code has no such thing or has it the other way round."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

_TRY = "def f(x):\n    try:\n        x()\n"
_TWO = _TRY + "".join(f"    except {one}:\n        return 1\n" for one in ("KeyError", "OSError"))


@pytest.mark.parametrize("text", ["remove the except ValueError in f", "f: don't catch ValueError"])
def test_a_handler_that_is_not_there_takes_no_try_away(text: str) -> None:
    found = answer_to(_TWO, text, "unwrap_try", function="f", exception="ValueError")
    assert not found.ways and found.kind == "nothing"
    wide = answer_to(
        _TWO.replace("OSError", "Exception"), text, "unwrap_try", function="f", exception="ValueError"
    )
    assert not wide.ways and wide.kind != "nothing"


@pytest.mark.parametrize(
    "text", ["drop the third except in f", "remove all except blocks in f but the first"]
)
def test_handlers_that_are_not_one_of_these_take_no_try_away(text: str) -> None:
    assert not answer_to(_TWO, text, "unwrap_try", function="f").ways


_OPTION = 'p.add_argument("--out", help="where", required=False)\n'


@pytest.mark.parametrize(
    "text",
    ["remove the required from --out", "--out should no longer be required", "make --out not mandatory"],
)
def test_an_option_that_is_no_longer_required_never_is(text: str) -> None:
    assert changed(_OPTION, text, "set_option", name="--out") == _OPTION.replace(", required=False", "")
    bare = answer_to('p.add_argument("--out")\n', text, "set_option", name="--out")
    assert not bare.ways and bare.kind == "nothing"


def test_an_option_may_be_made_required_where_its_default_goes() -> None:
    code = 'p.add_argument("--out", default=1, required=False)\n'
    done = changed(code, "make --out required and drop the default", "set_option", name="--out")
    assert done == 'p.add_argument("--out", required=True)\n'


@pytest.mark.parametrize("text", ["remove the option --out with its help", "drop --out including the help"])
def test_what_goes_with_an_option_is_no_part_that_goes_alone(text: str) -> None:
    assert changed(f"x = 1\n{_OPTION}", text, "remove_option", name="--out") == "x = 1\n"


UP = "def f(items):\n    return sorted(items)\n"


@pytest.mark.parametrize(
    ("text", "down"),
    [
        ("the list in f is sorted descending but should be ascending", False),
        ("the list in f is sorted ascending but should be descending", True),
        ("sort it in f descending instead of ascending please", True),
        ("f: sort it ascending, not descending", False),
        ("it comes out of f ascending, I want it descending instead", True),
    ],
)
@pytest.mark.parametrize("intent", ["sort_by", "reverse_loop"])
def test_of_both_directions_that_are_said_the_wished_one_counts(text: str, down: bool, intent: str) -> None:
    turned = UP.replace("(items)\n", "(items, reverse=True)\n")
    found = answer_to(UP, text, intent, function="f")
    if not down:
        assert not found.ways
        return
    assert changed(UP, text, intent, function="f") == turned


def test_calls_inside_of_each_other_are_all_exchanged() -> None:
    code = "def f(a):\n    return a\n\n\ndef g(x):\n    return f(f(x))\n"
    done = changed(code, "replace f with abs in g", "replace_call", old="f", new="abs", function="g")
    assert done == code.replace("f(f(x))", "abs(abs(x))")

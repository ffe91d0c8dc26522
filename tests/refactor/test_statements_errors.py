"""What Python complains of is mended where it says so, and the other branch comes and goes."""

from __future__ import annotations

import pytest
from shop import edit, plain

from spark_tui.refactor.known import LOOSE


@pytest.mark.parametrize(
    ("broken", "say", "mended"),
    [
        ("def f(x)\n    return x\n", "missing colon", "def f(x):\n    return x\n"),
        ("def f(x)\n    return x\n", "SyntaxError: expected ':' in f", "def f(x):\n    return x\n"),
        ("def f(x):\n    return g(x\n", "the parenthesis was never closed, fix it", "def f(x):\n    return g(x)\n"),
        ("x = [1, 2\ny = 3\n", "SyntaxError: '[' was never closed", "x = [1, 2]\ny = 3\n"),
        ("print('hi)\n", "SyntaxError: unterminated string literal (detected at line 1)", "print('hi')\n"),
        ("if x = 3:\n    y = 1\n", "fix the syntax error", "if x == 3:\n    y = 1\n"),
        (
            "def f(x):\nreturn x\n",
            "IndentationError: expected an indented block after function definition on line 1",
            "def f(x):\n    return x\n",
        ),
        ("f(x))\n", "SyntaxError: unmatched ')'", "f(x)\n"),
    ],
)
def test_what_did_not_parse_does(broken: str, say: str, mended: str) -> None:
    assert edit(say, broken)[1][:1] == [mended]


@pytest.mark.parametrize(
    "say",
    [
        "NameError: name 'totl' is not defined. Did you mean: 'total'?",
        "I get NameError: name 'totl' is not defined",
        "there is a typo: totl",
        "fix the typo totl",
        "totl is a typo",
        "undefined name `totl`",
    ],
)
def test_a_name_that_was_typed_wrong(say: str) -> None:
    assert plain(say, "def f(total):\n    return totl + 1\n") == [(2, 1, "    return total + 1")]


@pytest.mark.parametrize(
    "say",
    [
        "NameError: name 'config' is not defined",
        "fix the typo in the message",
        "NameError: name 'totl' is not defined, and rename f to g",
    ],
)
def test_a_name_without_a_likely_one_stays(say: str) -> None:
    assert plain(say, "def f(total):\n    return totl + config\n") == []


ELSE = "def f(x):\n    if x:\n        return 1\n    else:\n        y = '''\n  a'''\n        return y\n"


@pytest.mark.parametrize(
    "say",
    [
        "drop the else",
        "the else is not needed",
        "unnest the else in f",
        "no-else-return",
        "the else can go, less nesting",
    ],
)
def test_an_else_behind_a_return(say: str) -> None:
    assert edit(say, ELSE)[1] == ["def f(x):\n    if x:\n        return 1\n    y = '''\n  a'''\n    return y\n"]


IF = "def f(x):\n    if x > 3:\n        y = 1\n    return y\n"


@pytest.mark.parametrize(
    "say",
    [
        "add an else that sets y to 0",
        "else y = 0",
        "otherwise set y to 0",
        "y = 0 unless `x > 3`",
        "give the if an else: y = 0",
        "add an else to the `x > 3` check: `y = 0`",
    ],
)
def test_another_branch(say: str) -> None:
    assert edit(say, IF)[1] == [IF.replace("    return", "    else:\n        y = 0\n    return")]


def test_which_if_is_open() -> None:
    assert edit("otherwise print('no')", IF + IF.replace("f(", "g("))[0] == LOOSE


def test_an_if_that_goes_on_has_no_needless_else() -> None:
    assert plain("remove the needless else", IF.replace("    return", "    else:\n        y = 0\n    return")) == []

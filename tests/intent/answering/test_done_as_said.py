"""What a message shows or names is done as it says, and nothing like it in its place without a mark."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

_reader = lru_cache(maxsize=1)(Reader.load)


UTIL = "def load_rows(path):\n    if path:\n        return path\n    else:\n        return None\n"


def asked(text: str, code: str) -> tuple[Answer, list[str | None]]:
    files = {"app.py": code, "util.py": UTIL}
    where = situation(files, path="app.py", instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, ("app.py",)))
    return found, [way.plan.texts(where.repo).get("app.py") for way in found.ways]


def marks(found: Answer) -> str:
    return str([way.marked for way in found.ways])


PICK = 'def pick(xs, key=None):\n    return max(xs, key=key)\n\n\ndef lab(x):\n    return ["len"]\n'
TOTAL = 'def total(xs, op=None):\n    print("sum")\n    return list(map(op, xs))\n'
STYLE = 'def draw(x, style="plain"):\n    print("ascii")\n    return x if style == "plain" else x * 2\n'


def test_a_function_of_python_is_a_text_only_where_the_parameter_is_one() -> None:
    assert asked("set the default of key in pick to len", PICK)[1] == [PICK.replace("key=None", "key=len")]
    found, texts = asked("set the default of op to sum", TOTAL)
    assert texts == [TOTAL.replace("op=None", "op=sum")] and "assumed to be the function" in marks(found)
    assert asked("default style should be ascii", STYLE)[1] == [STYLE.replace('="plain"', '="ascii"')]


def test_a_word_that_replaces_a_text_may_replace_all_of_it() -> None:
    code = 'def gone(x):\n    raise ValueError("The user is gone")\n'
    found, texts = asked('change "The user" to "Users" in the error', code)
    assert code.replace("The user", "Users") in texts
    assert all(way.marked for way in found.ways)


def test_a_function_with_the_name_of_a_count_is_not_counted() -> None:
    code = "def first():\n    pass\n\n\ndef main():\n    first()\n    first()\n    first()\n    return 1\n"
    assert asked("delete the calls to first()", code)[1] == [code.replace("    first()\n", "")]


def test_of_calls_whose_values_are_used_none_goes_for_the_last() -> None:
    code = "def show(a, b):\n    x = str(a)\n    y = str(b)\n    z = str(a + b)\n    return x, y, z\n"
    assert not asked("drop the last str call", code)[1]


@pytest.mark.parametrize(
    ("test", "text", "new"),
    [
        (
            'not x.startswith("a") and not x.startswith("b") and (c or d)',
            "merge the two startswith checks",
            'not x.startswith(("a", "b")) and (c or d)',
        ),
        (
            "isinstance(x, int) or isinstance(x, str) or (c if d else x)",
            "combine the isinstance checks into one",
            "isinstance(x, (int, str)) or (c if d else x)",
        ),
        (
            "(\n        x.exists()\n        and not c\n    )",
            "remove the exists check",
            "(\n        not c\n    )",
        ),
    ],
)
def test_what_stands_beside_a_joined_test_keeps_its_meaning(test: str, text: str, new: str) -> None:
    code = f"def f(x, c, d):\n    if {test}:\n        raise ValueError(x)\n    return d\n"
    assert asked(text, code)[1] == [code.replace(test, new)]


def test_a_call_of_its_own_result_is_written_where_it_is_shown() -> None:
    code = "import os\n\nhere = os.path.dirname(__file__)\n"
    twice = "os.path.dirname(os.path.dirname(__file__))"
    _, texts = asked(f"replace os.path.dirname(__file__) with {twice}", code)
    assert texts == [code.replace("os.path.dirname(__file__)", twice)]


@pytest.mark.parametrize("text", ["change 5 to 6", "use 6 instead of 5", "make the 5 a 6"])
def test_words_of_a_comment_are_no_names_that_a_number_stands_beside(text: str) -> None:
    code = "import time\n\n# use this to change the timeout; make it so\ntime.sleep(5)\n"
    found, texts = asked(text, code)
    assert texts[0] == code.replace("(5)", "(6)")
    assert "not used" not in marks(found)


def test_another_file_than_is_named_has_a_mark() -> None:
    text, code = "remove the else branch in load_rows", "def show(x):\n    return x\n"
    assert [way.plan.paths for way in asked(text, code)[0].ways] == [("util.py",)]
    assert "not used: app.py" in marks(asked(f"in app.py {text}", code)[0])


def test_the_branch_of_a_value_is_not_that_of_all_others() -> None:
    code = 'def f(kind):\n    if kind != "a":\n        raise ValueError(kind)\n    return 1\n'
    assert not any("raise" not in (text or "") for text in asked('remove the "a" branch', code)[1])

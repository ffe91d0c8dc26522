# ruff: noqa: E501 - cases read better unbroken
"""Comments, quotes and tests as they are ordered."""

from __future__ import annotations

import pytest

from spark_tui.refactor import docs
from spark_tui.refactor.known import PLAIN, known

CODE = """import time


def wait(seconds, name='x'):
    if seconds < 0:
        return None
    time.sleep(seconds)
    return seconds


def area(radius):
    # rough
    return 3.14 * radius ** 2
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of an order is theirs to test."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", docs.RULES)


def made(instruction: str, code: str = CODE) -> list[tuple[str, int]]:
    lines = code.split("\n")[:-1]
    out = []
    for one in known(lines, instruction):
        text = list(lines)
        for hunk in reversed(one.hunks):
            text[hunk.first : hunk.last] = hunk.new
        out.append(("\n".join(text) + "\n", one.plain))
    return out


def plainly(instruction: str, code: str = CODE) -> str:
    found = made(instruction, code)
    assert len(found) == 1 and found[0][1] == PLAIN, (instruction, found)
    return found[0][0]


@pytest.mark.parametrize(
    "instruction",
    [
        "add a comment 'be patient' above time.sleep(seconds)",
        "comment line 7 with 'be patient'",
        'put the comment "be patient" before line 7',
        "add `# be patient` above `time.sleep(seconds)`",
        "line 7 needs a comment: be patient",
        "add a comment above line 7 saying be patient",
        "explain `time.sleep(seconds)` with the comment 'be patient'",
    ],
)
def test_a_comment_stands_above_its_line(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("    time.sleep", "    # be patient\n    time.sleep")


def test_a_comment_above_a_function_or_a_statement_of_a_kind() -> None:
    assert plainly("add the comment 'circle' above area") == CODE.replace("def area", "# circle\ndef area")
    assert plainly("add a todo above the last return in wait: 'return more'") == CODE.replace(
        "    return seconds", "    # TODO: return more\n    return seconds"
    )


def test_a_comment_at_the_end_or_below() -> None:
    assert plainly("add the comment 'be patient' at the end of line 7") == CODE.replace(
        "sleep(seconds)", "sleep(seconds)  # be patient"
    )
    assert plainly("put the comment 'too short' below `if seconds < 0:`") == CODE.replace(
        "< 0:\n", "< 0:\n        # too short\n"
    )


def test_a_place_is_told_in_words() -> None:
    above = CODE.replace("    time.sleep", "    # TODO: handle errors\n    time.sleep")
    assert plainly("add a todo to handle errors above the sleep call") == above
    assert plainly("comment the time.sleep line with 'TODO: handle errors'") == above
    assert plainly("add # noqa to line 1") == CODE.replace("import time", "import time  # noqa")
    assert plainly("put a todo in area: use pi") == CODE.replace("    # rough", "    # rough\n    # TODO: use pi")


def test_a_comment_gets_another_text() -> None:
    wanted = CODE.replace("# rough", "# about right")
    assert plainly("change the comment in area to 'about right'") == wanted
    assert plainly("change the comment 'rough' to 'about right'") == wanted


@pytest.mark.parametrize(
    "instruction",
    ["double quotes for 'x'", "use double quotes everywhere", "double quotes instead of single quotes", "double quotes on line 4 please"],
)  # fmt: skip
def test_quotes_are_turned(instruction: str) -> None:
    assert plainly(instruction) == CODE.replace("'x'", '"x"')


def test_quotes_of_one_variable_are_turned() -> None:
    code = "names = ['a', 'b']\nother = 'c'\n"
    assert plainly("names should use double quotes", code) == 'names = ["a", "b"]\nother = \'c\'\n'


def test_quotes_stay_where_turning_them_would_change_the_text() -> None:
    code = "a = 'say \"x\"'\nb = 'it\\'s'\nc = '''d'''\ne = f'{a}'\n"
    assert plainly("use double quotes everywhere", code) == code.replace("f'{a}'", 'f"{a}"')


@pytest.mark.parametrize(
    "instruction",
    [
        "add a test that area(1) == 3.14",
        "write a pytest test: `area(1)` should be 3.14",
        "test that area(1) returns 3.14",
        "area is untested, add a test: area(1) gives 3.14",
    ],
)
def test_a_test_asserts_what_a_call_gives(instruction: str) -> None:
    assert plainly(instruction) == CODE + "\n\ndef test_area():\n    assert area(1) == 3.14\n"


def test_what_goes_in_and_comes_out_is_enough_for_a_test() -> None:
    assert plainly("add a test for area: 1 -> 3.14") == CODE + "\n\ndef test_area():\n    assert area(1) == 3.14\n"


def test_an_example_stands_in_the_docstring() -> None:
    code = 'def slug(text):\n    """Make a slug."""\n    return text.lower()\n'
    wanted = 'def slug(text):\n    """Make a slug.\n\n    >>> slug("A")\n    \'a\'\n    """\n    return text.lower()\n'
    assert plainly('add a doctest to slug: slug("A") gives "a"', code) == wanted
    assert plainly('add an example to the docstring of slug: `slug("B")` -> "b"', wanted) == wanted.replace(
        "    'a'\n", "    'a'\n    >>> slug(\"B\")\n    'b'\n"
    )


def test_a_comment_at_the_top_of_the_file() -> None:
    assert plainly("add a comment at the top of the file: 'slow'") == f"# slow\n{CODE}"
    assert plainly("put '# slow' as the first line") == f"# slow\n{CODE}"


def test_a_test_for_an_error_imports_pytest_where_imports_are_shown() -> None:
    test = "\n\ndef test_wait_raises():\n    with pytest.raises(TypeError):\n        wait('a')\n"
    found = [text for text, _ in made("add a test that wait('a') raises TypeError")]
    assert found == [CODE.replace("import time\n", "import time\n\nimport pytest\n") + test, CODE + test]


@pytest.mark.parametrize(
    "instruction",
    [
        "comment line 70 with 'x'",
        "add a comment",
        "remove the comment in area",
        "add a comment field to the form on line 7",
        "use single quotes for 'x'",
        "double the quotes limit",
        "return a single string",
        "explain why area is wrong",
        "test that nothing(1) is 2",
        "add tests",
        "TODO: why is wait so slow on line 7?",
    ],
)
def test_what_is_there_or_is_not_meant_is_left(instruction: str) -> None:
    from spark_tui.refactor.order import Order
    from spark_tui.refactor.source import Source

    order = Order(Source(CODE.split("\n")[:-1]), instruction)
    edits = [edit for rule in docs.RULES if rule.trigger.search(order.said) for edit in rule.make(order)]
    assert not [edit for edit in edits if edit.text != CODE and not order.left_over(edit)]

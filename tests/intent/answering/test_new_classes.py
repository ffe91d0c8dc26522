"""Messages that ask for a class and show what it derives from."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation
from support.long_texts import ENDLESS

from spark_tui.intent.answering.answer import Answer
from spark_tui.intent.answering.new_classes import new_class_answer
from spark_tui.intent.context.situation import Done

ERRORS = '''class ShopError(Exception):
    """Base."""


class Empty(ShopError):
    """Nothing in it."""


class Full(ShopError, ValueError):
    """No room."""


def check(cart):
    return cart
'''


def told(text: str, files: dict[str, str] | None = None, **more: Done) -> Answer | None:
    return new_class_answer(situation(files or {PATH: ERRORS}, instruction=text, **more))


@pytest.mark.parametrize(
    ("text", "head", "body"),
    [
        ("new exception Late(ShopError), docstring 'Too late.'", "Late(ShopError)", '"""Too late."""'),
        (
            "add an exception Late derived from ShopError and ValueError",
            "Late(ShopError, ValueError)",
            "pass",
        ),
        ("Please create a class Late that inherits from `ShopError`.", "Late(ShopError)", "pass"),
        ("füge eine neue Ausnahme Late(ShopError) hinzu", "Late(ShopError)", "pass"),
        ("ajoute une exception Late, qui hérite de ShopError", "Late(ShopError)", "pass"),
        ("nueva excepción Late(ValueError)", "Late(ValueError)", "pass"),
        ("新增异常类 Late，继承自 ShopError", "Late(ShopError)", "pass"),
        (
            "add a class Late(ShopError) with the docstring \"Says 'no'.\"",
            "Late(ShopError)",
            '"""Says \'no\'."""',
        ),
    ],
)
def test_a_class_stands_below_those_like_it(text: str, head: str, body: str) -> None:
    answer = told(text)
    assert answer is not None and not answer.ways[0].marked
    new = f'    """No room."""\n\n\nclass {head}:\n    {body}\n\n\ndef check'
    assert result(answer, {PATH: ERRORS}) == ERRORS.replace('    """No room."""\n\n\ndef check', new)


def test_an_exception_without_a_base_gets_that_of_the_others() -> None:
    answer = told("add an exception Late")
    assert answer is not None and any("ShopError was assumed" in mark for mark in answer.ways[0].marked)
    assert "class Late(ShopError):\n    pass\n" in result(answer, {PATH: ERRORS})
    files = {PATH: "LIMIT = 3\n\n\ndef check(cart):\n    return cart\n"}
    answer = told("add an exception Late", files)
    assert answer is not None and not answer.ways[0].marked
    assert "LIMIT = 3\n\n\nclass Late(Exception):\n    pass\n\n\ndef check" in result(answer, files)


def test_a_class_stands_beside_its_base() -> None:
    files = {
        PATH: "from errors import ShopError\n\n\ndef check():\n    raise ShopError\n",
        "errors.py": ERRORS,
    }
    answer = told("add an exception Late(ShopError)", files)
    assert answer is not None and any("beside ShopError" in mark for mark in answer.ways[0].marked)
    assert "class Late(ShopError):" in result(answer, files, "errors.py")


def test_a_file_without_statements_is_one_too() -> None:
    for text in ("", "# Errors.\n"):
        files = {PATH: text, "other.py": "import os\n"}
        answer = told("add an exception Late", files)
        assert answer is not None
        assert result(answer, files) == f"{text}class Late(Exception):\n    pass\n"


def test_a_class_of_that_name_elsewhere_is_a_mark() -> None:
    answer = told(
        "add an exception Late", {PATH: "LIMIT = 3\n", "other.py": "class Late(Exception):\n    pass\n"}
    )
    assert answer is not None and "other.py has a Late already" in answer.ways[0].marked


def test_what_is_there_or_unknown_is_said() -> None:
    there, unknown = told("new exception Empty(ShopError)"), told("new exception Late(Missing)")
    assert there is not None and there.kind == "nothing"
    assert unknown is not None and unknown.kind == "cannot" and "Missing" in unknown.reason


@pytest.mark.parametrize(
    "text",
    [
        "exception Late",
        "add exception ValueError",
        "add a class Cart",
        "add a class Cart that holds the items",
        "new exception Late(ShopError) in check when the cart is empty",
        "raise a new exception Late",
    ],
)
def test_other_messages_are_read(text: str) -> None:
    assert told(text) is None


def test_after_an_edit_a_name_alone_is_about_that() -> None:
    done = Done("add_guard", {}, ())
    assert told("an own exception Late", earlier=done) is None
    assert told("add an exception Late(ShopError)", earlier=done) is not None


@pytest.mark.parametrize("said", ["new exception A(|a,|)", "new class A, docstring '|'|", "| |"])
def test_long_messages_are_looked_at_once(said: str) -> None:
    begin, piece, end = said.split("|")
    assert told(begin + piece * (ENDLESS // len(piece)) + end) is None

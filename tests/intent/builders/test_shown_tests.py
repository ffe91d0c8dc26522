"""Tests that are asked for with the call that they make and what it gives."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH

from spark_tui.intent.answering.answer import Answer
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """from datetime import date


class Loan:
    def __init__(self, title, since):
        self.title = title
        self.since = since

    def days(self, today):
        return (today - self.since).days

    def label(self):
        return self.title


def name_of(code):
    return {"de": "Germany"}.get(code)


async def load(path):
    return path
"""


def _tests(files: dict[str, str], answer: Answer) -> str:
    repo = Repository(DictTree(files))
    texts = answer.ways[0].plan.texts(repo) if answer.ways else {}
    return next((text or "" for path, text in texts.items() if "test_" in path), "")


def test_a_method_is_tested_on_the_object_that_is_shown_with_the_imports_that_this_needs() -> None:
    said = 'a test: Loan("a", date(2024, 1, 1)).days(date(2024, 1, 3)) is 2'
    shown = 'Loan("a", date(2024, 1, 1)).days(date(2024, 1, 3))'
    made = _tests({PATH: CODE}, answer_to(CODE, said, "add_test", call=shown, result="2"))
    assert made.endswith(f"def test_loan_days():\n    assert {shown} == 2\n")
    assert "from datetime import date\n\nfrom " in made and "import Loan\n" in made


@pytest.mark.parametrize(
    ("said", "slots", "line"),
    [
        ('name_of("x") is none, test it', {"call": 'name_of("x")', "result": "none"}, 'name_of("x") is None'),
        ('a test of load("x"): "x"', {"call": 'load("x")'}, 'asyncio.run(load("x")) == "x"'),
    ],
)
def test_what_a_call_gives_is_read_from_words(said: str, slots: dict[str, str], line: str) -> None:
    function = "load" if "load" in said else "name_of"
    made = _tests({PATH: CODE}, answer_to(CODE, said, "add_test", function=function, **slots))
    assert made.endswith(f"    assert {line}\n")


def test_a_call_without_a_result_is_made_as_it_is_shown() -> None:
    said = 'test for name_of("fr")'
    answer = answer_to(CODE, said, "add_test", function="name_of", call='name_of("fr")')
    assert 'result = name_of("fr")\n    assert result is not None\n' in _tests({PATH: CODE}, answer)


def test_what_a_call_raises_is_left_to_be_filled_in() -> None:
    said = 'name_of("") raises; a test for that'
    answer = answer_to(CODE, said, "add_test", function="name_of", call='name_of("")', result="raises")
    assert answer.ways[0].marked


def test_a_further_case_is_tested_beside_the_first_and_only_once() -> None:
    module = PATH.removesuffix(".py").replace("/", ".")
    there = f"from {module} import name_of\n\n\ndef test_name_of():\n    assert name_of('fr') is None\n"
    path = f"tests/test_{PATH.rpartition('/')[2]}"
    files = {PATH: CODE, path: there}
    said = 'a test that name_of("de") is "Germany"'
    slots = {"function": "name_of", "call": 'name_of("de")', "result": '"Germany"'}
    answer = answer_to(files, said, "add_test", **slots)
    made = _tests(files, answer)
    assert made.endswith('def test_name_of_2():\n    assert name_of("de") == "Germany"\n')
    assert answer_to({PATH: CODE, path: made}, said, "add_test", **slots).kind == "nothing"


def test_a_test_without_an_example_is_left_to_be_filled_in() -> None:
    answer = answer_to(CODE, "add a test for load", "add_test", function="load")
    assert answer.ways[0].marked and "def test_load()" in _tests({PATH: CODE}, answer)


@pytest.mark.parametrize(
    ("said", "kind"),
    [("a test for name_of", "nothing"), ("a test that name_of knows the name of France", "write")],
)
def test_a_test_of_that_name_shows_nothing_that_is_said_besides(said: str, kind: str) -> None:
    module = PATH.removesuffix(".py").replace("/", ".")
    there = f"from {module} import name_of\n\n\ndef test_name_of():\n    assert name_of('x') is None\n"
    files = {PATH: CODE, f"tests/test_{PATH.rpartition('/')[2]}": there}
    assert answer_to(files, said, "add_test", function="name_of").kind == kind


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("test that name_of(3) raises TypeError", "    with pytest.raises(TypeError):\n        name_of(3)\n"),
        (
            "a test: name_of() should fail with a `KeyError`",
            "    with pytest.raises(KeyError):\n        name_of()\n",
        ),
        ("load() raises Overdue, test it", "    with pytest.raises(Overdue):\n        asyncio.run(load())\n"),
    ],
)
def test_an_error_that_a_call_raises_is_expected(said: str, line: str) -> None:
    code = CODE + "\n\nclass Overdue(Exception):\n    pass\n"
    function = "load" if "load" in said else "name_of"
    made = _tests({PATH: code}, answer_to(code, said, "add_test", function=function))
    assert made.endswith(line) and "import pytest\n" in made


def test_a_call_without_arguments_is_tested_where_a_result_is_said() -> None:
    code = "def now():\n    return 3\n"
    made = _tests(
        {PATH: code}, answer_to(code, "test that now() is 3", "add_test", function="now", result="3")
    )
    assert made.endswith("    assert now() == 3\n")

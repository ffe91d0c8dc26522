"""An argument that is to go is one that the function takes, or that its calls pass."""

from __future__ import annotations

import pytest
from intent.support import PATH

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''def load(path):
    """Load path; strict was removed.

    verbose: say more.
    """
    print("verbose", path)
    return open(path)


def main():
    return load("x")
'''


def _answer(code: str, text: str) -> tuple[Answer, str]:
    repo = Repository(DictTree({PATH: code}))
    found = answer(text, Reader.load(), Situation(repo, PATH), MessageRoles().of(text, repo.index, PATH))
    return found, found.ways[0].plan.texts(repo).get(PATH) or "" if found.ways else ""


@pytest.mark.parametrize(
    "text",
    [
        "drop the strict argument of load",
        "remove the verbose parameter of load",
        "load's strict argument can go",
    ],
)
def test_one_that_nothing_takes_or_passes_is_gone_already(text: str) -> None:
    found, _ = _answer(CODE, text)
    assert found.kind == "nothing" and "load has no parameter" in found.reason


def test_the_calls_that_pass_it_are_meant() -> None:
    found, after = _answer(
        CODE.replace('load("x")', 'load("x", strict=True)'), "remove the strict parameter from load"
    )
    assert found.kind == "edit" and after == CODE


def test_an_option_of_a_command_line_is_one_too() -> None:
    code = "def build(parser):\n    parser.add_argument('--strict')\n    return parser\n"
    found, _ = _answer(code, "remove the strict argument of build")
    assert "build has no parameter" not in found.reason


@pytest.mark.parametrize(
    "text",
    [
        "remove the second parameter of load",
        "remove the last parameter of load",
        "entferne den zweiten Parameter von load",
        "supprime le deuxième paramètre de load",
    ],
)
def test_a_number_is_no_name(text: str) -> None:
    code = CODE.replace("load(path)", "load(path, mode=None)")
    found, after = _answer(code, text)
    assert found.kind == "edit" and after == CODE


@pytest.mark.parametrize("word", ["default", "None", "optional", "keyword", "unneeded"])
def test_a_word_that_says_which_is_no_name(word: str) -> None:
    found, _ = _answer(CODE, f"remove the {word} argument of load")
    assert f"no parameter {word}" not in found.reason

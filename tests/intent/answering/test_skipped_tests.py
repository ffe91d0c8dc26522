"""A test that is named is skipped, as a first message says it."""

from __future__ import annotations

import re

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

FILES = {
    PATH: "def load(path):\n    return path\n",
    "tests/test_load.py": "import pytest\n\n\ndef test_x():\n    pass\n\n\ndef test_load():\n    pass\n",
}


def asked(said: str) -> Answer:
    here = situation(FILES, instruction=said)
    return answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))


@pytest.mark.parametrize("said", ["skip test_x", "skip test_x for now", "please skip the test test_x()"])
def test_a_test_of_this_name_is_marked(said: str) -> None:
    after = FILES["tests/test_load.py"].replace("def test_x", "@pytest.mark.skip\ndef test_x")
    assert result(asked(said), FILES, "tests/test_load.py") == after


@pytest.mark.parametrize(
    ("said", "marked"),
    [
        ("skip all tests but test_x", ["test_load", "test_other"]),
        ("please skip everything except test_load", ["test_x", "test_other"]),
        ("skip test_x and test_load", ["test_x", "test_load"]),
        ("skip all tests", ["test_x", "test_load", "test_other"]),
        ("skip all tests but test_x on windows", ["test_load", "test_other"]),
    ],
)
def test_all_tests_are_those_of_the_open_file_without_the_named_ones(said: str, marked: list[str]) -> None:
    code = FILES["tests/test_load.py"] + "\n\nclass TestMore:\n    def test_other(self):\n        pass\n"
    files = {PATH: code}
    here = situation(files, instruction=said)
    after = result(answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,))), files)
    assert re.findall(r"@pytest.mark.skip\n *def (\w+)", after) == marked


@pytest.mark.parametrize(
    "said",
    [
        "skip test_y",
        "don't skip test_x",
        "also in test_x",
        "skip load",
    ],
)
def test_other_messages_mark_none(said: str) -> None:
    assert asked(said).kind in ("cannot", "write")

"""The folder of a file that is written is made first, as messages ask for it."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

SAVE = """\
import json


def load(path):
    return json.load(open(path))


def save(path, rows):
    with open(path, "w") as file:
        json.dump(rows, file)
"""
MADE = "    Path(path).parent.mkdir(parents=True, exist_ok=True)\n    with open(path, "


@pytest.mark.parametrize(
    "said",
    [
        "save should create the folder if it's missing",
        "create the parent folder before saving",
        "in save, make sure the directory exists",
        "save muss den Ordner anlegen, falls er fehlt",
    ],
)
def test_a_folder_is_made_in_front_of_what_is_written(said: str) -> None:
    where = situation({PATH: SAVE}, instruction=said)
    found = answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
    assert MADE in result(found, {PATH: SAVE})
    assert "from pathlib import Path\n" in result(found, {PATH: SAVE})


def test_the_folder_of_a_path_object_is_its_own() -> None:
    code = "def save(target, text):\n    target.write_text(text)\n"
    words = {"function": "save", "code": "create the folder"}
    found = answer_to(code, "in save create the folder", "insert_at_start", **words)
    assert "    target.parent.mkdir(parents=True, exist_ok=True)\n    target.write_text" in result(
        found, {PATH: code}
    )


def test_a_folder_that_is_made_already_is_not_made_again() -> None:
    code = SAVE.replace("    with", "    os.makedirs('out', exist_ok=True)\n    with")
    words = {"function": "save", "code": "create the folder"}
    found = answer_to(code, "in save create the folder", "insert_at_start", **words)
    assert not found.ways and "made already" in found.reason


def test_what_is_only_read_needs_no_folder() -> None:
    words = {"function": "load", "code": "create the folder"}
    assert not answer_to(SAVE, "in load create the folder", "insert_at_start", **words).ways


def test_a_file_in_an_archive_that_is_read_needs_no_folder() -> None:
    code = "def save(archive):\n    return archive.open('a.txt')\n"
    words = {"function": "save", "code": "create the folder"}
    assert not answer_to(code, "in save create the folder", "insert_at_start", **words).ways

"""First messages of a session that only say where else something is to be done."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.context.situation import Done
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

CODE = """\
def load(path):
    return open(path).read()


def save(path, text):
    print("saving")
    open(path, "w").write(text)
"""
NONE = "There is no edit in this session yet that this could be about: say what to change, and where."


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader.load()


def asked(instruction: str, earlier: Done | None = None) -> Answer:
    here = situation({PATH: CODE}, earlier=earlier)
    return answer(instruction, reader(), here, repository_roles(here.repo.index, (PATH,)))


@pytest.mark.parametrize("text", ["also in load", "the same in save", "likewise for load", "auch in save"])
def test_without_an_edit_that_is_said(text: str) -> None:
    assert asked(text).reason == NONE


def test_behind_an_edit_it_is_read_as_before() -> None:
    assert asked("also in load", Done("guard_raise", {}, ())).reason != NONE


@pytest.mark.parametrize(
    "text", ["also return the path in save", "remove the print in save too", "not found in load: return None"]
)
def test_what_says_what_to_do_is_an_order(text: str) -> None:
    assert asked(text).reason != NONE

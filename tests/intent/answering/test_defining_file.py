"""What a message names and the open file does not have is edited where it is defined, with a mark."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

WORDS = """TRUE_WORDS = ["yes", "true"]
TAX_RATES = {"DE": 0.19}
MAX_TRIES = 5


def retries_left(tried):
    return tried < MAX_TRIES
"""
VIEW = "class View:\n    def show(self, items):\n        return list(items)\n"
_reader = lru_cache(maxsize=1)(Reader.load)


def said(text: str, files: dict[str, str], path: str) -> tuple[Answer, list[dict[str, str | None]]]:
    where = situation(files, path=path, instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,)))
    return found, [way.plan.texts(where.repo) for way in found.ways]


@pytest.mark.parametrize("path", ["view.py", ""])
@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('TRUE_WORDS lacks "on"', '"true"]', '"true", "on"]'),
        ("add FR: 0.2 to TAX_RATES", "0.19}", '0.19, "FR": 0.2}'),
    ],
)
def test_it_is_done_in_the_file_that_has_the_name(text: str, old: str, new: str, path: str) -> None:
    found, texts = said(text, {"view.py": VIEW, "words.py": WORDS}, path)
    assert texts == [{"words.py": WORDS.replace(old, new)}]
    if path:
        assert "words.py was assumed to be meant, which has" in str(found.ways[0].marked)


def test_what_is_left_of_several_orders_is_done_there_too() -> None:
    files = {"view.py": VIEW, "words.py": f"import re\n\n{WORDS}"}
    found, texts = said("MAX_TRIES 9, and drop the re import", files, "view.py")
    assert texts == [{"words.py": WORDS.replace("= 5", "= 9")}]
    assert "words.py was assumed to be meant, which has MAX_TRIES" in str(found.ways[0].marked)


def test_it_is_done_there_if_the_open_file_uses_the_name() -> None:
    files = {"view.py": f"from words import TRUE_WORDS\n\n\n{VIEW}", "words.py": WORDS}
    assert list(said('TRUE_WORDS lacks "on"', files, "view.py")[1][0]) == ["words.py"]


@pytest.mark.parametrize("files", [{"view.py": VIEW, "words.py": WORDS, "more.py": WORDS}, {"view.py": VIEW}])
def test_it_is_not_done_where_two_files_or_none_have_the_name(files: dict[str, str]) -> None:
    assert not said('TRUE_WORDS lacks "on"', files, "view.py")[1]

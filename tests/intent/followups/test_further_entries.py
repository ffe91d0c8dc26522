"""Further entries and arguments like the one that was written."""

from __future__ import annotations

import pytest
from intent.support import said_behind

CODE = """from shop import steps

STEPS = {
    "load": steps.load,
}


def arguments(parser):
    parser.add_argument("--quiet", action="store_true")


def known(name):
    return {"tea": 4, "milk": 2}.get(name)
"""
SAVE = ('    "load": steps.load,\n', '    "load": steps.load,\n    "save": steps.save,\n')
SILENT = ('"--quiet",', '"--quiet", "--silent",')


@pytest.mark.parametrize(
    ("edit", "text", "words", "says"),
    [
        (SAVE, "und clean auch", {"value": "clean"}, '    "save": steps.save,\n    "clean": steps.clean,\n'),
        (SILENT, "-q too", {"value": "-q"}, '("-q", "--quiet", "--silent", action='),
    ],
)
def test_a_further_one_is_like_the_one_that_was_written(
    edit: tuple[str, str], text: str, words: dict[str, str], says: str
) -> None:
    assert says in said_behind(CODE, [edit], text, "amend.further", words)


def test_a_value_that_does_not_say_its_key_is_not_invented() -> None:
    edit = ('"milk": 2}', '"milk": 2, "rum": 9}')
    assert said_behind(CODE, [edit], "gin too", "amend.further", {"value": "gin"}) == ""

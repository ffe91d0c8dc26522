"""Further entries and arguments like the one that was written."""

from __future__ import annotations

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


def test_a_value_that_does_not_say_its_key_is_not_invented() -> None:
    edit = ('"milk": 2}', '"milk": 2, "rum": 9}')
    assert said_behind(CODE, [edit], "gin too", "amend.further", {"value": "gin"}) == ""

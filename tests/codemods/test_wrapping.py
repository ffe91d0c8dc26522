"""Lines that an edit makes too long are broken inside of a bracket."""

from __future__ import annotations

import pytest

from spark_tui.codemods import registry
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

LOOP = """def names(things):
    found = []
    for thing in things.values():
        if thing.is_visible and thing.name is not None and not thing.hidden_by_owner:
            found.append(thing.name)
    return found
"""
COMPREHENSION = """    return [
        thing.name
        for thing in things.values()
        if thing.is_visible and thing.name is not None and not thing.hidden_by_owner
    ]
"""
CALL = """def show(store):
    value = old(store)
    return value
"""
LONG = "store.everything_that_is_known(first_thing_to_see, another_thing_to_see, last_thing=1)"
NARROW = """    value = store.everything_that_is_known(
        first_thing_to_see, another_thing_to_see, last_thing=1
    )
"""


def planned(code: str, **call: object) -> str:
    repo = Repository(DictTree({"a.py": code}))
    return registry.from_json(call).plan(repo).texts(repo)["a.py"] or ""


def test_a_comprehension_that_is_too_long_has_a_line_for_each_part() -> None:
    done = planned(LOOP, op="apply_pattern", name="list_comprehension_returned", place="in a.py::names")
    assert done == "def names(things):\n" + COMPREHENSION


def test_the_arguments_of_a_call_that_is_too_long_stand_on_a_line_of_their_own() -> None:
    done = planned(CALL, op="replace_expression", place="in a.py::show", old="old(store)", new=LONG)
    assert done == CALL.replace("    value = old(store)\n", NARROW)


@pytest.mark.parametrize("wide", ["# " + 100 * "-", "old(store)  # " + 80 * "-"])
def test_a_line_stays_whole_where_others_are_as_long_or_it_has_a_comment(wide: str) -> None:
    code = CALL.replace("old(store)", wide) if "old" in wide else f"{wide}\n\n\n{CALL}"
    done = planned(code, op="replace_expression", place="in a.py::show", old="old(store)", new=LONG)
    assert LONG in done

"""Orders with nothing to do say what is not there."""

from __future__ import annotations

import pytest
from intent.asking import answer_to

CODE = "import json\n\n\ndef load(path):\n    rows = json.loads(path)\n    return rows\n"


@pytest.mark.parametrize(
    ("said", "call", "name"),
    [
        ("remove the print calls", "print", "print"),
        ("drop all prints", "prints", "print"),
        ("no load", "load", "load"),
    ],
)
def test_calls_that_are_gone_already(said: str, call: str, name: str) -> None:
    found = answer_to(CODE, said, "delete_calls", call=call)
    assert (found.kind, found.idle) == ("nothing", f"there is no call of {name} there")


def test_calls_of_what_is_not_known_are_not_said_to_be_gone() -> None:
    assert answer_to(CODE, "remove the tracing", "delete_calls", call="tracing").kind == "write"


def test_a_pattern_that_fits_nowhere_is_shown() -> None:
    found = answer_to(CODE, "use is None", "pattern.is_none")
    assert "nothing there looks like `… == None`" in found.reason


@pytest.mark.parametrize(("name", "kind"), [("rows", "write"), ("limit", "nothing")])
def test_what_is_called_so_in_the_function_is_not_said_to_be_gone(name: str, kind: str) -> None:
    found = answer_to(CODE, f"remove {name} from load", "remove_parameter", parameter=name, function="load")
    assert found.kind == kind


@pytest.mark.parametrize(("name", "kind"), [("load", "write"), ("os", "nothing")])
def test_an_import_of_what_is_there_otherwise_is_not_said_to_be_gone(name: str, kind: str) -> None:
    assert answer_to(CODE, f"drop {name}", "remove_import", module=name).kind == kind


@pytest.mark.parametrize(
    ("said", "module", "kind"),
    [("get rid of the py2 import fallbacks", "py2", "write"), ("remove the json import", "json", "nothing")],
)
def test_imports_of_a_kind_are_not_said_to_be_gone(said: str, module: str, kind: str) -> None:
    assert answer_to("import os\n", said, "remove_import", module=module).kind == kind


def test_where_more_than_imports_may_be_unused_only_they_are_said_to_be_looked_at() -> None:
    for said, marked in (
        ("drop everything nobody uses", True),
        ("remove unused imports", False),
        ("take out the improt nobody uses", False),
    ):
        (way,) = answer_to("import os\n", said, "remove_unused_imports").ways
        assert ("only imports were looked at" in map(str, way.marked)) == marked

"""What is asked for a second time is refused as nothing to do, and not as impossible."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines, plan, refusal, repository

from spark_tui.codemods.plan import Refused

TEXT = """\
import json
from dataclasses import dataclass


@dataclass
class Point:
    x: int = 0


def load(path, strict=False):
    for line in path:
        print(line)
    try:
        return json.loads(path)
    except ValueError:
        return None
"""


@pytest.mark.parametrize(
    "call",
    [
        "add_parameter load mode default=None",
        "add_parameter load mode annotation=int default=0",
        "add_comment m.py:12 'a line' where=behind",
        "add_else m.py:11 'print(1)'",
        "add_finally m.py:13 body='print(1)'",
        "name_exception m.py:15 error",
        "remove_default load strict",
    ],
)
def test_an_order_that_is_given_twice_is_done_once(call: str) -> None:
    files = {"m.py": TEXT}
    made = plan(call, files).texts(repository(files))["m.py"]
    assert made is not None and made != TEXT
    assert refusal(call, {"m.py": made}).why == "nothing"
    assert changed_lines(call, files)


@pytest.mark.parametrize(
    "call",
    [
        "to_dataclass Point",
        "remove_default load path",
        "rename_module m.py m",
        "to_f_string 'in m.py'",
        "wrap_in_try m.py:14 ValueError handler='return None'",
    ],
)
def test_what_is_so_already_is_nothing_to_do(call: str) -> None:
    found = refusal(call, {"m.py": TEXT})
    assert isinstance(found, Refused) and found.why == "nothing"


@pytest.mark.parametrize(
    ("call", "then"),
    [
        ("add_else m.py:11 'print(1)'", "add_else m.py:11 'print(2)'"),
        ("add_finally m.py:13 body='print(1)'", "add_finally m.py:13 body='print(2)'"),
        ("name_exception m.py:15 error", "name_exception m.py:15 fault"),
        ("add_comment m.py:12 'a line' where=behind", "add_comment m.py:12 'one' where=behind"),
        (
            "add_parameter load mode annotation=int default=0",
            "add_parameter load mode annotation=str default=0",
        ),
    ],
)
def test_something_else_at_the_same_place_is_impossible(call: str, then: str) -> None:
    files = {"m.py": TEXT}
    made = plan(call, files).texts(repository(files))["m.py"]
    assert refusal(then, {"m.py": made}).why == "unfit"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("wrap_in_try m.py:14 ValueError", TEXT),
        ("wrap_in_try m.py:14 KeyError handler='return None'", TEXT),
        ("wrap_in_try m.py:2 OSError", "try:\n    f()\n    g()\nexcept OSError:\n    pass\n"),
    ],
)
def test_what_would_be_done_otherwise_is_caught_once_more(call: str, code: str) -> None:
    assert changed_lines(call, {"m.py": code})

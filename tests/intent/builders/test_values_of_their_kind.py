"""What is written has the form that its place needs: the text of a print, the type of a field, an import."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """import logging
from dataclasses import dataclass, field
from typing import NamedTuple

log = logging.getLogger(__name__)
RATE = 0.19


class JobError(Exception):
    def __init__(self, job, message="job failed"):
        super().__init__(message)


@dataclass
class Entry:
    text: str
    tags: list[str] = field(default_factory=list)


class Line(NamedTuple):
    sku: str


class Ticket:
    def __init__(self, title):
        self.title = title


def send(job, to):
    if not to:
        raise JobError(job, "no address")
    log.info("mail to %s: %s", to, job)
"""


def test_a_print_formats_the_values_that_the_log_call_was_given() -> None:
    slots = {"new": "print", "old": "log.info", "function": "send"}
    code = changed(CODE, "use print instead of log.info in send", "replace_call", **slots)
    assert '    print("mail to %s: %s" % (to, job))\n' in code


def test_the_message_of_an_error_may_be_the_default_of_its_class() -> None:
    slots = {"exception": "JobError", "message": "job has failed"}
    code = changed(CODE, 'JobError message should be "job has failed"', "replace_message", **slots)
    assert 'message="job has failed"' in code and '"no address"' in code


@pytest.mark.parametrize(
    ("text", "slots", "line"),
    [
        (
            "add vat to Entry, default RATE",
            {"name": "vat", "class": "Entry", "default": "RATE"},
            "vat: float = RATE",
        ),
        (
            "add unit to Line, default pcs",
            {"name": "unit", "class": "Line", "default": "pcs"},
            "unit: str = ",
        ),
    ],
)
def test_a_field_has_the_type_of_its_default(text: str, slots: dict[str, str], line: str) -> None:
    assert f"    {line}" in changed(CODE, text, "add_field", **slots)


def test_a_field_that_a_factory_makes_gets_another_factory() -> None:
    slots = {"variable": "tags", "type": "set"}
    code = changed(CODE, "tags should be a set", "convert_value", **slots)
    assert "    tags: set[str] = field(default_factory=set)\n" in code


def test_now_is_of_the_class_and_not_of_the_module() -> None:
    text = "add created = datetime.now() to Ticket"
    slots = {"name": "created", "default": "datetime.now()", "class": "Ticket"}
    assert "from datetime import datetime\n" in changed(CODE, text, "add_field", **slots)


def test_a_click_option_has_the_type_of_its_default() -> None:
    code = 'import click\n\n\n@click.option("--limit", default=20)\ndef show(limit):\n    print(limit)\n'
    slots = {"name": "--limit", "default": "50"}
    found = changed(code, "default for --limit 50", "set_option", **slots)
    assert '@click.option("--limit", default=50)\n' in found


def test_a_repr_shows_what_is_public() -> None:
    code = "class Stock:\n    def __init__(self, name):\n        self.name = name\n        self._left = {}\n"
    slots = {"method": "__repr__", "class": "Stock"}
    assert 'f"Stock(name={self.name!r})"' in changed(
        code, "add __repr__ to Stock", "add_special_method", **slots
    )


def test_of_a_literal_in_a_call_only_the_literal_is_kept() -> None:
    code = 'KINDS = frozenset({"a", "b"})\n'
    slots = {"variable": "KINDS", "type": "tuple"}
    assert changed(code, "KINDS as a tuple", "convert_value", **slots) == 'KINDS = ("a", "b")\n'


LOCKS = """from threading import Lock


class Store:
    def __init__(self):
        self.lock = Lock()
        self.rows = {}
"""


@pytest.mark.parametrize(
    ("intent", "slots", "line"),
    [
        ("set_value", {"variable": "lock", "value": "RLock"}, "self.lock = RLock()"),
        ("set_value", {"variable": "lock", "value": "None"}, "self.lock = None\n"),
        ("convert_value", {"variable": "lock", "type": "Semaphore"}, "self.lock = Semaphore()"),
        ("convert_value", {"variable": "rows", "type": "OrderedDict"}, "self.rows = OrderedDict()"),
    ],
)
def test_a_class_in_the_place_of_another_is_made_as_that_is(
    intent: str, slots: dict[str, str], line: str
) -> None:
    text = f"{slots['variable']} should be a {slots.get('value') or slots['type']}"
    code = changed(LOCKS, text, intent, **slots)
    assert line in code
    made = line.partition(" = ")[2].strip("()\n")
    assert made == "None" or f"import {made}" in code or f", {made}" in code

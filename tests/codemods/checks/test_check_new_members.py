"""Members that a change uses and that their class does not have."""

from __future__ import annotations

import pytest
from codemods.repositories import findings, reasons

CODE = """import threading


class Base:
    limit = 3

    def close(self):
        self.later()


@final
class Hub(Base, metaclass=ABCMeta):
    def __init__(self, name):
        self.name = name

    def send(self, other: "Hub", row):
        HERE

    def later(self):
        return super().close()


class Open:
    def __getattr__(self, name):
        return name

    def send(self):
        THERE


class Row(NamedTuple):
    size: int

    def shown(self):
        ROW


class Worker(threading.Thread):
    def work(self):
        self.mood()
"""
PATH = "main.py"


def uses_told(here: str, there: str = "0", row: str = "0") -> list[str]:
    before = CODE.replace("THERE", "0").replace("HERE", "0").replace("ROW", "0")
    text = CODE.replace("THERE", there).replace("HERE", here).replace("ROW", row)
    return [item.reason for item in findings("new members", {PATH: before}, {PATH: text}) if not item.sure]


@pytest.mark.parametrize(
    ("new", "name"),
    [
        ("self.unregister(row)", "unregister"),
        ("return self.size", "size"),
        ("other.stop()", "stop"),
        ("Hub.of(row)", "of"),
        ("super().flush()", "flush"),
    ],
)
def test_a_member_that_a_class_does_not_have_is_found(new: str, name: str) -> None:
    assert uses_told(new) == [f"Hub has no {name}"]


@pytest.mark.parametrize(
    "new",
    [
        "self.close()",
        "return self.limit, self.name, self.__class__, other.name",
        "row.unregister()",
        "self.size = row",
        "self.size = row; print(self.size)",
    ],
)
def test_a_member_that_it_has_or_gets_is_no_finding(new: str) -> None:
    assert uses_told(new) == []


def test_a_class_that_may_have_any_member_is_left_alone() -> None:
    assert uses_told("0", "self.unregister()") == []


def test_a_subclass_may_have_it() -> None:
    text = CODE.replace("limit = 3", "limit = 3\n    def all(self): self.send()")
    assert reasons("new members", {PATH: CODE}, {PATH: text}) == []


def test_the_members_of_a_known_base_are_known() -> None:
    assert uses_told("0", row="self.strip()") == ["Row has no strip"]
    assert uses_told("0", row="self._replace(size=self.count(1))") == []


def test_an_attribute_that_is_no_longer_set_at_first_is_found() -> None:
    old = """class A:
    def __init__(self, done):
        self.done = done
        self.idle = 0

    def start(self):
        self.done = print

    def stop(self):
        self.done()
"""
    new = old.replace("        self.done = done\n", "")
    assert reasons("new members", {PATH: old}, {PATH: new}) == ["no __init__ sets self.done any more"]
    new = old.replace("        self.idle = 0\n", "")
    assert reasons("new members", {PATH: old}, {PATH: new}) == []


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        ("(Lost, KeyError)", ["KeyError has no code"]),
        ("Exception", ["Exception has no code"]),
        ("(Lost, Gone)", ["Gone has no code"]),
        ("(Lost, web.KeyError)", []),
        ("(Lost, SystemExit)", []),
        ("(Lost, Worse)", []),
    ],
)
def test_what_a_handler_uses_of_an_error_is_looked_for_in_each_kind(kinds: str, names: list[str]) -> None:
    code = """import web


class Lost(Exception):
    code = 1


class Worse(Lost):
    pass


class Gone(Exception):
    pass


def load(path):
    try:
        return web.get(path)
    except Lost as error:
        return error.code, error.args
"""
    new = code.replace("except Lost", f"except {kinds}")
    assert reasons("new members", {PATH: code}, {PATH: new}) == names


def test_an_attribute_that_another_class_of_the_file_sets_is_not_missed() -> None:
    old = "class Origin:\n    def __init__(self, host):\n        self.host = host\n\n\n"
    url = "class URL:\n    def __init__(self, host):\n        self.host = host\n\n"
    reads = "    def origin(self):\n        return Origin(self.host)\n"
    for more, found in ((url, []), ("class URL(Origin):\n", ["no __init__ sets self.host any more"])):
        files = {PATH: old + more + reads}
        assert (
            reasons("new members", files, {PATH: old.replace("self.host", "self.name") + more + reads})
            == found
        )


BASES = """\
class Base:
    def size(self):
        return 1


class Row(Base):
    width = 2

    def size(self):
        return 2

    def area(self):
        return self.size() * self.width()

    def width(self):
        return 3


class Other:
    def width_of(self):
        return self.width
"""


def test_what_a_base_gives_is_not_lost() -> None:
    new = BASES.replace("    def size(self):\n        return 2\n\n", "")
    assert reasons("new members", {PATH: BASES}, {PATH: new}) == []


def test_a_lost_method_is_called_a_method() -> None:
    old = BASES.replace("    width = 2\n\n", "")
    new = old.replace("\n    def width(self):\n        return 3\n", "")
    assert reasons("new members", {PATH: old}, {PATH: new}) == ["Row has no width any more"]


def test_what_another_class_reads_is_not_lost() -> None:
    old = BASES.replace("self.size() * self.width()", "1")
    new = old.replace("    width = 2\n\n", "").replace("\n    def width(self):\n        return 3\n", "")
    assert reasons("new members", {PATH: old}, {PATH: new}) == []

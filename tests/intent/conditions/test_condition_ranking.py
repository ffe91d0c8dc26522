"""What a condition may test at a place, and which of the tests it most likely means."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

from spark_tui.intent.conditions import likely_tests
from spark_tui.intent.conditions.candidates import ConditionPlace, candidate_tests
from spark_tui.intent.conditions.predicates import KINDS, Predicate, predicate_of
from spark_tui.intent.conditions.ranking import rank_tests
from spark_tui.intent.conditions.ranking_features import dense_features, errors_told
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function, Source

BAKERY = """\
import os

MAX_LOAVES = 40
SHELF = {}


class Oven:
    def __init__(self, path):
        self.path = path
        self.trays = []
        self.broken = False

    def fill(self, tray, loaves):
        self.trays.append(tray)
        return loaves

    def mean_weight(self, weights):
        return sum(weights) / len(weights)

    def recipe(self, kind):
        found = lookup(kind)
        return found.steps

    def read(self, path):
        for line in open(path):
            yield line.split(",")


def lookup(kind):
    return SHELF.get(kind)
"""


def place(function: str) -> ConditionPlace:
    source = Source(BAKERY)
    for owner in ast.walk(source.tree or ast.Module([], [])):
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, Function) and node.name == function:
                return ConditionPlace.of(node, source, owner if isinstance(owner, ast.ClassDef) else None)
    raise LookupError(function)


@pytest.mark.parametrize("kind", KINDS)
def test_a_predicate_is_read_back_from_its_code(kind: str) -> None:
    made = Predicate(kind, "tray.loaves", "MAX_LOAVES" if "{n}" in Predicate(kind, "x", "{n}").code else "")
    if kind in ("contains", "lacks"):
        made = Predicate(kind, "tray.label", "'rye'")
    assert predicate_of(ast.parse(made.code, mode="eval").body) == made


@pytest.mark.parametrize(
    ("code", "plain"),
    [("len(a) == 0", "not a"), ("0 >= a", "a <= 0"), ("not a in b", "a not in b"), ("a == ''", "not a")],
)
def test_two_ways_to_write_a_test_are_one_predicate(code: str, plain: str) -> None:
    assert predicate_of(ast.parse(code, mode="eval").body) == predicate_of(ast.parse(plain, mode="eval").body)


def test_candidates_are_about_what_stands_at_the_place() -> None:
    codes = {
        candidate.test.code for candidate in candidate_tests("more than MAX_LOAVES loaves", place("fill"))
    }
    assert {"loaves > MAX_LOAVES", "not self.trays", "self.broken", "tray in self.trays"} <= codes
    assert not any("weights" in code for code in codes)


def test_a_name_is_also_known_by_the_call_that_it_is_set_from() -> None:
    (found,) = (operand for operand in place("recipe").operands if operand.code == "found")
    assert found.base == ("lookup",)


def test_an_error_that_is_told_counts_for_the_test_by_which_it_is_raised() -> None:
    at = place("mean_weight")
    found = candidate_tests("nothing was baked", at)
    zero = next(number for number, one in enumerate(found) if one.test.code == "not weights")
    told = dense_features("nothing was baked", "ZeroDivisionError when nothing was baked", found, at)
    plain = dense_features("nothing was baked", "when nothing was baked", found, at)
    assert told[zero, -2] == 1 and plain[zero, -2] == 0
    assert errors_told("'NoneType' object is not iterable") == {"attributeerror", "typeerror"}


@pytest.mark.parametrize(
    ("function", "said", "code"),
    [
        ("mean_weight", "there are no weights", "not weights"),
        ("fill", "self.broken is set", "self.broken"),
        ("fill", "more than MAX_LOAVES loaves", "loaves > MAX_LOAVES"),
        ("fill", "negative loaves", "loaves < 0"),
        ("read", "blank lines", "not line.strip()"),
        ("read", "the file doesn't exist", "not os.path.exists(path)"),
    ],
)
def test_what_is_said_plainly_is_the_likeliest(function: str, said: str, code: str) -> None:
    (odds, best), *_ = rank_tests(said, f"return early if {said}", "return", place(function))
    assert best.test.code == code
    assert odds > 0.5


def test_what_no_rule_reads_is_taken_for_the_likeliest_test_and_marked() -> None:
    text = "recipe should return None for something lookup knows nothing about"
    said = {"function": "recipe", "condition": "something lookup knows nothing about", "value": "None"}
    answer = answer_to(BAKERY, text, "guard_return", **said)
    assert "if found is None:" in changed(BAKERY, text, "guard_return", **said)
    assert all(way.marked for way in answer.ways)


@pytest.mark.parametrize(
    ("odds", "several", "kept", "marked"),
    [
        (0.9, False, True, False),
        (0.96, False, False, True),
        (0.999, False, False, False),
        (0.999, True, False, True),
    ],
)
def test_a_far_likelier_test_comes_before_what_a_rule_reads(
    monkeypatch: pytest.MonkeyPatch, odds: float, several: bool, kept: bool, marked: bool
) -> None:
    source = Source(BAKERY)
    owner = next(node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef))
    fill = next(stmt for stmt in owner.body if isinstance(stmt, Function) and stmt.name == "fill")
    every = candidate_tests("no loaves are left", ConditionPlace.of(fill, source, owner))
    loaves = next(candidate for candidate in every if candidate.test == Predicate("false", "loaves"))
    monkeypatch.setattr(likely_tests, "_ranked_at", lambda *_: [(odds, loaves)])
    told = SimpleNamespace(earlier=None, several=several)
    context = SimpleNamespace(situation=told, source=lambda _: source)
    by_rule = [Option("not tray", 1.0)]
    found = likely_tests.prefer_likely_test(
        context, Span(0, 18, "no loaves are left"), SimpleNamespace(path=""), by_rule
    )
    assert (found == by_rule) is kept
    assert bool(found[0].doubts) is marked


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("walk should not accept strings", "if isinstance(items, str):"),
        ("walk must only accept strings", "if not isinstance(items, str):"),
    ],
)
def test_what_is_not_to_be_accepted_is_tested_for(said: str, test: str) -> None:
    code = "def walk(items):\n    return hasattr(items, '__iter__')\n"
    assert test in changed(code, said, "guard_raise", function="walk", condition="strings")


PORTS = "class Port:\n    def __init__(self):\n        self.closed = True\n"
SERVER = """\
from ports import Port


class PortServer(Port):
    def __init__(self, listener):
        self.ports = []
        self._socket = listener

    def accept(self, block=True):
        if not block and not _is_readable(self._socket):
            return None
        self._update_ports()
        conn, (host, port) = self._socket.accept()
        return SocketPort(host, port, conn=conn)


class SocketPort(Port):
    def __init__(self, host, portno, conn=None):
        if conn is None:
            self._socket = connect((host, portno))
        else:
            self._socket = conn
"""


def test_a_state_that_another_file_tells_is_meant_before_a_guess() -> None:
    said = {"function": "PortServer.accept", "result": "None", "condition": "the server is closed"}
    text = "make PortServer.accept return None right away when the server is closed"
    files = {PATH: SERVER, "ports.py": PORTS}
    assert "if self.closed:\n            return None" in changed(files, text, "guard_return", **said)

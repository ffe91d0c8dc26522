"""What a name is said or shown to be decides between symbols of one name; code is taken as it is shown."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """import time


class Cart:
    def __init__(self, rate, size=None):
        self.rate = rate
        self.size = size
        self.total = 0

    def show(self):
        line = f"{self.rate}: {self.total}"
        print(line)
        return time.time()

    def check(self, rate):
        if rate is None:
            raise ValueError("not found" + str(rate))
        return self.total + self.size
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "rename",
            "rename attribute rate to fee in __init__",
            {"symbol": "rate", "new": "fee", "function": "__init__"},
            "        self.rate = rate\n",
            "        self.fee = rate\n",
        ),
        (
            "rename",
            "rename the parameter rate of __init__ to fee",
            {"symbol": "rate", "new": "fee", "function": "__init__"},
            "        self.rate = rate\n",
            "        self.rate = fee\n",
        ),
        (
            "rename",
            "rename self.rate to self.fee",
            {"symbol": "self.rate", "new": "self.fee"},
            "        self.rate = rate\n",
            "        self.fee = rate\n",
        ),
        (
            "set_value",
            "set self.rate to 1 in __init__",
            {"variable": "self.rate", "value": "1", "function": "__init__"},
            "        self.rate = rate\n",
            "        self.rate = 1\n",
        ),
        (
            "replace_call",
            "use self.sum instead of self.total",
            {"new": "self.sum", "old": "self.total"},
            "        return self.total + self.size\n",
            "        return self.sum + self.size\n",
        ),
        (
            "replace_call",
            "use self.size instead of self.total everywhere",
            {"new": "self.size", "old": "self.total"},
            "        return self.total + self.size\n",
            "        return self.size + self.size\n",
        ),
        (
            "replace_call",
            "use clock_now instead of time.time",
            {"new": "clock_now", "old": "time.time"},
            "        return time.time()\n",
            "        return clock_now()\n",
        ),
        (
            "replace_message",
            "say 'missing' instead of 'not found'",
            {"message": "missing", "old": "not found"},
            '("not found" + str(rate))',
            '("missing" + str(rate))',
        ),
    ],
)
def test_it_is_what_is_said(intent: str, text: str, slots: dict[str, str], old: str, new: str) -> None:
    assert old in CODE
    assert new in changed(CODE, text, intent, **slots)


def test_an_argument_that_is_shown_with_its_own_name_passes_that_name() -> None:
    text = "pass flush=flush to print"
    slots = {
        slot: (Span(start, start + 5, text[start : start + 5]),)
        for slot, start in (("argument", 5), ("value", 11), ("call", 20))
    }
    order = Order(0, len(text), (Reading("set_argument", 0.95, slots),))
    found = answer_orders([order], situation({PATH: CODE}, instruction=text))
    assert "print(line, flush=flush)" in result(found, {PATH: CODE})


def test_a_class_and_a_base_that_were_taken_for_each_other_are_turned() -> None:
    text = "derive Cart from Missing"
    found = changed(CODE, text, "add_base", **{"class": "Missing", "base": "Cart"})
    assert "class Cart(Missing):" in found


def test_a_statement_that_is_shown_goes_though_its_name_is_used() -> None:
    shown = 'line = f"{self.rate}: {self.total}"'
    found = answer_to(CODE, f"remove `{shown}`", "delete_statement", code=shown)
    assert found.kind == "edit"
    assert any("nothing defines line" in finding.reason for finding in found.ways[0].plan.findings)


def test_a_statement_that_is_only_named_stays_where_its_name_is_used() -> None:
    found = answer_to(CODE, "remove the line", "delete_statement", code="line")
    assert not found.ways


def test_what_an_order_is_done_to_is_no_place_for_the_next_one() -> None:
    files = {PATH: "def load(path):\n    return 3\n\n\ndef save(path):\n    return 4\n"}
    orders = [
        ("annotate_return", {"function": "load", "type": "int"}),
        ("replace_value", {"old": "4", "new": "5"}),
    ]
    assert "return 5" in result(answered(files, *orders), files)


SPOKEN = """LIMIT = 3


class Error(Exception):
    pass


class Binding:
    def __init__(self, error=None):
        self.error = error

    def limit(self):
        if self.error:
            raise Error(LIMIT)
"""


@pytest.mark.parametrize(
    ("text", "symbol", "new", "stands"),
    [
        ("rename the class error to parse error", "error", "parse error", "raise ParseError(LIMIT)"),
        ("rename the error class to failure", "error class", "failure", "raise Failure(LIMIT)"),
        ("rename the exception Error to failure", "Error", "failure", "raise failure(LIMIT)"),
        ("rename the variable Error to failure", "Error", "failure", "raise failure(LIMIT)"),
        ("rename the constant limit to ceiling", "limit", "ceiling", "raise Error(CEILING)"),
        ("Die Konstante limit in ceiling umbenennen", "limit", "ceiling", "raise Error(CEILING)"),
        ("把类 error 重命名为 Failure", "error", "Failure", "raise Failure(LIMIT)"),
        ("rename the field error to problem", "error", "problem", "if self.problem:"),
        ("rename the limit method to cap", "limit", "cap", "    def cap(self):"),
    ],
)
def test_a_name_that_is_spoken_is_the_one_of_the_kind_that_is_said(
    text: str, symbol: str, new: str, stands: str
) -> None:
    assert stands in changed(SPOKEN, text, "rename", symbol=symbol, new=new)


QUEUES = """import logging

log = logging.getLogger(__name__)


class JobQueue:
    def run(self):
        return 1


class Worker:
    def run(self):
        return 2


def run():
    return 3
"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("return 5 in run of the worker", "return 2"),
        ("in the job queue's run return 5", "return 1"),
        ("return 5 in run in class JobQueue", "return 1"),
        ("return 5 in the module function run", "return 3"),
        ("return 5 in Worker run", "return 2"),
        ("让 JobQueue 的 run 返回 5", "return 1"),
    ],
)
def test_a_method_is_the_one_of_the_class_beside_whose_name_its_own_stands(text: str, kept: str) -> None:
    found = answer_to(QUEUES, text, "set_return", function="run", result="5")
    (first, *_) = found.ways
    assert "called run" not in " ".join(first.marked)
    after = result(found, {PATH: QUEUES})
    assert kept not in after and after.count("return 5") == 1


@pytest.mark.parametrize(
    "text", ["return 5 in run and tell the worker", "return 5 in run in order to see it"]
)
def test_a_class_that_is_named_elsewhere_in_the_message_decides_nothing(text: str) -> None:
    code = QUEUES.replace("JobQueue", "Order")
    found = answer_to(code, text, "set_return", function="run", result="5")
    assert "called run" in " ".join(found.ways[0].marked)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("return 5 in the method run", "return 3"),
        ("return 5 in the function run", "return 1"),
    ],
)
def test_a_function_that_is_said_to_be_a_method_is_one(text: str, kept: str) -> None:
    found = answer_to(
        QUEUES.replace("class Worker:\n    def run", "class Worker:\n    def work"),
        text,
        "set_return",
        function="run",
        result="5",
    )
    (first, *_) = found.ways
    assert "called run" not in " ".join(first.marked)
    assert kept in result(found, {PATH: QUEUES})


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("rename run of the worker to work", "class Worker:\n    def work(self)"),
        ("rename the job queue's run to work", "class JobQueue:\n    def work(self)"),
        ("rename the module function run to work", "\ndef work():"),
    ],
)
def test_the_name_that_is_changed_is_the_one_of_the_class_beside_it(text: str, stands: str) -> None:
    assert stands in changed(QUEUES, text, "rename", symbol="run", new="work")


@pytest.mark.parametrize(
    ("text", "symbol", "new", "wanted"),
    [
        ("rename the class worker to unpaid night shift", "worker", "shift", "UnpaidNightShift"),
        ("call the worker job runner instead", "worker", "runner", "JobRunner"),
        ("rename the class worker to just runner", "worker", "runner", "Runner"),
        ("rename the class worker to the name runner", "worker", "runner", "Runner"),
        ("rename the class worker, please, to something called runner", "worker", "runner", "Runner"),
        ("rename the class worker to lazy `runner`", "worker", "runner", "runner"),
        ("rename the class worker in an hour runner", "worker", "runner", "Runner"),
    ],
)
def test_a_new_name_is_read_as_a_whole(text: str, symbol: str, new: str, wanted: str) -> None:
    assert f"class {wanted}:" in changed(QUEUES, text, "rename", symbol=symbol, new=new)

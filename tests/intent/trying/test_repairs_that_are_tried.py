"""What fails is repaired by trying: by the tests that a message names, or by an example in it."""

from __future__ import annotations

import dataclasses

import pytest

from spark_tui.codemods import registry
from spark_tui.codemods.plan import Plan
from spark_tui.intent.answering.answer import answer_fix
from spark_tui.intent.answering.tried_fixes import reported_fix, tried_fix
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CART = """\
class Cart:
    def __init__(self):
        self.lines = []

    def add(self, price, count=1):
        self.lines.append((price, count))

    def total(self):
        return sum(price + count for price, count in self.lines)

    def size(self):
        return len(self.lines)
"""
TESTS = """\
from shop.cart import Cart


def test_total():
    cart = Cart()
    cart.add(10, 3)
    assert cart.total() == 30


def test_size():
    cart = Cart()
    assert cart.size() == 0
"""
REPORT = """\
=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
        cart = Cart()
        cart.add(10, 3)
>       assert cart.total() == 30
E       assert 13 == 30
E        +  where 13 = total()

tests/test_cart.py:7: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 13 == 30
========================= 1 failed, 1 passed in 0.02s ==========================
"""
FILES = {"shop/__init__.py": "", "shop/cart.py": CART, "tests/test_cart.py": TESTS}
RIGHT = CART.replace("price + count", "price * count")


def ask(message: str, files: dict[str, str] = FILES, path: str = "shop/cart.py", found: str = "write"):
    situation = Situation(Repository(DictTree(files)), path, instruction=message)
    answer = reported_fix(situation) or tried_fix(Answer(found), situation)  # type: ignore[arg-type]
    return answer, [way.plan.texts(situation.repo) for way in answer.ways] if answer is not None else []


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("test_total fails", "shop/cart.py"),
        ("make test_total pass", "shop/cart.py"),
        ("fix the failing test", "shop/cart.py"),
        ("fix the failing test", "tests/test_cart.py"),
        ("something in test_cart.py is red", "shop/cart.py"),
        ("test_total schlägt fehl", "shop/cart.py"),
        (REPORT, "shop/cart.py"),
        (f"why is that?\n\n{REPORT}", "tests/test_cart.py"),
        ("FAILED tests/test_cart.py::test_total - assert 13 == 30", "shop/__init__.py"),
        ("E       assert 13 == 30\n\ntests/test_cart.py:7: in test_total", "shop/cart.py"),
        ("the sum of an order is wrong when somebody buys several", "shop/cart.py"),
    ],
)
def test_a_failing_test_is_repaired(message: str, path: str) -> None:
    answer, texts = ask(message, path=path)
    assert answer is not None
    assert answer.kind == "edit"
    assert texts == [{"shop/cart.py": RIGHT}]
    assert answer.ways[0].marked == ("found by trying: test_total passes, 1 other test still passes",)


def test_a_fix_that_is_asked_for_is_tried() -> None:
    message = (
        "Fix what `pytest -q` reports in @tests/test_cart.py:\n"
        "tests/test_cart.py:7: test_total: AssertionError: assert 13 == 30"
    )
    repo = Repository(DictTree(FILES))
    answer = answer_fix(message, Situation(repo, "tests/test_cart.py"))
    assert answer is not None
    assert [way.plan.texts(repo) for way in answer.ways] == [{"shop/cart.py": RIGHT}]


def test_an_example_in_the_message_is_made_true() -> None:
    code = "def mean(values):\n    return sum(values) // len(values)\n"
    answer, texts = ask("mean([1, 2]) gives 1, should be 1.5", {"stats.py": code}, "stats.py")
    assert answer is not None
    assert texts[0] == {"stats.py": code.replace("//", "/")}
    assert answer.ways[0].marked == ("found by trying: mean([1, 2]) gives 1.5",)


def test_several_repairs_are_a_choice() -> None:
    code = "def over(limit, value):\n    return limit < value and value < 10\n"
    answer, texts = ask("over(3, 3) gives False, should be True", {"a.py": code}, "a.py")
    assert answer is not None
    assert answer.kind == "choices"
    assert 2 <= len(texts) == len({str(one) for one in texts})


def test_a_repair_that_breaks_another_test_is_none() -> None:
    code = "def grade(points):\n    return points > 50\n"
    tests = "from g import grade\ndef test_50():\n    assert grade(50)\n"
    tests += "def test_49():\n    assert not grade(49)\n"
    answer, texts = ask("test_50 fails", {"g.py": code, "test_g.py": tests}, "g.py")
    assert answer is not None
    assert (
        texts == [{"g.py": code.replace("> 50", ">= 50")}] or {"g.py": code.replace("> 50", "> 49")} in texts
    )
    assert all("True" not in text["g.py"] for text in texts)


@pytest.mark.parametrize(
    ("message", "files"),
    [
        ("test_other fails", FILES),
        ("rename total to amount", FILES),
        ("the sum of an order is wrong", {**FILES, "shop/cart.py": RIGHT}),
        ("Cart() gives 3, should be 4", {**FILES, "shop/cart.py": "def Cart(:\n"}),
        ("test_total fails", {**FILES, "shop/cart.py": CART + "\nimport a_library_that_is_not_here\n"}),
        ("Cart().total() gives 0", FILES),
        ("Cart().total() should be 0", FILES),
        ("new file shop/lines.py", FILES),
    ],
)
def test_nothing_is_tried_or_found(message: str, files: dict[str, str]) -> None:
    assert ask(message, files) == (None, [])


@pytest.mark.parametrize("message", ["test_size fails", REPORT.replace("total", "size")])
def test_a_test_that_passes_is_told(message: str) -> None:
    answer, _ = ask(message)
    assert answer is not None
    assert (answer.kind, answer.reason) == ("nothing", "There is nothing to do: test_size passes.")
    assert ask("rename test_size to test_count") == (None, [])


def test_nothing_runs_where_it_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    situation = Situation(Repository(DictTree(FILES)), "shop/cart.py", instruction="test_total fails")
    off = dataclasses.replace(situation, may_try=lambda: False)
    monkeypatch.setattr("spark_tui.trials.trial.subprocess.Popen", pytest.fail)
    assert tried_fix(Answer("write"), off) is None


def test_an_endless_loop_is_repaired() -> None:
    loop = "    while n >= 0:\n        n //= 10\n        count += 1\n"
    code = f"def digits(n):\n    count = 0\n{loop}    return count\n"
    tests = "from d import digits\ndef test_digits():\n    assert digits(345) == 3\n"
    answer, texts = ask("test_digits fails, it never ends", {"d.py": code, "test_d.py": tests}, "d.py")
    assert answer is not None
    assert {"d.py": code.replace(">= 0", "> 0")} in texts


def test_an_edit_that_repairs_it_too_stays() -> None:
    code = "def over(limit, value):\n    return limit < value\n"
    message = "over(3, 3) gives False, should be True"
    situation = Situation(Repository(DictTree({"a.py": code})), "a.py", instruction=message)
    first = tried_fix(Answer("write"), situation)
    assert first is not None
    assert first.ways[0].marked
    assert tried_fix(Answer("edit", first.ways[:1]), situation) is None
    wrong, _ = ask("over(4, 3) gives False, should be True", {"a.py": code}, "a.py")
    assert wrong is not None
    assert tried_fix(Answer("edit", wrong.ways[:1]), situation) is not None


def test_a_long_report_is_read() -> None:
    answer, texts = ask("noise\n" * 2_000 + REPORT, found="cannot")
    assert answer is not None
    assert texts == [{"shop/cart.py": RIGHT}]


ADD = "def add(a, b):\n    return a - b\n"
SMALL = "from a import add\ndef test_add():\n    assert add(2, 2) == 4\n"


def marks(message: str, tests: str, code: str = ADD) -> list[str]:
    answer, _ = ask(message, {"a.py": code, "test_a.py": tests}, "a.py")
    return [str(mark) for way in answer.ways for mark in way.marked] if answer is not None else []


def test_all_tests_that_are_said_to_pass_were_run() -> None:
    many = "".join(f"def test_{at}():\n    assert add({at}, 0) == {at}\n" for at in range(90))
    assert "90 other tests still pass" in marks("test_add fails", SMALL + many)[0]
    assert not marks("test_add fails", f"{SMALL}{many}def test_last():\n    assert add(5, 1) == 4\n")


def test_an_example_that_is_right_stays_so() -> None:
    code = "def sign(n):\n    return 1 if n >= 0 else -1\n"
    message = "sign(0) gives 1 but should be 0, sign(5) should be 1"
    assert marks("sign(0) gives 1 but should be 0", "", code)
    _, texts = ask(message, {"a.py": code}, "a.py")
    assert {"a.py": code.replace("return 1", "return 0")} not in texts


def test_a_byte_order_mark_and_a_form_feed_stay() -> None:
    for before in ("\ufeff", "A = 1\n\x0c\n"):
        _, texts = ask("test_add fails", {"a.py": before + ADD, "test_a.py": SMALL}, "a.py")
        assert {"a.py": before + ADD.replace("-", "+")} in texts


TWO = "def add(a, b):\n    return a - b\n\n\ndef over(a, b):\n    '''Over.'''\n    return a >= b\n"
TESTS_OF_TWO = """\
from a import add, over
def test_add():
    assert add(2, 2) == 4
def test_over():
    assert not over(1, 1)
    assert over(2, 1)
def test_both():
    assert over(add(1, 2), 2) and not over(add(1, 0), 1)
"""


@pytest.mark.parametrize("message", ["the tests are red", "make test_add and test_over pass"])
def test_several_causes_are_repaired_together(message: str) -> None:
    answer, texts = ask(message, {"a.py": TWO, "test_a.py": TESTS_OF_TWO}, "a.py")
    assert answer is not None
    assert answer.kind == "edit"
    assert texts == [{"a.py": TWO.replace("a - b", "a + b").replace(">=", ">")}]
    assert "more" in answer.ways[0].marked[0]


def test_causes_in_two_files_are_repaired_together() -> None:
    one, two = TWO.split("\n\n\n")
    files = {
        "a.py": one + "\n",
        "b.py": two,
        "test_a.py": TESTS_OF_TWO.replace("add, over\n", "add\nfrom b import over\n", 1),
    }
    _, texts = ask("the tests are red", files, "a.py")
    assert texts == [{"a.py": one.replace("-", "+") + "\n", "b.py": two.replace(">=", ">")}]


def test_nothing_is_offered_where_one_of_the_tests_still_fails() -> None:
    tests = TESTS_OF_TWO + "def test_more():\n    assert add('a', 2) == 'a, b, c'\n"
    answer, texts = ask("the tests are red", {"a.py": TWO, "test_a.py": tests}, "a.py")
    assert answer is not None
    assert not texts
    assert "test_add and 3 more fail, and nothing that was tried repairs it" in answer.reason


def test_a_cause_that_is_apart_from_the_others_is_repaired_alone() -> None:
    tests = TESTS_OF_TWO[: TESTS_OF_TWO.index("def test_both")].replace("2, 2) == 4", "2, 2) == 'four'")
    answer, texts = ask("the tests are red", {"a.py": TWO, "test_a.py": tests}, "a.py")
    assert answer is not None
    assert {"a.py": TWO.replace(">=", ">")} in texts
    assert answer.ways[0].marked == ("found by trying: test_over passes; test_add still fails",)


def test_the_name_of_a_test_alone_is_enough() -> None:
    _, texts = ask("test_total")
    assert texts == [{"shop/cart.py": RIGHT}]


def test_a_test_does_not_pass_by_being_emptied() -> None:
    message = "make test_total pass"
    situation = Situation(Repository(DictTree(FILES)), "shop/cart.py", instruction=message)
    call = registry.parse("replace_statements 'in tests/test_cart.py::test_total' pass")
    plan = call.plan(situation.repo)
    assert isinstance(plan, Plan)
    emptied = Answer("edit", (Way((call,), plan, 0.5, ("the reader is not sure",), "pass"),))
    found = tried_fix(emptied, situation)
    assert found is not None
    assert [way.plan.texts(situation.repo) for way in found.ways] == [{"shop/cart.py": RIGHT}]

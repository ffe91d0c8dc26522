"""Guards whose test a function asks already: its branch leaves otherwise, nothing stands twice."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """def status(code):
    if code == 404:
        return "missing"
    elif code >= 500:
        return "error"
    if code < 0:
        raise KeyError(f"no such code: {code}")
    return "ok"


def listed(rows):
    for row in rows:
        if row is None:
            break
        print(row)
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "guard_return",
            'status should return "gone" if code == 404',
            {"condition": "code == 404", "result": '"gone"'},
            '"missing"',
            '"gone"',
        ),
        (
            "guard_return",
            "return None in status if code >= 500",
            {"condition": "code >= 500", "result": "None"},
            '"error"',
            "None",
        ),
        (
            "guard_raise",
            "raise ValueError in status if code < 0",
            {"condition": "code < 0", "exception": "ValueError"},
            "KeyError",
            "ValueError",
        ),
        (
            "guard_raise",
            "raise KeyError('negative') in status if code < 0",
            {"condition": "code < 0", "exception": "KeyError", "message": "negative"},
            'f"no such code: {code}"',
            '"negative"',
        ),
        ("skip_in_loop", "listed skips it if row is None", {"condition": "row is None"}, "break", "continue"),
    ],
)
def test_the_branch_of_the_same_test_leaves_otherwise(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    name = next(item for item in ("status", "listed") if item in text)
    assert changed(CODE, text, intent, function=name, **slots) == CODE.replace(old, new, 1)


def test_a_guard_that_stands_there_is_not_made_again() -> None:
    text = "raise KeyError in status if code < 0"
    words = {"function": "status", "condition": "code < 0", "exception": "KeyError"}
    assert answer_to(CODE, text, "guard_raise", **words).kind == "nothing"


def test_a_second_condition_that_is_not_tested_is_named() -> None:
    text = "status: if code is negative raise ValueError, if code is above 900 raise ValueError"
    pieces = ("code is negative", "code is above 900")
    spans = tuple(Span(text.index(one), text.index(one) + len(one), one) for one in pieces)
    slots = {"function": (Span(0, 6, "status"),), "condition": spans}
    slots["exception"] = (Span(text.index("ValueError"), text.index("ValueError") + 10, "ValueError"),)
    order = Order(0, len(text), (Reading("guard_raise", 0.95, slots),))
    way = answer_orders([order], situation({PATH: CODE}, instruction=text)).ways[0]
    assert "not used: code is negative" in way.marked


BRANCHES = """def joined(items):
    if len(items) == 1:
        return items[0]
    return items[0] + items[-1]


def term(op, left, right):
    if op == "*":
        return left * right
    return left % right if op == "%" else None


def picked(key, rows):
    if key is None:
        return rows[0]
    return [row for row in rows if row[key]]
"""


def test_a_guard_stands_in_front_of_all_branches_that_fail_without_it() -> None:
    said = {"function": "joined", "condition": "items is empty", "result": "''"}
    new = changed(BRANCHES, "joined should return '' if items is empty", "guard_return", **said)
    start = BRANCHES.index("    if len")
    assert new == f"{BRANCHES[:start]}    if not items:\n        return ''\n{BRANCHES[start:]}"


def test_a_guard_in_the_one_branch_that_needs_it_is_marked() -> None:
    said = {"function": "picked", "condition": "rows is empty", "exception": "ValueError"}
    found = answer_to(BRANCHES, "picked: raise ValueError if rows is empty", "guard_raise", **said)
    assert "it is tested where the branch in line 14 needs it" in found.ways[0].marked


def test_what_is_to_be_allowed_raises_nothing() -> None:
    code = "def page(size):\n    if size < 1:\n        raise ValueError(size)\n    return size\n"
    said = {"function": "page", "condition": "a size of 0"}
    assert not answer_to(code, "a size of 0 should be allowed in page", "guard_raise", **said).ways
    assert answer_to(code, "a size of 0 should not be allowed in page", "guard_raise", **said).ways


def test_a_boundary_moves_to_a_number_beyond_it() -> None:
    code = "def is_valid(mask):\n    return not (mask < 1 or mask > 32)\n"
    for number, old, new in (("0", "< 1", "< 0"), ("64", "> 32", "> 64")):
        said = {"function": "is_valid", "variable": "mask", "value": number}
        text = f"a mask of {number} should be valid in is_valid"
        assert changed(code, text, "include_boundary", **said) == code.replace(old, new)


@pytest.mark.parametrize(
    ("intent", "text", "old", "new"),
    [
        ("include_boundary", "a size of 1 is fine in page", "size <= 1", "size < 1"),
        ("include_boundary", "refuse a size of 1 too in page", "size < 1", "size <= 1"),
        ("exclude_boundary", "a size of 1 is not allowed in page", "size < 1", "size <= 1"),
        ("include_boundary", "a size of 1 isn't allowed either in page", "size < 1", "size <= 1"),
    ],
)
def test_what_is_allowed_is_not_refused(intent: str, text: str, old: str, new: str) -> None:
    code = f"def page(size):\n    if {old}:\n        raise ValueError(size)\n    return size\n"
    said = {"function": "page", "variable": "size", "value": "1"}
    assert changed(code, text, intent, **said) == code.replace(old, new)


CHECKED = """def send(user, text):
    if not text:
        {leave}
    return user.deliver(text)
"""


@pytest.mark.parametrize(
    ("leave", "says"),
    [
        ("return None", "if not text or user is None:\n        return None\n"),
        ("return []", "if not text or user is None:\n        return []\n"),
        ("return user.name", "if not text and user is not None:\n        return user.name\n"),
        (
            "raise ValueError(text)",
            "    if user is None:\n        raise ValueError(user)\n",
        ),
    ],
)
def test_what_is_to_be_checked_too_has_to_hold(leave: str, says: str) -> None:
    said = {"function": "send", "condition": "user is not None"}
    text = "send should also check that user is not None"
    after = changed(CHECKED.format(leave=leave), text, "also_require", **said)
    assert says in after
    assert after.count("not text") == 1


def test_what_a_branch_is_to_check_too_is_joined_to_its_test() -> None:
    said = {"function": "send", "condition": "user is not None"}
    text = "the early return in send should also check that user is not None"
    after = changed(CHECKED.format(leave="return None"), text, "also_require", **said)
    assert "if not text and user is not None:\n        return None\n" in after


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("text is no longer than 100", "len(text) <= 100"),
        ("text isn't shorter than 3", "len(text) >= 3"),
        ("text is at most 100 characters long", "len(text) <= 100"),
        ("text has at least 3 letters", "len(text) >= 3"),
        ("text höchstens 100 Zeichen hat", "len(text) <= 100"),
    ],
)
def test_how_long_a_text_may_be_is_its_length(condition: str, test: str) -> None:
    said = {"function": "send", "condition": condition, "exception": "ValueError"}
    code = CHECKED.format(leave="text = user.name")
    after = changed(code, f"send: raise ValueError if {condition}", "guard_raise", **said)
    assert f"    if {test}:\n" in after


@pytest.mark.parametrize(
    ("condition", "line", "guard"),
    [
        ("pick not in (1, 2)", "    for pick in picks:\n", "        if pick not in (1, 2):\n"),
        ("n < 1", "def f(picks, n):\n", "    if n < 1:\n"),
    ],
)
def test_a_guard_stands_where_it_can_refuse_something(condition: str, line: str, guard: str) -> None:
    code = "def f(picks, n):\n    n = max(1, min(6, n))\n    for pick in picks:\n        go(pick, n)\n"
    text = f"f should raise ValueError if {condition}"
    done = changed(code, text, "guard_raise", condition=condition, exception="ValueError", function="f")
    assert f"{line}{guard}" in done

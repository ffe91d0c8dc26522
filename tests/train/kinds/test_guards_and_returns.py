"""Guards, outcomes, lines at a step and handlers do what their instruction says, where it says."""

from __future__ import annotations

import contextlib
import io

from support.edit_kinds import cases

LOCAL = """def size_of(rows, key):
    found = rows.get(key)
    return found.size
"""
LOOP = """def total(orders):
    out = 0
    for order in orders:
        out += order["size"]
    return out
"""
FILE = """import os


def load(path):
    with open(path) as handle:
        return handle.read()
"""
BRANCHES = """def grade(points):
    if points is None:
        return "none"
    if points > 10:
        return "good"
    return "bad"
"""
FALLS = """def first(names, wanted):
    for name in names:
        if name == wanted:
            return name
"""
SAME = """def same(left, right):
    return left == right
"""
CLOSES = """def save(path, text):
    out = open(path, "w")
    out.write(text)
"""
PARSE = """def parse(text):
    try:
        number = int(text)
    except ValueError:
        pass
    return 1
"""


def outcome(text: str, call: str) -> object:
    """The value, or the name of the error."""
    scope: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, scope)
        try:
            return eval(call, scope)
        except Exception as error:
            return type(error).__name__


def test_a_guard_on_a_local_catches_what_crashed_before() -> None:
    seen = 0
    for case in cases("guard_local", LOCAL, 20):
        if "if found is None:" in case.after or "if not found:" in case.after:
            assert outcome(case.before, "size_of({}, 1)") == "AttributeError"
            assert outcome(case.after, "size_of({}, 1)") != "AttributeError"
            seen += 1
    assert seen


def test_items_that_lack_a_key_are_skipped() -> None:
    for case in cases("skip_without", LOOP):
        assert outcome(case.before, "total([{'size': 2}, {}])") == "KeyError"
        assert outcome(case.after, "total([{'size': 2}, {}])") == 2


def test_a_missing_file_gives_what_was_asked_for() -> None:
    for case in cases("guard_file", FILE):
        assert outcome(case.before, "load('/no/such/file')") == "FileNotFoundError"
        assert outcome(case.after, "load('/no/such/file')") in ([], {}, None, False, "", 0)


def test_only_the_branch_that_was_named_returns_something_else() -> None:
    calls = ("grade(None)", "grade(11)", "grade(3)")
    for case in cases("change_outcome", BRANCHES, 20):
        changed = [call for call in calls if outcome(case.before, call) != outcome(case.after, call)]
        assert len(changed) == 1


def test_a_fallback_is_returned_when_nothing_else_was() -> None:
    for case in cases("fallback_return", FALLS):
        assert outcome(case.after, "first(['a'], 'a')") == "a"
        assert outcome(case.after, "first(['a'], 'b')") in (False, None, [], 0, -1, "", True, {})
        assert case.after.split("\n")[-2].startswith("    return ")


def test_a_condition_that_is_returned_itself_says_the_same() -> None:
    for case in cases("return_condition", SAME):
        for call in ("same(1, 1)", "same(1, 2)"):
            assert outcome(case.before, call) == outcome(case.after, call)


def test_what_is_opened_is_closed_at_the_end() -> None:
    for case in cases("missing_close", CLOSES):
        assert case.after == CLOSES + "    out.close()\n"


def test_a_line_at_a_step_is_the_only_change() -> None:
    for case in cases("insert_at_step", BRANCHES, 20):
        old, new = case.before.split("\n"), case.after.split("\n")
        assert len(new) == len(old) + 1
        assert [line for line in new if line in old] == old or len(set(new) - set(old)) == 1


def test_a_wrapped_call_no_longer_raises_unless_it_is_asked_to() -> None:
    text = "def read(text):\n    number = int(text)\n    return 1\n"
    for case in cases("handle_call", text, 20):
        found = outcome(case.after, "read('x')")
        if "except Exception" in case.after and "raise" not in case.after:
            assert found != "ValueError"


def test_a_silent_handler_shows_its_error_and_a_wider_one_takes_both() -> None:
    for case in cases("show_error", PARSE):
        assert "as " in case.after
        assert outcome(case.after, "parse('x')") == 1
    for case in cases("also_catch", PARSE):
        assert "except (ValueError, " in case.after
    for case in cases("try_else", PARSE):
        assert "    else:" in case.after or "    finally:" in case.after

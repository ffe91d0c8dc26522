"""What an edit in a small program leaves out is marked, and what can be taken away goes whole."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed, edited
from intent.support import PATH, result


def test_what_holds_only_under_a_condition_is_marked_where_the_condition_is_left_out() -> None:
    code = "def play(winner):\n    print(winner)\n"
    words = {"function": "play", "code": 'print "draw"'}
    found = answer_to(code, 'if there is no winner print "draw" at the end of play', "insert_at_end", **words)
    assert not found.ways or any("no winner" in str(mark) for mark in found.ways[0].marked)


def test_a_tie_without_a_key_is_not_answered_by_another_direction() -> None:
    code = "def top(rows):\n    rows.sort(key=lambda row: row[1], reverse=True)\n    return rows\n"
    found = answer_to(code, "same count -> alphabetical order please (top)", "sort_by", function="top")
    assert not found.ways


@pytest.mark.parametrize(
    ("text", "intent", "slots", "left"),
    [
        (
            "add a parameter most to play, stop after so many",
            "add_parameter",
            {"name": "most", "function": "play"},
            "stop after so many",
        ),
        (
            "raise KeyError with a helpful message rather than ValueError",
            "change_raised",
            {"exception": "KeyError", "old": "ValueError"},
            "with a helpful message",
        ),
    ],
)
def test_what_an_edit_leaves_out_is_marked(text: str, intent: str, slots: dict[str, str], left: str) -> None:
    code = "def play(n):\n    if not n:\n        raise ValueError(n)\n    return n\n"
    assert any(left in str(mark) for mark in answer_to(code, text, intent, **slots).ways[0].marked)


BRANCHES = "def handle(line):\n    if line == 'a':\n        return 1\n    elif line == 'b':\n        pass\n"


@pytest.mark.parametrize(("rest", "marked"), [("", False), ("    else:\n        return 2\n", True)])
def test_one_branch_of_a_chain_can_be_deleted(rest: str, marked: bool) -> None:
    text = "delete `elif line == 'b':` in handle"
    words = {"code": "elif line == 'b':", "function": "handle"}
    found = answer_to(BRANCHES + rest, text, "delete_statement", **words)
    wanted = "def handle(line):\n    if line == 'a':\n        return 1\n" + rest
    assert result(found, {PATH: BRANCHES + rest}) == wanted
    assert any("goes on to the branches below" in str(mark) for mark in found.ways[0].marked) is marked


def test_os_is_imported_no_longer_where_paths_are_objects() -> None:
    code = "import os\n\n\ndef there(path):\n    return os.path.exists(path)\n"
    wanted = "from pathlib import Path\n\n\ndef there(path):\n    return Path(path).exists()\n"
    assert edited("use pathlib", "pattern.to_pathlib", {}, code) == wanted


SWAP = "def swap(plan, a, b):\n    tmp = plan[a]\n    plan[a] = plan[b]\n    plan[b] = tmp\n"
RICHEST = "def richest(rows):\n    rows = sorted(rows, key=len)\n    return rows[-1]\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "code", "wanted"),
    [
        (
            "swap without the tmp variable",
            "inline_variable",
            {"variable": "tmp", "function": "swap"},
            SWAP,
            "def swap(plan, a, b):\n    plan[a], plan[b] = plan[b], plan[a]\n",
        ),
        (
            "richest: max",
            "pattern.extreme",
            {"function": "richest"},
            RICHEST,
            "def richest(rows):\n    return max(rows, key=len)\n",
        ),
        (
            "first: min",
            "pattern.extreme",
            {"function": "first"},
            "def first(rows):\n    return sorted(rows)[0] + 1\n",
            "def first(rows):\n    return min(rows) + 1\n",
        ),
        (
            "read URL from SHOP_URL and fall back to localhost",
            "from_environment",
            {"variable": "URL", "name": "SHOP_URL", "default": "localhost"},
            'import os\n\nURL = "http://localhost:80"\n',
            'import os\n\nURL = os.environ.get("SHOP_URL", "http://localhost:80")\n',
        ),
    ],
)
def test_helpers_go_with_what_they_help(
    text: str, intent: str, slots: dict[str, str], code: str, wanted: str
) -> None:
    assert edited(text, intent, slots, code) == wanted


def test_results_of_different_cases_are_not_returned_together() -> None:
    code = "def play(a):\n    print(a)\n"
    text = 'play returns the winner: "you", "me" or None'
    words = {"function": "play", "result": '"you", "me" or None'}
    assert not answer_to(code, text, "set_return", **words).ways


def test_the_one_of_max_and_min_that_is_said_is_used() -> None:
    first, last = "    if x < low:\n        x = low\n", "    if x > high:\n        x = high\n"
    code = f"def keep(x, low, high):\n{first}{last}    return x\n"
    made = changed(code, "use max in keep", "pattern.extreme", function="keep")
    assert made == code.replace(first, "    x = max(x, low)\n")
    found = answer_to(code.replace(last, ""), "use min in keep", "pattern.extreme", function="keep")
    assert "only max fits there" in found.ways[0].marked

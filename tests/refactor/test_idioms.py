# ruff: noqa: E501 - cases read better unbroken
"""What code does stays, and it is said in another way, where an order says which."""

from __future__ import annotations

import difflib

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """import json
import os
import sys

RETRIES = 3


def load(path):
    f = open(path)
    data = json.load(f)
    f.close()
    return data


def names(users):
    result = []
    for user in users:
        if user.active:
            result.append(user.name)
    return result


def find(items, wanted):
    for item in items:
        if item.key == wanted:
            return True
    return False


def total(orders):
    amount = 0
    for order in orders:
        amount += order.price
    return amount


def label(user):
    if user.admin:
        kind = "admin"
    else:
        kind = "user"
    return "%s (%s)" % (user.name, kind)


def show(rows):
    for i in range(len(rows)):
        print(i, rows[i])


def check(value, low, high):
    if value == None:
        return False
    if low <= value and value <= high:
        return True
    else:
        return False


def save(user, path):
    if user is not None:
        if user.name:
            target = os.path.join(path, user.name)
            with open(target, "w") as out:
                out.write(user.name + ": " + str(user.age))


def wait(seconds):
    delay = seconds * 60
    return delay + 30


def status(code):
    if code > 399:
        return "error"
    else:
        return "ok"


def squares(n):
    return [x * x for x in range(0, n)]


def count(words):
    seen = {}
    for word in words:
        if word not in seen:
            seen[word] = 0
        seen[word] += 1
    return seen


def first(pair):
    if len(pair) == 0:
        return None
    print("no pair", pair)
    a = pair[0]
    b = pair[1]
    return a + b
"""
LINES = CODE.split("\n")[:-1]

WITH = "-    f = open(path)\n-    data = json.load(f)\n-    f.close()\n+    with open(path) as f:\n+        data = json.load(f)"
LOOP = "-    result = []\n-    for user in users:\n-        if user.active:\n-            result.append(user.name)\n"
KEPT = f"{LOOP}+    result = [user.name for user in users if user.active]"
RETURNED = f"{LOOP}-    return result\n+    return [user.name for user in users if user.active]"
ANY = "-    for item in items:\n-        if item.key == wanted:\n-            return True\n-    return False\n+    return any(item.key == wanted for item in items)"
SUM = "-    amount = 0\n-    for order in orders:\n-        amount += order.price\n-    return amount\n+    return sum(order.price for order in orders)"
KIND = '-    if user.admin:\n-        kind = "admin"\n-    else:\n-        kind = "user"\n+    kind = "admin" if user.admin else "user"'
TURNED = '-    if user.admin:\n+    if not user.admin:\n+        kind = "user"\n+    else:\n         kind = "admin"\n-    else:\n-        kind = "user"'
LABEL = '-    return "%s (%s)" % (user.name, kind)\n+    return f"{user.name} ({kind})"'
ROWS = "-    for i in range(len(rows)):\n-        print(i, rows[i])\n+    for i, row in enumerate(rows):\n+        print(i, row)"
NONE = "-    if value == None:\n+    if value is None:"
CHAIN = "-    if low <= value and value <= high:\n+    if low <= value <= high:"
TOLD = "-    if low <= value and value <= high:\n-        return True\n-    else:\n-        return False\n+    return low <= value and value <= high"
SAVED = '-    if user is not None:\n-        if user.name:\n-            target = os.path.join(path, user.name)\n-            with open(target, "w") as out:\n-                out.write(user.name + ": " + str(user.age))\n'
MERGED = f'{SAVED}+    if user is not None and user.name:\n+        target = os.path.join(path, user.name)\n+        with open(target, "w") as out:\n+            out.write(user.name + ": " + str(user.age))'
GUARD = f'{SAVED}+    if user is None or not user.name:\n+        return\n+    target = os.path.join(path, user.name)\n+    with open(target, "w") as out:\n+        out.write(user.name + ": " + str(user.age))'
WRITTEN = '-                out.write(user.name + ": " + str(user.age))\n+                out.write(f"{user.name}: {user.age}")'
PATH = "+from pathlib import Path\n-            target = os.path.join(path, user.name)\n+            target = Path(path) / user.name"
INLINE = "-    delay = seconds * 60\n-    return delay + 30\n+    return seconds * 60 + 30"
MAX_OK = "+MAX_OK = 399\n-    if code > 399:\n+    if code > MAX_OK:"
ELSE = '-    else:\n-        return "ok"\n+    return "ok"'
STATUS = '-    if code > 399:\n-        return "error"\n-    else:\n-        return "ok"\n+    return "error" if code > 399 else "ok"'
RANGE = "-    return [x * x for x in range(0, n)]\n+    return [x * x for x in range(n)]"
GET = "-        if word not in seen:\n-            seen[word] = 0\n-        seen[word] += 1\n+        seen[word] = seen.get(word, 0) + 1"
EMPTY = "-    if len(pair) == 0:\n+    if not pair:"
STDERR = '-    print("no pair", pair)\n+    print("no pair", pair, file=sys.stderr)'
UNPACKED = "-    a = pair[0]\n-    b = pair[1]\n+    a, b = pair"
DEFAULT = "+from collections import defaultdict\n-    seen = {}\n+    seen = defaultdict(int)\n-        if word not in seen:\n-            seen[word] = 0"
COUNTER = "+from collections import Counter\n-    seen = {}\n-    for word in words:\n-        if word not in seen:\n-            seen[word] = 0\n-        seen[word] += 1\n-    return seen\n+    return Counter(words)"

CASES = [
    ("use a with statement in load", WITH),
    ("load leaks the file handle, use with", WITH),
    ("in load, open the file with a context manager", WITH),
    ("load should close the file even on errors, use with", WITH),
    ("turn the loop in names into a list comprehension", KEPT),
    ("list comp in names pls", KEPT),
    ("rewrite names as a comprehension and return it directly", RETURNED),
    ("names() could be a one-liner", RETURNED),
    ("use any() in find", ANY),
    ("switch label to f-strings", LABEL),
    ("simplify the loop in total", SUM),
    ("simplify the loop in names", KEPT),
    ("more pythonic loop in show", ROWS),
    ("context manager in load", WITH),
    ("unnest save", GUARD),
    ("`delay` is unnecessary", INLINE),
    ("replace the for loop in find by any", ANY),
    ("find could simply return any(...)", ANY),
    ("replace the loop in total with sum()", SUM),
    ("total should use sum", SUM),
    ("use a ternary in label", KIND),
    ("make the if/else in label a conditional expression", KIND),
    ("swap the branches in label", TURNED),
    ("check user.admin the other way round in label", TURNED),
    ("use an f-string for the return value of label", LABEL),
    ("don't use % formatting in label", LABEL),
    ("use enumerate in show", ROWS),
    ("show: enumerate instead of range(len())", ROWS),
    ("iterate over rows directly with enumerate, call the item row", ROWS),
    ("compare with is None in check", NONE),
    ("chain the comparison in check", CHAIN),
    ("check can just return the condition", TOLD),
    ("merge the nested ifs in save", MERGED),
    ("use an early return in save", GUARD),
    ("reduce nesting in save", GUARD),
    ("guard clause in save instead of the nested ifs", GUARD),
    ("replace string concatenation with f-string in save", WRITTEN),
    ("use pathlib instead of os.path", PATH),
    ("replace os.path.join with pathlib", PATH),
    ("inline delay", INLINE),
    ("delay in wait is only used once, inline it", INLINE),
    ("get rid of the temporary variable in wait", INLINE),
    ("pull 399 out into MAX_OK", MAX_OK),
    ("I'd like a constant for the 399 in status, call it MAX_OK", MAX_OK),
    ("remove the else in status", ELSE),
    ("no else after return in status please", ELSE),
    ("turn the if/else in status into a single return with a ternary", STATUS),
    ("the 0 in range is redundant", RANGE),
    ("use .get in count instead of the if", GET),
    ("use defaultdict in count", DEFAULT),
    ("use collections.Counter instead of the loop in count", COUNTER),
    ("use `not pair` instead of len(pair) == 0", EMPTY),
    ("print the no pair message to stderr", STDERR),
    ("use tuple unpacking in first instead of indexing", UNPACKED),
    ("extract `seconds * 60` into a variable called total_seconds", "-    delay = seconds * 60\n+    total_seconds = seconds * 60\n+    delay = total_seconds"),
    ("write the comprehension in squares as a loop", "-    return [x * x for x in range(0, n)]\n+    results = []\n+    for x in range(0, n):\n+        results.append(x * x)\n+    return results"),
    ("return the result of names() sorted", "-    return result\n+    return sorted(result)"),
    ("names should return its result sorted in reverse", "-    return result\n+    return sorted(result, reverse=True)"),
    ("convert all string formatting to f-strings", f"{LABEL}\n{WRITTEN}"),
]  # fmt: skip


def _diff(old: list[str], new: list[str], context: int) -> str:
    rows = list(difflib.unified_diff(old, new, n=context, lineterm=""))[2:]
    return "\n".join(row for row in rows if not row.startswith("@@"))


def _made(lines: list[str], order: str, **where: object) -> tuple[int, str]:
    """How plain, and the new text, of what comes first."""
    found = known(lines, order, **where)  # type: ignore[arg-type]
    if not found:
        return 0, "\n".join(lines)
    out = list(lines)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    return found[0].plain, "\n".join(out)


def _plain(code: str, order: str, **where: object) -> str:
    plain, text = _made(code.split("\n")[:-1], order, **where)
    assert plain == PLAIN
    return text + "\n"


@pytest.mark.parametrize(("order", "change"), CASES, ids=[order for order, _ in CASES])
def test_an_order_changes_the_lines_that_it_means_and_no_other(order: str, change: str) -> None:
    plain, text = _made(LINES, order)
    changed = [row for row in _diff(LINES, text.split("\n"), 0).split("\n") if row[:1] in "+-"]
    wanted = [row for row in change.split("\n") if row[:1] in "+-"]
    assert plain == PLAIN
    assert sorted(changed) == sorted(wanted)


@pytest.mark.parametrize(
    "order",
    [
        "use enumerate in total",
        "use any() in total",
        "inline wanted",
        "use a ternary in find",
        "merge the ifs in check",
        "turn the loop in show into a list comprehension",
        "use with in find",
        "remove the else in wait",
        "use sum in names",
        "use a set comprehension in names",
        "negate the return value of check",
        "remove range from squares",
        "why does show use range(len())?",
        "sort the imports",
        "inline delay and remove the else in status",
        "make 31 in wait a constant called GRACE",
        "use an early return in status and rename it to state_of",
    ],
)
def test_where_the_target_is_not_there_nothing_is_made_plainly(order: str) -> None:
    plain, _ = _made(LINES, order)
    assert plain != PLAIN


def test_a_selection_says_which_of_several_is_meant() -> None:
    at = LINES.index("    if user.admin:")
    plain, text = _made(LINES, "use a ternary", selection=(at, at + 4))
    assert plain == PLAIN
    assert 'kind = "admin" if user.admin else "user"' in text
    assert "if code > 399:" in text


def test_a_line_says_which_of_several_is_meant() -> None:
    at = LINES.index("    if code > 399:") + 1
    assert 'return "error" if code > 399 else "ok"' in _plain(CODE, f"use a ternary on line {at}")


def test_several_places_are_offered_and_none_is_plain() -> None:
    found = known(LINES, "use a ternary")
    assert len(found) > 1
    assert found[0].plain < PLAIN

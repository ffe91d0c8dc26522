"""Edits that fit the words and that the code makes no sense of are not made."""

import pytest
from intent.support import PATH, answered, result

PARSE = "def parse(text):\n    result = {}\n    for line in text.split():\n        result[line] = 1\n"
PARSE += "    return result\n"
REMOVE = (
    "def remove(tasks, title):\n    for t in tasks:\n        if t == title:\n            tasks.remove(t)\n"
)
REPORT = (
    "def report(rows):\n    for row in rows:\n        print(row)\n\n\ndef main(rows):\n    report(rows)\n"
)


@pytest.mark.parametrize(
    ("code", "intent", "slots", "never"),
    [
        (
            REMOVE,
            "guard_raise",
            {"exception": "KeyError", "condition": "there is no such task", "function": "remove"},
            "if t not in tasks",
        ),
        (PARSE, "strip_value", {"variable": "result", "function": "parse"}, "result.strip()"),
        (REPORT, "sort_by", {"variable": "report", "function": "main"}, "sorted(report(rows))"),
    ],
)
def test_it_is_not_offered(code, intent, slots, never):
    found = answered({PATH: code}, (intent, slots))
    assert all(never not in result(found, {PATH: code}, PATH) for _ in found.ways)


def test_of_two_functions_that_may_be_meant_none_is_taken():
    code = "def one(a):\n    return a\n\n\ndef two(b):\n    return b\n"
    assert not answered({PATH: code}, ("add_log", {"level": "debug"})).ways

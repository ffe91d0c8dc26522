"""Messages that ask for another form of what was written."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

HEAD, END = "def pick(rows, most):\n", "    return rows\n"
LOOP = "def pick(rows, most):\n    for row in rows:\n        if row > most:\n            rows.pop()\n"


@pytest.mark.parametrize(
    ("branch", "message", "wanted"),
    [
        ("if most > 9:\n        most = 9", "one line is enough", "most = min(most, 9)"),
        ("if not most:\n        most = 9", "shorter please", "most = most or 9"),
        ("if rows:\n        most = 9", "as a one-liner", "most = 9 if rows else most"),
        (
            'if most < 1:\n        raise ValueError("too few")',
            "an assert is enough",
            'assert most >= 1, "too few"',
        ),
        ('print("most", most)', "as an f-string", 'print(f"most {most}")'),
        ("rows = [row for row in rows]", "a generator", "rows = (row for row in rows)"),
        ("rows = sorted(rows, reverse=True)", "in place", "rows.sort(reverse=True)"),
    ],
)
def test_what_was_written_takes_another_form(branch: str, message: str, wanted: str) -> None:
    written = HEAD + f"    {branch}\n" + END
    _, text = answer_behind(HEAD + END, written, message, "amend.other_reading")
    assert text == HEAD + f"    {wanted}\n" + END


@pytest.mark.parametrize("message", ["put it in the same if", "without the continue"])
def test_a_guard_in_a_loop_goes_into_the_test_after_it(message: str) -> None:
    guard = "        if row is None:\n            continue\n"
    written = LOOP.replace("        if row > most", f"{guard}        if row > most")
    _, text = answer_behind(LOOP, written, message, "delete_statement")
    assert text == LOOP.replace("if row > most", "if row is not None and row > most")


def test_what_follows_a_guard_stands_under_the_opposite_test() -> None:
    was = "def pick(rows, out):\n    for row in rows:\n        out.append(row)\n        print(row)\n"
    guard = "        if row is None:\n            continue\n"
    written = was.replace("        out", f"{guard}        out")
    _, text = answer_behind(was, written, "no continue", "amend.except")
    body = "        if row is not None:\n            out.append(row)\n            print(row)\n"
    assert text == "def pick(rows, out):\n    for row in rows:\n" + body

"""Orders that a clause turns, questions, and edits that leave code which cannot run: none is plain."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known
from spark_tui.refactor.turns import asked, narrowed, spared, turned

JOB = """\
import csv
import os.path
import sys

PORT = 5000
TIMEOUT = 30
LIMIT = 100


def load(path):
    rows = []
    f = open(path, "r")
    for row in csv.DictReader(f):
        rows.append(row)
    f.close()
    return rows


def clean(rows):
    total = 0
    for i in range(len(rows)):
        total += len(rows[i])
        print(rows[i])
    return total


class Shape:
    name = "shape"

    def area(self):
        return 0

    def describe(self):
        print("shape")
        return "{} {}".format(self.name, self.area())

    def wait(self):
        delay = 0.5
        time.sleep(delay)
        if delay > 1:
            return
        print(os.path.join("a", "b"))


def main():
    rows = load("in.csv")
    print(clean(rows))
    if len(rows) > 100:
        sys.exit(1)


main()
"""


def plain(say: str, source: str = JOB) -> str | None:
    """The text that is plainly meant, None where none is."""
    lines = source.split("\n")[:-1]
    found = known(lines, say)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    "say",
    [
        "no need to change the port to 8080",
        "don't rename total to count",
        "do not rename total to count",
        "never set TIMEOUT to 60",
        "TIMEOUT 60 was too long",
        "change the port to 8080 unless it is used",
        "change the port to 8080 if needed",
        "set TIMEOUT to 60 in tests",
        "why is the timeout 30?",
        "what if the port were 8080?",
        "should we use enumerate in clean?",
        "is the port 8080?",
        'add a path parameter to main, default "in.csv", and use it',
        "rename total to count in clean but keep the name in main",
        "rename LIMIT to MAXIMUM except in the comments",
        "remove the line that sets delay",
        "remove the csv import",
        "delete load",
        "describe should return the name",
        "replace return with continue in wait",
        "continue instead of return in wait",
        "use f-strings except in the describe line",
    ],
)
def test_nothing_is_plain(say: str) -> None:
    assert plain(say) is None


@pytest.mark.parametrize(
    ("say", "was", "becomes"),
    [
        ("rename rows to records in clean", "def clean(rows)", "def clean(records)"),
        ("rename path to source in load only", "def load(path)", "def load(source)"),
        ("rename path to source only in load", "def load(path)", "def load(source)"),
        ("rename rows to records except in main", "def clean(rows)", "def clean(records)"),
        ("set PORT to 8080", "PORT = 5000", "PORT = 8080"),
        ("PORT 8080 not 5000", "PORT = 5000", "PORT = 8080"),
        ("use enumerate in clean", "for i in range(len(rows))", "enumerate(rows)"),
        ("import time", "import sys\n", "import sys\nimport time\n"),
        ("LIMIT should be 50 instead of 100", "LIMIT = 100", "LIMIT = 50"),
    ],
)
def test_what_turns_nothing_is(say: str, was: str, becomes: str) -> None:
    text = plain(say)
    assert text is not None and becomes in text and was not in text.replace(becomes, "")


def test_lines_that_an_order_keeps_out_stay() -> None:
    text = plain("rename rows to records except in main")
    assert text is not None
    assert text[text.index("def main") :] == JOB[JOB.index("def main") :]
    assert "rows" not in text[: text.index("def main")]
    inner = plain("remove all prints but not in clean")
    assert inner is not None and "print(rows[i])" in inner and 'print("shape")' not in inner


def test_what_the_kept_out_lines_still_need_is_no_edit() -> None:
    assert plain("rename LIMIT to MOST except in main", JOB.replace("> 100", "> LIMIT")) is None


def test_clauses_are_told_from_the_order() -> None:
    assert spared("rename a to b, but not in main") == ("rename a to b", "main")
    assert spared("catch OSError in the except in main") == ("catch OSError in the except in main", "")
    assert spared("print 'all except in main'") == ("print 'all except in main'", "")
    assert narrowed("make b keyword only in f") == "make b keyword only in f"
    assert narrowed("rename a to b only in f") == "rename a to b in f"
    assert not turned('print "but not now"')
    assert not asked("why don't you sort the imports?")
    assert not asked("is there a reason for 2? use 12")

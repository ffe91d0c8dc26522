"""Line numbers that a model copies from a tool's output into an edit."""

import pytest

from spark_tui.edits.parser import Parser
from spark_tui.edits.places.line_numbers import find_numbered, numbered, without_numbers
from spark_tui.edits.places.locate import LineFinder, NoMatch

FILE = ("def f(x):", "    y = 1", "", "    return y", "", "def g(x):", "    y = 1")


def edited(old, new, file=FILE):
    """The place and the lines that an edit means, or why it is refused."""
    quoted = numbered(old)
    if quoted is None:
        return None
    found = find_numbered(LineFinder(file), quoted)
    if isinstance(found, NoMatch):
        return found.message
    return found[1].start, without_numbers(new, found[0])


@pytest.mark.parametrize("form", ["{}\t{}", "{}| {}", "{}|{}", "  {} | {}", "{}: {}", "{}:{}", "   {}→{}"])
def test_numbers_are_left_out_of_both_sides(form):
    old = [form.format(1, FILE[0]), form.format(2, FILE[1]), form.format(3, ""), form.format(4, FILE[3])]
    new = ["def f(x):", "    return 1"]
    assert edited(old, new) == (0, tuple(new))
    assert edited(old, [form.format(1, new[0]), form.format(2, new[1])]) == (0, tuple(new))
    assert edited(old, [form.format(1, new[0]), new[1]]) == (0, None)


def test_numbers_decide_between_equal_places_and_may_be_out_of_date():
    assert edited(["7\t    y = 1"], ["    y = 2"]) == (6, ("    y = 2",))
    assert "several places" in edited(["9\t    y = 1"], ["    y = 2"])
    assert edited(["9\tdef g(x):"], []) == (5, ())


def test_what_may_be_data_is_refused():
    assert numbered(["1\ta", "3\tb"]) is None
    assert numbered(["1\ta", "b"]) is None
    assert "without them" in edited(["1\t5\ta"], ["5\tb"], ("5\ta",))
    assert edited(["2\t    y = 1"], ["5\tb"]) is not None
    assert edited(["4\t    return y"], ["5\tb"]) == (3, None)
    assert edited(["4\t    return y"], ["4\tb", "42"]) == (3, None)
    assert "without them" in edited(["4\treturn y"], ["return x"])


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("1\tdef f(x):\n2\t    y = 1", "1\tdef f(x):\n2\t    y = 2", [(2, ("    y = 2",))]),
        ("4 |     return y", "    return -y", [(4, ("    return -y",))]),
        ("7\t    y = 1", "7\t    y = 3", [(7, ("    y = 3",))]),
        ("4\t    return z", "4\t    return y + 1", None),
        ("1\tdef f(x):\n2\t    y = 1", "1\tdef f(x):\n9\t    y = 2", None),
    ],
)
def test_a_block_in_text_may_have_them_too(old, new, changed):
    text = f"a.py\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
    parser = Parser("auto", lambda _: FILE)
    assert [*parser.feed(text), *parser.finish()]
    hunks = [(hunk.old_start, hunk.new_lines) for hunk in parser.hunks]
    assert (len(parser.failures), hunks) == ((1, []) if changed is None else (0, changed))

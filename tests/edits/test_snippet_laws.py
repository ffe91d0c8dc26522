"""A snippet with gaps changes what it shows, or nothing: bodies of repeated lines, and windows by chance."""

from difflib import SequenceMatcher

import pytest
from edits.test_shape_laws import NAMES, PATH, dedented, fenced
from hypothesis import strategies as st
from support.property_tests import law

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser

DOTS = "# ... existing code ..."
STATEMENTS = [
    ["x = 1"],
    ["x = 2"],
    ["self.count = 1"],
    ["log(x)"],
    ["log(y)"],
    ["return None"],
    ["log(x)", ""],
    ["if x:", "    log(x)"],
    ["for x in items:", "    log(x)", ""],
    ["while (x) {", "    log(y);", "}"],
]
LINES = ["z = 3", "check(items)", "x = 10", "x = 1", "log(x)", "log(y)", "self.count = 2", "return None"]


def windows(old, new, around, more):
    """The stretches of the new body that are shown: what changed, `around` lines on each side of it from one
    that is not blank, and one line `more`."""
    kept = set(more)
    for tag, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        low, high = max(first - around[0], 0), min(last + around[1], len(new))
        while low and not any(new[low:first]):
            low -= 1
        while high < len(new) and not any(new[last:high]):
            high += 1
        kept |= {row for row in range(low, high) if any(new[low : row + 1]) and any(new[row:high])}
    out = []
    for row in sorted(kept):
        if out and out[-1][1] == row:
            out[-1] = out[-1][0], row + 1
        else:
            out.append((row, row + 1))
    return out


def fits(old, new, shown, bounded, start=0):
    """Whether the old body has the shown lines, one stretch after the other."""
    if not shown:
        return True
    (low, high), *later = shown
    for at in range(start, len(old) - (high - low) + 1):
        begins = at == 0 or not (bounded and low == 0)
        ends = at + high - low == len(old) or not (bounded and high == len(new))
        if (
            begins
            and ends
            and old[at : at + high - low] == new[low:high]
            and fits(old, new, later, bounded, at + high - low)
        ):
            return True
    return False


@st.composite
def snippets(draw):
    """The file's lines before and after, the answer, and whether the file fits the snippet as it is."""
    some = st.lists(
        st.sampled_from(draw(st.lists(st.sampled_from(STATEMENTS), min_size=2, max_size=5))), min_size=1
    )
    names = NAMES[: draw(st.integers(1, 3))]
    bodies = [[*(line for lines in draw(some) for line in lines), f"return {name}_of(x)"] for name in names]
    at = draw(st.integers(0, len(names) - 1))
    old = bodies[at]
    row = draw(st.sampled_from([row for row, line in enumerate(old[:-1]) if line and line[-1] not in "{}"]))
    line = draw(st.sampled_from(["", *LINES]))
    indent = old[row][: len(old[row]) - len(old[row].lstrip())]
    kept = draw(st.integers(0, 1)) if line else 0
    new = [*old[:row], *([indent + line] if line else []), *old[row + 1 - kept :]]
    around = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    more = draw(st.sets(st.sampled_from(range(len(new))), max_size=1)) if new else set()
    shown = windows(old, new, around, {row for row in more if new[row]})

    home = draw(st.sampled_from(["", "Cart"]))
    outer = "    " if home else ""
    tab = draw(st.sampled_from(["    ", "\t"]))

    def placed(lines):
        return [(outer + "    " + line).replace("    ", tab) if line else "" for line in lines]

    def head(name):
        return f"{outer}def {name}(self, items):".replace("    ", tab)

    def file(body):
        lines = ["import os", "", *([f"class {home}:"] if home else [])]
        for k, name in enumerate(names):
            lines += ["", head(name), *placed(body if k == at else bodies[k])]
        return lines

    code = []
    end = 0
    for low, high in shown:
        code += [*placed([DOTS] if low > end else []), *placed(new[low:high])]
        end = high
    code += placed([DOTS] if end < len(new) else [])
    bounded = draw(st.booleans()) or (old[:1], old[-1:]) != (new[:1], new[-1:])
    code = [head(names[at]), *code] if bounded else code
    if code and draw(st.booleans()):
        code = dedented(code)
    answer = f"{PATH}\n{fenced(code)}".replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return file(old), file(new), answer, fits(old, new, shown, bounded)


@law(snippet=snippets(), quick=150)
def test_a_snippet_changes_what_it_shows_or_nothing(snippet):
    before, after, answer, fits_already = snippet
    parser = Parser("auto", {PATH: before}.get, shown=(PATH,))
    for _ in (*parser.feed(answer), *parser.finish()):
        pass
    new = apply_to_lines(before, parser.hunks)
    if parser.failures or fits_already:
        assert new in (before, after)
    else:
        assert new == after


@pytest.mark.parametrize("head", ["    def total(self, tax):", "def total(self):"])
def test_a_method_is_not_taken_for_the_function_of_the_same_name(head):
    """By its indentation, or by its head."""
    before = [
        "def total(cart):",
        "    return 1",
        "",
        "class Cart:",
        "    def total(self):",
        "        return 2",
    ]
    width = len(head) - len(head.lstrip())
    code = [head, " " * width + "    return 3"]
    parser = Parser("auto", {PATH: before}.get, shown=(PATH,))
    assert list(parser.feed(f"{PATH}\n{fenced(code)}")) and not list(parser.finish())
    after = [*before[:4], "    " + head.strip(), "        return 3"]
    assert apply_to_lines(before, parser.hunks) == after


def test_an_import_of_a_function_is_not_one_of_the_file():
    before = ["import os", "", "def load():", "    import json", "    return json", "", "x = 1"]
    code = ["    import json", "    import toml", "    return json"]
    parser = Parser("auto", {PATH: before}.get, shown=(PATH,))
    assert list(parser.feed(f"{PATH}\n{fenced(code)}")) and not list(parser.finish())
    assert apply_to_lines(before, parser.hunks) == [*before[:4], "    import toml", *before[4:]]

"""Code in a fence goes where it was meant to go, or nowhere: files, changes and shapes by chance."""

from hypothesis import strategies as st
from support.property_tests import law

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser

PATH = "src/app.py"
BODY = ["x = 1", "x = 2", "y = x + 1", "log(x)", "log(y)", "items.append(x)", "for x in items:", "    log(x)"]
NAMES = ["load", "save", "total", "main"]


def function(name, body, indent):
    return [
        f"{indent}def {name}(self, items):",
        *(f"{indent}    {line}" for line in body),
        f"{indent}    return {name}_of(x)",
    ]


@st.composite
def changed_files(draw):
    """The file's lines before and after; the changed definition before and after, its class or none."""
    bodies = st.lists(st.sampled_from(BODY), min_size=1, max_size=7)
    functions = [(name, draw(bodies)) for name in draw(st.permutations(NAMES))[: draw(st.integers(2, 4))]]
    home = draw(st.sampled_from(["", "Cart"]))
    indent = "    " if home else ""
    at = draw(st.integers(0, len(functions) - 1))
    old_body = functions[at][1]
    row = draw(st.integers(0, len(old_body) - 1))
    change = draw(st.sampled_from(["replace", "insert", "delete"]))
    line = draw(st.sampled_from(["z = 3", "check(items)", "x = 10"]))
    new_body = list(old_body)
    new_body[row : row + (change != "insert")] = [] if change == "delete" else [line]

    def file(bodies):
        lines = ["import os", ""]
        if home:
            lines += ["", f"class {home}:"]
        for k, (name, body) in enumerate(bodies):
            lines += [
                *([""] if k or not home else []),
                *([""] if not home else []),
                *function(name, body, indent),
            ]
        return lines

    after = [*functions]
    after[at] = (functions[at][0], new_body)
    name = functions[at][0]
    sides = function(name, old_body, indent), function(name, new_body, indent)
    return file(functions), file(after), sides, home, (row, len(new_body) - len(old_body))


def fenced(lines):
    return "```python\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def dedented(lines):
    width = len(lines[0]) - len(lines[0].lstrip())
    return [line[width:] for line in lines]


def in_shape(shape, before, after, sides, home, place):
    old, new = sides
    row, grown = place
    dots = "    " * (1 + bool(home)) + "# ... existing code ..."
    outer = [f"class {home}:", "    # ... existing code ...", ""] if home else ["# ... existing code ...", ""]
    if shape == "definition":
        return "Here it is:\n\n" + fenced(new)
    if shape == "dedented":
        return f"{PATH}\n" + fenced(dedented(new))
    if shape == "elided file":
        return f"{PATH}\n" + fenced([*outer, *new])
    if shape == "whole":
        return f"{PATH}\n" + fenced(after)
    if shape == "pair":
        return "Replace\n\n" + fenced(old) + "\nwith\n\n" + fenced(new)
    low, high = max(row - 1, 0), min(row + 2 + max(grown, 0), len(new) - 1)
    body = new[1 + low : 1 + high]
    part = [*([dots] if low else []), *body, *([dots] if 1 + high < len(new) else [])]
    return f"{PATH}\n" + fenced([*outer, new[0], *part])


SHAPES = ("definition", "dedented", "elided file", "elided definition", "whole", "pair")


@law(change=changed_files(), shape=st.sampled_from(SHAPES), quick=60)
def test_a_change_goes_to_its_place_or_nowhere(change, shape):
    before, after, *rest = change
    parser = Parser("auto", {PATH: before}.get, shown=(PATH,))
    for _ in parser.feed(in_shape(shape, before, after, *rest)):
        pass
    for _ in parser.finish():
        pass
    new = apply_to_lines(before, parser.hunks)
    if parser.failures:
        assert new == before
    elif shape == "elided definition":
        assert new in (after, before)
    else:
        assert new == after

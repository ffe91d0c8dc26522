"""Lines that an edit makes longer than all of their file are broken inside of a bracket; those that are
aligned with a bracket move with it."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Sequence

from spark_tui.codemods.plan import Edit
from spark_tui.codemods.rewriting.edits import is_same_tree, string_lines
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_WORD = re.compile(r"\b(?:async\s+for|for|if)\b")
_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_LEAST, _MOST = 88, 120
_NOTHING = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)


def with_broken_lines(source: Source, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, where a statement of one line that one of them makes too long is broken."""
    widest, alone = widest_line(source), _alone(source, edits)
    return [_broken(source, one, widest) if id(one) in alone else one for one in edits]


def _alone(source: Source, edits: Sequence[Edit]) -> set[int]:
    """Which edits share their lines with no other one."""
    rows = sorted(edits, key=lambda one: (one.start, one.end))
    spans = [_lines(source, one) for one in rows]
    out = set()
    for at, (low, high) in enumerate(spans):
        before, behind = rows[max(at - 1, 0) : at], rows[at + 1 : at + 2]
        if all(one.end < low for one in before) and all(one.start > high for one in behind):
            out.add(id(rows[at]))
    return out


def _lines(source: Source, edit: Edit) -> tuple[int, int]:
    """Where the first line of what is replaced begins, and the last one ends."""
    low = source.text.rfind("\n", 0, edit.start) + 1
    whole = edit.new.endswith("\n") and source.text[edit.end - 1 : edit.end] == "\n"
    high = edit.end - 1 if whole else source.text.find("\n", edit.end)
    return low, len(source.text) if high < 0 else high


def _broken(source: Source, edit: Edit, widest: int) -> Edit:
    low, high = _lines(source, edit)
    behind = source.text[edit.end : high]
    text = source.text[low : edit.start] + (edit.new + behind if edit.end <= high else edit.new[:-1])
    if any(sign in text for sign in ("#", "\r", "\\", '"""', "'''")):
        return edit
    lines = text.split("\n")
    shown = [_fitted(source, line, widest) if len(line) > widest else line for line in lines]
    return edit if shown == lines else Edit(edit.path, low, high, "\n".join(shown))


def _fitted(source: Source, line: str, widest: int) -> str:
    """A line that is a statement, on as many lines as it needs."""
    text, indent = line.strip(), line[: len(line) - len(line.lstrip())]
    made = Source(text + "\n")
    if len(made.body) != 1:
        return line
    room = widest - len(indent)
    for shown in _ways(made, made.body[0], text, source.indent_unit, room):
        if is_same_tree(made.tree, Source(shown + "\n").tree):
            return indent + shown.replace("\n", f"\n{indent}")
    return line


def _ways(made: Source, stmt: ast.stmt, text: str, unit: str, room: int) -> Iterator[str]:
    """The statement, broken in its widest bracket that ends with it: all on one line, or part by part."""
    spans = ((made.span(node), node) for node in walk(stmt) if isinstance(node, ast.Call | _COMPREHENSION))
    for (low, high), node in sorted(spans, key=lambda item: item[0][0] - item[0][1]):
        if high != len(text):
            continue
        if isinstance(node, ast.Call):
            low = text.index("(", made.span(node.func)[1])
            if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
                continue  # that is broken itself
        if node.__class__ is ast.GeneratorExp and text[low] != "(":
            continue
        front, inner, end = text[: low + 1], text[low + 1 : high - 1], text[high - 1 :]
        if not inner:
            continue
        pieces = [inner] if len(unit + inner) <= room else list(_pieces(made, node, low + 1, high - 1))
        yield "\n".join((front, *(unit + piece for piece in pieces), end))
        return


def _pieces(made: Source, node: ast.Call | _COMPREHENSION, low: int, high: int) -> Iterator[str]:
    """The parts of what stands in a bracket: each argument with its comma, each `for` and `if`."""
    text = made.text
    if isinstance(node, ast.Call):
        given = [*node.args, *node.keywords]
        starts = [made.span(one)[0] for one in given]
        for start, end in zip(starts, (*starts[1:], high), strict=True):
            yield text[start:end].rstrip().rstrip(",") + ","
        return
    last = made.span(node.value if isinstance(node, ast.DictComp) else node.elt)[1]
    for part in node.generators:
        for inner in (part.target, *part.ifs):
            found = [match.start() + last for match in _WORD.finditer(text[last : made.span(inner)[0]])]
            yield text[low : found[-1]].rstrip()
            low = found[-1]
            last = made.span(part.iter if inner is part.target else inner)[1]
    yield text[low:high].strip()


def widest_line(source: Source) -> int:
    """From which width on a line is too long, by the longest one of its file."""
    return min(max(_LEAST, *map(len, source.text.splitlines())), _MOST)


def shifted_lines(source: Source, low: int, high: int, by: int, others: int = 0) -> Iterator[Edit]:
    """The edits that move the lines of the code between two offsets `by` columns, where they are aligned with
    a bracket on its first line; the others by `others`."""
    line, last = source.position(low)[0], source.position(high)[0]
    column = _aligned_with(source, low, high) if line < last else None
    inside = string_lines(source) if line < last else set()
    for at in range(line + 1, last + 1):
        text, start = source.lines[at], source.starts[at]
        lead = len(text) - len(text.lstrip(" \t"))
        move = max(by if column is not None and lead > column else others, -lead)
        if move and at not in inside and text.strip():
            end, blank = start + lead, text[:lead][-1:] or source.indent_unit[:1]
            yield Edit(source.path, end - max(-move, 0), end, blank * max(move, 0))


def _aligned_with(source: Source, low: int, high: int) -> int | None:
    """The column of the outermost bracket that is open at the end of a line, with code behind it there."""
    line = source.position(low)[0]
    opened: list[tuple[int, bool]] = []
    for token in source.tokens:
        if not low <= token.span[0] < min(high, source.starts[line + 1]) or token.kind in _NOTHING:
            continue
        opened = [(column, True) for column, _ in opened]
        if token.kind == tokenize.OP and token.text in "([{":
            opened.append((token.span[0] - source.starts[line], False))
        elif token.kind == tokenize.OP and token.text in ")]}" and opened:
            opened.pop()
    return next((column for column, filled in opened if filled), None)

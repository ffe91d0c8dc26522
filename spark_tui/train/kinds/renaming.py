"""Replaces a name in a range of lines, f-string fields included, and checks that nothing else changed."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from spark_tui.train.source_windows import Change, apply_changes, parse


class _Renamer(ast.NodeTransformer):
    """Renames names and parameters of a range of lines in the tree."""

    def __init__(self, old: str, new: str, first: int, last: int) -> None:
        self.old, self.new, self.first, self.last = old, new, first, last

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == self.old and self.first <= node.lineno <= self.last:
            node.id = self.new
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        if node.arg == self.old and self.first <= node.lineno <= self.last:
            node.arg = self.new
        return self.generic_visit(node)


_FIELD = re.compile(r"\{[^{}]*\}")


def renamed(text: str, old: str, new: str, first: int, last: int) -> str | None:
    """The text with the name replaced on these lines, f-string fields included; None if anything else would
    change."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):
        return None
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    changes: list[Change] = []
    depth, header = 0, False
    for at, token in enumerate(tokens):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        header = token.string in ("def", "lambda") or (
            header and token.type != tokenize.NEWLINE and token.string != "lambda"
        )
        low = starts[token.start[0] - 1] + token.start[1]
        if not first <= token.start[0] <= last:
            continue
        if token.type == tokenize.NAME and token.string == old and tokens[at - 1].string != ".":
            keyword = depth > 0 and tokens[at + 1].string == "=" and not header
            if not keyword:
                changes.append((low, low + len(old), new))
        elif token.type == tokenize.STRING and re.match(r"[rR]?[fF]", token.string):
            for field in _FIELD.finditer(token.string):
                head = re.split(r"[!:](?!=)", field[0])[0]
                changes += [
                    (low + field.start() + m.start(), low + field.start() + m.end(), new)
                    for m in re.finditer(rf"(?<![\w.'\"]){old}(?![\w'\"])", head)
                ]
    after = apply_changes(text, changes)
    want, have = parse(text), parse(after)
    if want is None or have is None or not changes:
        return None
    return after if ast.dump(_Renamer(old, new, first, last).visit(want)) == ast.dump(have) else None

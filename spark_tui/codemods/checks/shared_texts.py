"""Texts that one place sets and another asks for, of which a change touches one: `"end"` in a tuple and in
`kind != "end"`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import text_in
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.tree_comparison import changed_statements

_WORD = re.compile(r"[^\s%{}]{2,30}")
"""What may stand for something: no message and no format."""


def shared_texts(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a file still asks for a text that nothing sets any more, or uses one in place of a text that
    stays in a collection of the module."""
    for path in paths:
        if not before.has(path) or not after.has(path):
            continue
        was_source, source = before.index.source(path), after.index.source(path)
        if _quoting(was_source) == _quoting(source):
            continue
        yield from _unknown_keys(was_source, source)
        changed = changed_statements(was_source, source)
        gone, come = (_texts(ast.Module(statements, [])) for statements in changed)
        if all(len(gone[text]) <= len(come.get(text, ())) for text in gone):
            continue  # none is lost
        old, new = _texts(was_source.tree), _texts(source.tree)
        lost = [text for text in new if len(new[text]) < len(old.get(text, ()))]
        made = [text for text in new if text not in old]
        for text in lost:
            now = [(_role(source, node), node.lineno) for node in new[text]]
            was = Counter(_role(was_source, node) for node in old[text])
            left = Counter(role for role, _ in now)
            line = dict(reversed(now))
            if was["set"] + was["listed"] and not left["set"] + left["listed"] and left["asked"]:
                yield _finding(path, line["asked"], f"nothing sets {text!r} any more")
            elif was["listed"] > left["listed"]:
                yield _finding(path, min(line.values()), f"it still has {text!r}")
            elif left["listed"] and made:
                yield _finding(path, line["listed"], f"only {text!r} is listed there, not {made[0]!r}")
            elif was["asked"] > left["asked"] and left["set"] and made:
                yield _finding(path, line["set"], f"it still sets {text!r}, not {made[0]!r}")


def _quoting(source: Source) -> list[str]:
    """The lines with a quote. Where they stay, so do all texts."""
    return [line for line in source.lines if '"' in line or "'" in line]


def _unknown_keys(old: Source, new: Source) -> Iterator[Finding]:
    """New texts in a list of the module whose other texts are all keys of a dictionary, as they are not."""
    had = {name: texts for name, texts, _ in _lists(old)}
    alike = [(texts, had.get(name, frozenset()) & texts, line) for name, texts, line in _lists(new)]
    added = [
        (text, known, line)
        for texts, known, line in alike
        if len(known) > 1
        for text in sorted(texts - known)
    ]
    nodes = walk(new.tree) if added else ()
    dicts = [{*map(text_in, node.keys)} for node in nodes if isinstance(node, ast.Dict)]
    for text, known, line in added:
        if any(known <= keys and text not in keys for keys in dicts):
            yield _finding(new.path, line, f"nothing has {text!r} beside {min(known)!r}")


def _lists(source: Source) -> Iterator[tuple[str, frozenset[str], int]]:
    """The names of collections in a module, with the texts in each and its line."""
    for node in source.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple | ast.Set):
            yield ast.unparse(node.targets[0]), frozenset(map(text_in, node.value.elts)), node.lineno


def _finding(path: str, line: int, reason: str) -> Finding:
    return Finding(path, line, "shared texts", reason, sure=False)


def _texts(tree: ast.AST | None) -> dict[str, list[ast.Constant]]:
    """The short texts in some code with their places."""
    out: dict[str, list[ast.Constant]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Constant) and (text := text_in(node)) and _WORD.fullmatch(text):
            out.setdefault(text, []).append(node)
    return out


def _role(source: Source, node: ast.Constant) -> str:
    """What a place does with its text: a collection of the module lists it, what is compared or looked up is
    asked for, and all else is set."""
    around = source.parents.get(node)
    if isinstance(around, ast.Tuple | ast.List | ast.Set | ast.Dict):
        outer = source.parents.get(around)
        if isinstance(outer, ast.Assign | ast.AnnAssign) and outer in source.body:
            is_value = isinstance(around, ast.Dict) and node in around.values
            return "set" if is_value else "listed"
        around = outer if isinstance(outer, ast.Compare) else around
    if isinstance(around, ast.Compare | ast.MatchValue):
        return "asked"
    return "asked" if isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Load) else "set"

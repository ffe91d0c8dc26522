"""Finders for statements: conditions, loops, returns, and statements that a text shows or names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import dropwhile, takewhile
from keyword import iskeyword

from spark_tui.intent.context.anchors import (
    Anchor,
    Search,
    finder,
    head_text,
    is_same_code,
    is_same_expression,
    nodes,
    parsed,
)
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Area
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.finders.described import described
from spark_tui.intent.finders.expressions import call_score, keep_best, mentions, names_in_node
from spark_tui.intent.finders.same_form import of_same_form
from spark_tui.intent.values.likely.incomplete_readings import number_of_line
from spark_tui.intent.words.phrases import is_said, value, without_articles, words
from spark_tui.intent.words.phrases import mentions as says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.pysource.syntax.walking import LOOPS, walk
from spark_tui.pysource.tree_comparison import parse_statement


@finder
def test(at: Search) -> Iterator[Anchor]:
    """The conditions of `if`, `while` and conditional expressions."""
    text = at.context.text(at.slot) if at.slot else ""
    heads = [node for node in walk(at.root) if isinstance(node, ast.If | ast.While | ast.IfExp)]
    tests = [(head.test, head) for head in sorted(heads, key=lambda node: (node.lineno, node.col_offset))]
    tests = [(one, owner) for one, owner in tests if at.source.span(one)[0] >= 0]
    if not text:
        statements = [(one, owner) for one, owner in tests if not isinstance(owner, ast.IfExp)]
        for one, owner in statements or tests:
            yield Anchor(Area(""), one, weight=0.9, extra={"owner": owner})
        return
    wanted = parsed(text)
    visible = at.context.visible(at.source.path, at.root)
    found: list[tuple[float, ast.AST, ast.AST]] = []
    for one, owner in tests:
        if (wanted is not None and is_same_expression(wanted, one)) or is_same_code(
            at.source.segment(one), text.removeprefix("if ").rstrip(":")
        ):
            found.append((1.0, one, owner))
        elif wanted is not None and any(is_same_expression(wanted, part) for part in walk(one)):
            found.append((0.7, one, owner))
    if not found:
        from spark_tui.intent.conditions import worded

        for read in worded.parse_condition(text, visible.expression):
            tree = parsed(read.code)
            found += [(0.9, one, owner) for one, owner in tests if is_same_expression(tree, one)]
    if not found:
        found = [(0.6, one, owner) for one, owner in tests if mentions(one, text)]
    if not found:
        spoken = set(re.findall(r"[^\W\d]\w+", text))
        found = [
            (0.5, one, owner)
            for one, owner in tests
            if spoken & {n for e in walk(one) if isinstance(e, ast.expr) for n in names_in_node(e)}
        ]
    top = max((score for score, *_ in found), default=0.0)
    for score, test_node, holder in found:
        if score == top:
            yield Anchor(Area(""), test_node, weight=score, extra={"owner": holder})


_GO = ("delete_statement", "comment_out", "replace_statement")
_PIECE = 0.5
"""How well a statement fits whose text only has the words in it."""
_HANDLER = re.compile(r"except\s+[\w.(,\s)]+:\s*\S")


@finder
def statement(at: Search) -> Iterator[Anchor]:
    """The statements that a text shows or names."""
    text = at.context.text(at.slot).strip("`").strip()
    line = at.context.situation.line if not text else number_of_line(text)
    if line and at.source.path == at.context.situation.path:
        shown = [item for item in at.source.statements if item.lineno <= line <= at.source.last_line(item)]
        if shown:
            yield Anchor(Area(""), max(shown, key=lambda node: node.lineno))
            return
    if not text:
        lines = at.context.situation.selection
        if lines and at.source.path == at.context.situation.path:
            inside = [
                item
                for item in at.source.statements
                if lines[0] <= item.lineno and at.source.last_line(item) <= lines[1]
            ]
            outer = [item for item in inside if at.source.parents.get(item) not in inside]
            if outer:
                yield Anchor(Area(""), outer[0], last=outer[-1])
        return
    if at.context.reading.intent == "delete_statement" and _HANDLER.match(text):
        return  # a handler is no statement
    every = [
        node for node in nodes(at.root, ast.stmt) if node is not at.root and not isinstance(node, ast.Module)
    ]
    if at.context.reading.intent == "delete_statement" and text == "pass":
        # The only one of a body is needed.
        every = [node for node in every if len(at.source.suite(node)) > 1] or every
    scored = [(score, node) for node in every if (score := statement_score(at.source, node, text))]
    goes = at.context.reading.intent in _GO and not says("docstrings", text)
    if goes:  # a piece of a docstring is not all of it
        scored = [(score, node) for score, node in scored if score > _PIECE or not is_text(node)]
    for anchor in keep_best(scored) if scored else _in_words(at, text):
        if scored or not goes or not is_text(anchor.node):
            yield anchor


def _in_words(at: Search, text: str) -> list[Anchor]:
    """The statements that words tell, by what they are or by the code that is to stand there."""
    ways = (_imports, _branches, described)
    found = next((spots for way in ways if (spots := [*way(at, text)])), [])
    return found or ([*of_same_form(at)] if at.context.reading.intent == "replace_statement" else [])


def _branches(at: Search, text: str) -> Iterator[Anchor]:
    """The `if`s that are called by their tests, or by the value that these compare with: *remove the n == 0
    branch*, *the "a" branch*."""
    ends = "|".join(map(re.escape, words("branches")))
    said = re.search(rf"(?<!\w)(?:{ends})(?!\w)", at.context.situation.instruction, re.IGNORECASE)
    if said is None or at.context.reading.intent not in _GO:
        return
    rest = re.sub(rf"\s*(?:{ends})\Z", "", text, flags=re.IGNORECASE)
    if is_said("pronouns", rest):
        yield from _around_edit(at)
        return
    tree = parsed(rest)
    value = [tree] if isinstance(tree, ast.Constant) else []
    for one in nodes(at.root, ast.If):
        test = one.test if isinstance(one, ast.If) else None
        is_of = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.In | ast.Is)
        compared = test.comparators if is_of and isinstance(test, ast.Compare) else []
        if tree and any(
            is_same_expression(tree, item) for item in (test, *(compared if value else ())) if item
        ):
            yield Anchor(Area(""), one, weight=0.9)


def _around_edit(at: Search) -> Iterator[Anchor]:
    """The innermost `if` that has in its branch all that the last edit wrote."""
    changes = [one for one in changes_of_edit(at.context.situation) if one.path == at.source.path]
    low, high = (min(one.at for one in changes), max(one.at for one in changes)) if changes else (-1, -1)
    ifs = (one for one in nodes(at.root, ast.If) if isinstance(one, ast.If) and low >= 0)
    held = [one for one in ifs if one.lineno - 1 <= low and high < at.source.last_line(one.body[-1])]
    if held:
        yield Anchor(Area(""), max(held, key=lambda one: one.lineno), weight=0.9)


def _imports(at: Search, text: str) -> list[Anchor]:
    """The imports with which a file begins, where something is to stand before or behind them."""
    told = at.slot == "anchor" and is_said("imports", without_articles(text))
    body = at.source.body if told else []
    row = list(takewhile(_is_import, dropwhile(is_text, body)))
    return [Anchor(Area(""), row[0], weight=0.9, last=row[-1])] if row else []


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


@lru_cache(maxsize=16)
def _shown(text: str) -> tuple[type[ast.stmt] | None, str, str, str]:
    """What is compared of a text with each statement: the kind and the tree of the one that it is, the name
    in it, and itself without blanks."""
    plain = text.rstrip(":;")
    only = parse_statement(text if not text.rstrip().endswith(":") else f"{text} pass")
    tree = ast.dump(only) if only is not None else ""
    return type(only) if only is not None else None, tree, plain_name(plain), re.sub(r"\s+", "", plain)


def statement_score(source: Source, node: ast.AST, text: str) -> float:
    """How well a text fits a statement: its code, its beginning, a part, or what it calls or sets."""
    shown = head_text(source, node)
    plain = text.rstrip(":;")
    if is_same_code(shown.rstrip(":"), plain):
        return 1.0
    kind_shown, code_shown, name, squeezed_words = _shown(text)
    if type(node) is kind_shown and ast.dump(node) == code_shown:
        return 1.0
    simple = not isinstance(node, Definition)
    if isinstance(node, Definition) and key(node.name) == key(name):
        return 0.7
    squeezed = re.sub(r"\s+", "", shown)
    if (
        len(squeezed_words) > 3
        and squeezed.replace("'", '"').startswith(squeezed_words.replace("'", '"'))
        and simple
    ):
        return 0.8
    if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign):
        inner = node.value
        inner = inner.value if isinstance(inner, ast.Await) else inner
        if isinstance(inner, ast.Call) and isinstance(node, ast.Expr):
            fits = call_score(inner, None, name)
            if fits:
                return 0.75 * fits
        goals = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        set_here = (
            goal.id if isinstance(goal, ast.Name) else ast.unparse(goal).removeprefix("self.")
            for goal in goals
            if goal is not None
        )
        if any(key(one) == key(name) for one in set_here):
            return 0.6
    if len(squeezed_words) > 5 and squeezed_words in squeezed and simple:
        return _PIECE
    kind = "loop" if isinstance(node, LOOPS) else type(node).__name__.lower()
    first = re.match(r"\w+", shown)
    if name.lower() in (
        kind,
        type(node).__name__.lower(),
        first[0] if first and iskeyword(first[0]) else kind,
    ):
        return 0.45
    return 0.0


@finder
def loop(at: Search) -> Iterator[Anchor]:
    """The loops, or those over or with the variable that is named."""
    text = at.context.text(at.slot) if at.slot else ""
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, *LOOPS):
        if not text:
            found.append((0.9, node))
        elif isinstance(node, ast.While):
            found.append((0.5 if mentions(node.test, text) else 0.0, node))
        elif isinstance(node, ast.For | ast.AsyncFor):
            through = node.iter
            inside = mentions(through, text) or mentions(node.target, text) or _lists_files(through, text)
            # `d` and `d.items()` are what is named, `d[k]` is a part of it.
            part = any(isinstance(inner, ast.Subscript) for inner in walk(through))
            found.append(
                ((0.8 if part and not is_same_code(ast.unparse(through), text) else 1.0) * inside, node)
            )
    known = [item for item in found if item[0]]
    if not known and text and len(found) == 1:
        known = [(0.5, found[0][1])]
    yield from keep_best(known)


_LISTING = ("listdir", "scandir", "iterdir", "glob", "rglob", "iglob", "walk")


def _lists_files(node: ast.expr, text: str) -> bool:
    """Whether a loop goes through the files of a folder, and words name them."""
    calls = (inner for inner in walk(node) if isinstance(inner, ast.Call))
    return is_said("files", without_articles(text)) and any(called_name(inner) in _LISTING for inner in calls)


@finder
def return_(at: Search) -> Iterator[Anchor]:
    text = at.context.text(at.slot) if at.slot else ""
    wanted = parsed(value(text) or text) if text else None
    own = [
        node
        for node in nodes(at.root, ast.Return)
        if not isinstance(at.root, Function) or at.source.function_of(node) is at.root
    ]
    found: list[tuple[float, ast.AST]] = []
    for inner in own:
        given = inner.value
        if not text:
            found.append((0.9, inner))
        elif wanted is not None and (is_same_expression(wanted, given) or (given is None and text == "None")):
            found.append((1.0, inner))
        elif given is not None and is_same_code(at.source.segment(given), text):
            found.append((0.9, inner))
    yield from keep_best(found)


@finder
def call_of_sort(at: Search) -> Iterator[Anchor]:
    """Calls of `sorted` and `sort`."""
    for node in nodes(at.root, ast.Call):
        if called_name(node) in ("sorted", "sort"):
            yield Anchor(Area(""), node, weight=0.9)

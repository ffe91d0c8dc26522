"""Extract and inline: constants and variables."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Change, Function, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/structure")


@kind(
    "extract_constant",
    *wording["extract_constant"],
    needs=r"(?m)^\s+[^\n]*(\b\d\d|['\"]\w)",
    weight=1.5,
)
def extract_constant(window: SourceWindow, draw: Draw) -> Made | None:
    docs = {id(n.value) for n in window.nodes if isinstance(n, ast.Expr)}
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant)
        and id(n) not in docs
        and n.lineno == n.end_lineno
        and window.function_of(n) is not None
        and re.fullmatch(
            r"\d{2,}(\.\d+)?|\d+\.\d+|\"[^\"\\\n{}]{3,40}\"|'[^'\\\n{}]{3,40}'", window.source(n)
        )
        and not isinstance(window.parents.get(n), ast.JoinedStr)
    ]
    for node in draw.shuffled(found):
        value = window.source(node)
        if len(re.findall(rf"(?<![\w.]){re.escape(value)}(?![\w.])", window.text)) != 1:
            continue
        name = draw.name(window.names).upper().strip("_")
        if name in window.names:
            continue
        last_import = max(
            [window.last_line(n) for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
            or [0]
        )
        first = next((n for n in window.tree.body if not isinstance(n, ast.Import | ast.ImportFrom)), None)
        if first is None or window.first_line(first) <= last_import or (isinstance(first, ast.Expr)):
            continue
        line = window.first_line(first)
        while line > last_import + 1 and window.lines[line - 2].startswith("#"):
            line -= 1
        heavy = isinstance(first, Function | ast.ClassDef)
        at = window.starts[line - 1]
        changes: list[Change] = [
            (at, at, f"{name} = {value}\n" + ("\n\n" if heavy else "")),
            (*window.span(node), name),
        ]
        slots: dict[str, Slot] = {
            "v": CodeSlot(value),
            "c": NameSlot(name),
            "e": ExactSlot(value),
            "k": ExactSlot(name),
            **placed(inside(window, window.function_of(node), draw)),
        }
        return Made(window.text, apply_changes(window.text, changes), slots)
    return None


@kind(
    "extract_variable",
    *wording["extract_variable"],
    weight=1.6,
)
def extract_variable(window: SourceWindow, draw: Draw) -> Made | None:
    found: list[tuple[ast.stmt, ast.expr]] = []
    for statement, _ in window.statements():
        if (
            not isinstance(statement, ast.Return | ast.Assign | ast.Expr)
            or not window.own_lines(statement)
            or window.function_of(statement) is None
        ):
            continue
        if statement.lineno != statement.end_lineno or statement.value is None:
            continue
        for node in ast.walk(statement.value):
            parent = window.parents.get(node)
            inner = isinstance(parent, ast.Call | ast.BinOp | ast.Tuple | ast.Compare) or isinstance(
                statement, ast.Return
            )
            if (
                isinstance(node, ast.Call | ast.BinOp | ast.Subscript)
                and inner
                and node is not getattr(parent, "func", None)
            ):
                found.append((statement, node))
    for statement, node in draw.shuffled(found):
        source = window.source(node)
        scopes = (
            ast.Lambda,
            ast.ListComp,
            ast.GeneratorExp,
            ast.DictComp,
            ast.SetComp,
            ast.IfExp,
            ast.BoolOp,
            ast.JoinedStr,
            ast.NamedExpr,
        )
        if (
            not 5 < len(source) < 50
            or window.text.count(source) != 1
            or any(isinstance(n, scopes) for n in ast.walk(statement))
        ):
            continue
        if isinstance(node, ast.Call | ast.Subscript) and isinstance(window.parents.get(node), ast.Attribute):
            continue
        name = draw.name(window.names)
        start = window.starts[statement.lineno - 1]
        changes: list[Change] = [
            (start, start, f"{window.indent(statement)}{name} = {source}\n"),
            (*window.span(node), name),
        ]
        where = inside(window, window.function_of(statement), draw) if draw.chance(0.5) else WordsSlot("")
        slots: dict[str, Slot] = {
            "e": CodeSlot(source),
            "v": NameSlot(name),
            "o": ExactSlot(source),
            "n": ExactSlot(name),
            **placed(where),
        }
        return Made(window.text, apply_changes(window.text, changes), slots)
    return None


@kind(
    "inline_variable",
    *wording["inline_variable"],
    needs=r"(?m)^\s+\w+ = ",
    weight=3.6,
)
def inline_variable(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name)
    ]
    for node in draw.shuffled(found):
        function = window.function_of(node)
        target = node.targets[0]
        if (
            function is None
            or not isinstance(target, ast.Name)
            or node.lineno != node.end_lineno
            or not window.own_lines(node)
        ):
            continue
        uses = [
            n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == target.id and n is not target
        ]
        if len(uses) != 1 or uses[0].lineno != node.lineno + 1 or not isinstance(uses[0].ctx, ast.Load):
            continue
        statement = next(
            (s for s, b in window.statements() if s.lineno == node.lineno + 1 and node in b), None
        )
        if not isinstance(statement, ast.Return | ast.Assign | ast.Expr) or any(
            isinstance(n, ast.JoinedStr | ast.Lambda | ast.comprehension) for n in ast.walk(statement)
        ):
            continue
        value = window.source(node.value)
        parent = window.parents.get(uses[0])
        loose = isinstance(
            node.value,
            ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List | ast.Dict,
        )
        if not loose and not isinstance(parent, ast.Return | ast.Call | ast.Assign):
            continue
        if len(re.findall(rf"\b{target.id}\b", window.source(function))) != 2:
            continue
        start, end = window.line_span(node.lineno, node.lineno)
        changes: list[Change] = [(start, end, ""), (*window.span(uses[0]), value)]
        after = apply_changes(window.text, changes)
        if max(map(len, after.split("\n"))) > 120:
            continue
        slots: dict[str, Slot] = {
            "v": NameSlot(target.id),
            "e": CodeSlot(value),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots)
    return None

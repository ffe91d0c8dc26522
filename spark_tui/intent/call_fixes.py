"""Fixes of calls that do not fit, and of texts that are joined with numbers."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from spark_tui.intent.building import Built, call
from spark_tui.intent.seen_error import Seen, quoted_names
from spark_tui.pysource.source import Function, parameters


def call_error(at: Seen) -> Iterator[Built]:
    """Arguments that do not fit, text joined with numbers."""
    yield from _missing_self(at)
    yield from _keyword(at)
    yield from _missing_argument(at)
    if "concatenate" in at.text or "unsupported operand" in at.text or "must be str" in at.text:
        yield from _joined_text(at)


def _missing_self(at: Seen) -> Iterator[Built]:
    found = re.search(r"([\w.]+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given", at.text)
    if found is None:
        return
    last = found[1].rpartition(".")[2]
    for one in at.source.definitions:
        if not isinstance(one, Function) or one.name != last or at.source.class_of(one) is None:
            continue
        names = [each.arg for each in parameters(one)]
        if "self" not in names and int(found[3]) == int(found[2]) + 1:
            target = f"{at.source.path}::{at.source.qualname(one)}"
            made = [call("add_decorator", target=target, decorator="staticmethod")]
            low = at.source.first_line(one) + 1
            head = at.source.lines[one.lineno - 1]
            new = re.sub(
                rf"(def\s+{re.escape(one.name)}\s*\()\s*", r"\1self, " if names else r"\1self", head, count=1
            )
            made.insert(
                0, call("replace_lines", place=f"{at.source.path}:{one.lineno}", text=new.rstrip("\r\n"))
            )
            yield Built((made[0],), 0.9 * at.area.weight)
            yield Built((made[1],), 0.2 * at.area.weight, (f"line {low}",))


def _keyword(at: Seen) -> Iterator[Built]:
    found = re.search(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'", at.text)
    if found is None:
        return
    last = found[1].rpartition(".")[2]
    targets = [one for one in at.context.names.find(last, area=None) if isinstance(one.target.node, Function)]
    for one in targets[:1]:
        assert isinstance(one.target.node, Function)
        names = [each.arg for each in parameters(one.target.node)]
        for near in difflib.get_close_matches(found[2], names, 1, 0.6):
            for node in at.nodes(ast.Call):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(last):
                    pair = next((each for each in node.keywords if each.arg == found[2]), None)
                    if pair is not None:
                        text = at.source.segment(node)
                        low = at.source.span(pair)[0] - at.source.span(node)[0]
                        new = text[:low] + near + text[low + len(found[2]) :]
                        yield at.swap(node, new, 0.9)
        made = call("add_parameter", target=one.symbol, name=found[2], default="None")
        yield Built((made,), 0.4, ("the parameter does nothing yet",))


def _missing_argument(at: Seen) -> Iterator[Built]:
    found = re.search(
        r"([\w.]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", at.text
    )
    if found is None:
        return
    last = found[1].rpartition(".")[2]
    for one in at.context.names.find(last, area=None)[:1]:
        for name in quoted_names(found[2])[:2]:
            made = call("set_default", target=one.symbol, name=name, default="None")
            yield Built((made,), 0.5, ("the default was made up",))


def _joined_text(at: Seen) -> Iterator[Built]:
    """`"text" + number` with the number as text."""
    for one in at.nodes(ast.BinOp):
        if not isinstance(one, ast.BinOp) or not isinstance(one.op, ast.Add):
            continue
        sides = (one.left, one.right)
        texts = [_is_text(side) for side in sides]
        if texts == [True, False] and not isinstance(one.right, ast.BinOp):
            yield at.swap(one.right, f"str({at.source.segment(one.right)})", 0.85)
        elif texts == [False, True] and not isinstance(one.left, ast.BinOp):
            yield at.swap(one.left, f"str({at.source.segment(one.left)})", 0.85)


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "str"
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))

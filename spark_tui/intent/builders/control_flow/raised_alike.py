"""Errors that are raised as the program raises them elsewhere."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_PLAIN = (ast.Name, ast.Attribute)
_TEXTS = (ast.Constant, ast.JoinedStr)


def with_subject(context: Context, anchor: Anchor, kind: str, condition: str) -> str:
    """The error with what is tested, where its class is raised with nothing but a value everywhere in the
    file: `raise UnknownUnit(unit)`; so is the error of a key."""
    tree = context.source(anchor.path).tree
    raised = [node.exc for node in find_nodes(tree, ast.Raise)] if tree is not None else []
    made = [node for node in raised if isinstance(node, ast.Call) and ast.unparse(node.func) == kind]
    texts = {
        ast.unparse(node.targets[0])
        for node in find_nodes(tree, ast.Assign)
        if isinstance(node.value, _TEXTS)
    }
    of_key = kind == "KeyError" and re.fullmatch(r"[\w.]+ not in .+", condition) is not None
    if not (made or of_key) or not all(
        len(item.args) == 1 and isinstance(item.args[0], _PLAIN) and ast.unparse(item.args[0]) not in texts
        for item in made
    ):
        return ""
    subject = subject_of(condition)
    if subject and condition in (f"not {subject}", f"{subject} is None"):
        subject = _made_with(context, anchor, subject)
    return f"{kind}({subject})" if subject else ""


def _made_with(context: Context, anchor: Anchor, name: str) -> str:
    """The only parameter that a variable is made with, which tells more than that there is nothing in it;
    of a parameter its own name."""
    source, node = context.source(anchor.path), anchor.node
    function = node if isinstance(node, Function) else source.function_of(node) if node else None
    known = {each.arg for each in parameters(function)} - {"self", "cls"} if function is not None else set()
    made = (one for one in find_nodes(function, ast.Assign) if ast.unparse(one.targets[0]) == name)
    used = {each.id for one in made for each in find_nodes(one.value, ast.Name)} & known
    return name if name in known else used.pop() if len(used) == 1 else ""


def with_message(context: Context, anchor: Anchor, kind: str, text: str, line: int) -> str:
    """The error with a message, and the other arguments where its class is raised with the same ones beside
    a message everywhere in the function, if they are set above a line: `raise ParseError(path, row, "…")`."""
    source = context.source(anchor.path)
    node = anchor.node
    function = node if isinstance(node, Function) else source.function_of(node) if node else None
    raised = (one.exc for one in find_nodes(function, ast.Raise))
    calls = [one for one in raised if isinstance(one, ast.Call) and ast.unparse(one.func) == kind]
    shapes = {
        tuple("" if isinstance(arg, _TEXTS) else ast.unparse(arg) for arg in one.args)
        for one in calls
        if not one.keywords
    }
    shape = shapes.pop() if len(shapes) == 1 else ()
    if function is None or node is None or len(shape) < 2 or shape.count("") != 1:
        return f"{kind}({text})"
    named = {one.id for item in shape for one in find_nodes(parsed(item), ast.Name)}
    if not named <= _set_above(line, function):
        return f"{kind}({text})"
    return f"{kind}({', '.join(item or text for item in shape)})"


def raised_by_guards(context: Context, anchor: Anchor) -> str:
    """The class that two guards at least of a function raise, and none of its guards another one."""
    source, node = context.source(anchor.path), anchor.node
    function = node if isinstance(node, Function) else source.function_of(node) if node else None
    guards = (one for one in find_nodes(function, ast.If) if not one.orelse)
    raised = [one.body[0].exc for one in guards if isinstance(one.body[0], ast.Raise)]
    kinds = {ast.unparse(one.func) for one in raised if isinstance(one, ast.Call)}
    return kinds.pop() if len(kinds) == 1 and len(raised) > 1 else ""


def raised_before(context: Context, anchor: Anchor) -> str:
    """The one class that the last edit raises, where it is known here too: that edit is in the same file, or
    the class is built in."""
    raised = re.compile(r"\s*raise ([\w.]+)")
    changes = [(change.path, line) for change in changes_of_edit(context.situation) for line in change.new]
    found = {(path, said[1]) for path, line in changes if (said := raised.match(line)) is not None}
    known = {kind for path, kind in found if path == anchor.path or hasattr(builtins, kind)}
    return known.pop() if len(known) == len(found) == 1 else ""


def _set_above(line: int, function: Function) -> set[str]:
    """The parameters of a function and the names that it sets above a line."""
    stored = (one for one in find_nodes(function, ast.Name) if isinstance(one.ctx, ast.Store))
    return {each.arg for each in parameters(function)} | {one.id for one in stored if one.lineno < line}


def subject_of(condition: str) -> str:
    """The variable or attribute that a condition tests; empty where it tests anything else."""
    test = parsed(condition)
    if isinstance(test, ast.UnaryOp):
        test = test.operand
    subject = test.left if isinstance(test, ast.Compare) else test
    return ast.unparse(subject) if isinstance(subject, _PLAIN) else ""

"""Errors that are raised as the program raises them elsewhere, and answers of a server with a bad status,
which raise where they are received."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.context.anchors import Anchor, parsed, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_PLAIN = (ast.Name, ast.Attribute)
_TEXTS = (ast.Constant, ast.JoinedStr)
_ASKED = ("get", "post", "put", "patch", "delete", "head", "request")
_CLIENTS = ("requests", "session", "httpx", "client", "http")


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


def raised_statuses(context: Context) -> Iterator[Built]:
    """A call of `raise_for_status` behind each request whose answer is kept, where a bad status is to raise
    and it is not said what."""
    text = context.situation.instruction.lower()
    unsaid = not context.has("exception") and not context.has("message")
    if not unsaid or not phrases.any_stands_in(phrases.words("bad_status"), text):
        return
    spots = [
        Anchor(area, stmt, 0.9, area.doubts)
        for area, source, stmt in context.find(ast.Assign)
        if _is_answer(stmt) and not _is_checked(source, stmt)
    ]
    for anchor in weighted(context, spots):
        assert isinstance(anchor.node, ast.Assign)
        code = f"{ast.unparse(anchor.node.targets[0])}.raise_for_status()"
        made = call("insert_statements", place=place(context, anchor), code=code, side="after")
        built = build_at(anchor, made)
        yield replace(
            built, doubts=(*built.doubts, assumed("the error of the client was assumed to be meant"))
        )


def _is_answer(stmt: ast.Assign) -> bool:
    """Whether a statement keeps what a client of HTTP answers."""
    value = stmt.value.value if isinstance(stmt.value, ast.Await) else stmt.value
    func = value.func if isinstance(value, ast.Call) else None
    owner = ast.unparse(func.value).lower() if isinstance(func, ast.Attribute) else ""
    named = owner.rpartition(".")[2].lstrip("_") in _CLIENTS
    return named and called_name(value) in _ASKED and isinstance(stmt.targets[0], ast.Name)


def _is_checked(source: Source, stmt: ast.Assign) -> bool:
    """Whether the function around asks for the status of what a statement keeps."""
    name, inside = ast.unparse(stmt.targets[0]), source.function_of(stmt)
    read = {ast.unparse(node) for node in find_nodes(inside, ast.Attribute)}
    return bool({f"{name}.raise_for_status", f"{name}.status_code", f"{name}.ok"} & read)

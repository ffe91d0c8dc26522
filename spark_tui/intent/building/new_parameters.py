"""Parameters that are added: the function that a class stands for, and what in its body they are read for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.signatures.called_parameters import by_keyword_only, parameters_called
from spark_tui.intent.building.building import call
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor, is_same_expression, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk
from spark_tui.pysource.words import identifier_words, word_set


def called_functions(found: Sequence[Anchor]) -> list[Anchor]:
    """The functions that may be meant; of a class that is named, what makes its objects."""
    made = [
        replace(anchor, weight=0.9 * anchor.area.weight, doubts=anchor.area.doubts)
        for anchor in found
        if isinstance(anchor.area.node, ast.ClassDef) and getattr(anchor.node, "name", "") == "__init__"
    ]
    return made or list(found)


def constant_meant(anchor: Anchor, source: Source, name: str) -> str:
    """The constant of the module by whose words a new parameter is called, where the function reads it, or
    the methods of the class that it makes objects of."""
    node, words = anchor.node, sorted(identifier_words(name.lower()))
    if not isinstance(node, Function):
        return ""
    owner = source.class_of(node) if node.name == "__init__" else None
    parts = owner.body if owner is not None else node.body
    read = {inner.id for part in parts for inner in find_nodes(part, ast.Name) if inner.id.isupper()}
    found = [one for one in sorted(read) if sorted(identifier_words(one.lower())) == words]
    return found[0] if len(found) == 1 and len(found[0]) > 1 else ""


def read_in_body(anchor: Anchor, source: Source, name: str, default: str) -> Iterator[Operation]:
    """The calls that let a body read a new parameter where it reads the constant that is its default, or
    where an attribute of the same name begins with that default."""
    node, tree = anchor.node, parsed(default)
    yield from _attribute_from_parameter(anchor, name, tree)
    yield from _from_class(anchor, source, name, tree)
    if isinstance(node, Function) and isinstance(tree, ast.Constant):
        yield from _literal(anchor, source, node, name, tree)
        yield from _in_text(anchor, source, node, name, tree)
    if isinstance(node, Function) and default == "None" and name.isidentifier():
        yield from _before_what_is_kept(anchor, source, node, name)
        yield from _in_place_of_calls(anchor, source, node, name)
    if not isinstance(node, Function) or not isinstance(tree, ast.Name) or not tree.id.isupper():
        return
    uses = [inner for part in node.body for inner in find_nodes(part, ast.Name) if inner.id == tree.id]
    if any(not isinstance(use.ctx, ast.Load) for use in uses) or not name.isidentifier():
        return
    for line in sorted({use.lineno for use in uses}, reverse=True):
        yield call("replace_expression", place=f"{anchor.path}:{line}", old=tree.id, new=name, every=True)
    if node.name == "__init__" and not uses:
        yield from _kept_for_methods(anchor, source, name, tree.id)


def _literal(
    anchor: Anchor, source: Source, node: Function, name: str, default: ast.Constant
) -> Iterator[Operation]:
    """The call that reads a parameter for the one number or text in a body that is its default."""
    value = default.value
    if isinstance(value, bool) or value in (None, 0, 1, "") or not isinstance(value, int | float | str):
        return
    found = [
        inner
        for part in node.body
        for inner in find_nodes(part, ast.Constant)
        if type(inner.value) is type(value) and inner.value == value
    ]
    if len(found) == 1 and name.isidentifier():
        place, old = f"{anchor.path}:{found[0].lineno}", source.segment(found[0])
        yield call("replace_expression", place=place, old=old, new=name)


def _kept_for_methods(anchor: Anchor, source: Source, name: str, constant: str) -> Iterator[Operation]:
    """The calls that keep a parameter of `__init__` in an attribute, which methods read for a constant."""
    init = anchor.node
    owner = source.class_of(init) if isinstance(init, Function) else None
    uses = [
        node
        for method in (owner.body if owner is not None else [])
        if isinstance(method, Function) and method is not init and parameters(method)[:1]
        for node in find_nodes(method, ast.Name)
        if node.id == constant and isinstance(node.ctx, ast.Load)
    ]
    if not uses or init is None:
        return
    # From the last to the first, so that the lines of the others stay where they are.
    for line in sorted({use.lineno for use in uses}, reverse=True):
        place = f"{anchor.path}:{line}"
        yield call("replace_expression", place=place, old=constant, new=f"self.{name}", every=True)
    place = f"in {anchor.path}::{source.qualname(init)}"
    yield call("insert_statements", place=place, code=f"self.{name} = {name}", side="end")


def _in_text(
    anchor: Anchor, source: Source, node: Function, name: str, default: ast.Constant
) -> Iterator[Operation]:
    """The call that reads a parameter where the one text of a body sets its name to the default: the text
    `"&units=metric"`."""
    value = default.value
    if not isinstance(value, str) or not value.isalnum() or not name.isidentifier():
        return
    shown = re.compile(rf"(?<!\w){name}={re.escape(value)}(?!\w)")
    body = [part for part in node.body if not is_text(part)]
    texts = [inner for part in body for inner in find_nodes(part, ast.Constant)]
    found = [inner for inner in texts if isinstance(inner.value, str) and shown.search(inner.value)]
    old = source.segment(found[0]) if len(found) == 1 else ""
    if old[:1] in ("'", '"') and not re.search(r"[{}\n]|\A(.)\1\1", old):
        new = "f" + shown.sub(f"{name}={{{name}}}", old)
        yield call("replace_expression", place=f"{anchor.path}:{found[0].lineno}", old=old, new=new)


def _before_what_is_kept(anchor: Anchor, source: Source, node: Function, name: str) -> Iterator[Operation]:
    """The call that lets `__init__` keep a parameter under its name, and what it keeps there so far where
    nothing is passed."""
    for stmt in node.body if node.name == "__init__" else ():
        if isinstance(stmt, ast.Assign) and [*map(ast.unparse, stmt.targets)] == [f"self.{name}"]:
            old = source.segment(stmt.value)
            if not isinstance(stmt.value, ast.Lambda | ast.Tuple) and name not in names_in(stmt.value):
                new = f"{old} if {name} is None else {name}"
                yield call("replace_expression", place=f"{anchor.path}:{stmt.lineno}", old=old, new=new)


def _in_place_of_calls(anchor: Anchor, source: Source, node: Function, name: str) -> Iterator[Operation]:
    """The calls that read a parameter in the place of the call that is named like it, which stays what it is
    where nothing is passed: `now` and `datetime.now()`; or that pass the arguments of the program on."""
    calls = [one for part in node.body for one in find_nodes(part, ast.Call) if not one.args + one.keywords]
    alike = [one for one in calls if called_name(one) == name and isinstance(one.func, ast.Attribute)]
    shown = {ast.unparse(one) for one in alike}
    if len(shown) == 1 and len({one.lineno for one in alike}) == len(alike):
        old = source.segment(alike[0])
        for one in sorted(alike, key=lambda one: -one.lineno):
            yield call("replace_expression", place=f"{anchor.path}:{one.lineno}", old=old, new=name)
        code = f"if {name} is None:\n    {name} = {old}"
        yield call(
            "insert_statements", place=f"in {anchor.path}::{source.qualname(node)}", code=code, side="start"
        )
    parsing = [one for one in calls if called_name(one) in ("parse_args", "parse_known_args")]
    if len(parsing) == 1 and name in ("argv", "args", "arguments"):
        old = source.segment(parsing[0])
        place = f"{anchor.path}:{parsing[0].lineno}"
        yield call("replace_expression", place=place, old=old, new=f"{old[:-1]}{name})")


def _attribute_from_parameter(anchor: Anchor, name: str, default: ast.expr | None) -> Iterator[Operation]:
    """The call that sets an attribute to the parameter of `__init__` that is called like it."""
    node = anchor.node
    for stmt in node.body if isinstance(node, Function) and node.name == "__init__" else ():
        if not isinstance(stmt, ast.Assign) or not isinstance(stmt.value, ast.Constant):
            continue
        if ast.unparse(stmt.targets[0]) == f"self.{name}" and is_same_expression(stmt.value, default):
            code = f"self.{name} = {name}"
            yield call("replace_statements", place=f"{anchor.path}:{stmt.lineno}", code=code)


_FLAGS = word_set(
    "quiet verbose debug silent strict dry_run force recursive overwrite shuffle reverse sort colored colour"
    " color ascending descending inplace append exact case_sensitive ignore_case keep enabled disabled"
)
_ASKING = (
    "is_",
    "has_",
    "use_",
    "with_",
    "no_",
    "allow_",
    "enable_",
    "include_",
    "skip_",
    "keep_",
    "ignore_",
)


def is_flag(name: str, instruction: str) -> bool:
    """Whether a parameter is on or off: it is called so, or the words say it."""
    called = name in _FLAGS or name.startswith(_ASKING)
    return called or phrases.any_stands_in(phrases.words("on_or_off"), instruction.lower())


def taken_by_call(context: Context, anchor: Anchor, name: str) -> tuple[ast.Call, str] | None:
    """The only call in a body that could be given a new parameter by its name, as `sorted` a `reverse`, and
    what it takes so far."""
    source, node, repo = context.source(anchor.path), anchor.node, context.repo
    found: list[tuple[ast.Call, str]] = []
    for one in find_nodes(node, ast.Call) if isinstance(node, Function) else ():
        default = parameters_called(repo, source, one).get(name)
        free = all(given.arg not in (name, None) for given in one.keywords)
        if free and default is not None and name in by_keyword_only(repo, source, one):
            found.append((one, ast.unparse(default)))
    return found[0] if len(found) == 1 and source.function_of(found[0][0]) is node else None


def number_passed(anchor: Anchor, name: str) -> ast.Constant | None:
    """The one number that a body passes to what is called like a new parameter: *the sleep as a parameter*
    for `time.sleep(1)`."""
    calls = [
        node
        for node in find_nodes(anchor.node, ast.Call)
        if isinstance(anchor.node, Function) and called_name(node) == name and len(node.args) == 1
    ]
    given = calls[0].args[0] if len(calls) == 1 and not calls[0].keywords else None
    plain = isinstance(given, ast.Constant) and type(given.value) in (int, float)
    free = isinstance(given, ast.Constant) and isinstance(calls[0].func, ast.Attribute)
    return given if plain and free and isinstance(given, ast.Constant) else None


def _from_class(anchor: Anchor, source: Source, name: str, default: ast.expr | None) -> Iterator[Operation]:
    """The calls that keep a parameter of `__init__` in the attribute that the class has under that name, in
    place of the one of the class."""
    init = anchor.node
    owner = source.class_of(init) if isinstance(init, Function) and init.name == "__init__" else None
    rows = owner.body if owner is not None else []
    held = [one for one in rows if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == name]
    if len(held) != 1 or owner is None or init is None or not is_same_expression(held[0].value, default):
        return
    uses = [node for node in find_nodes(source.tree, ast.Attribute) if node.attr == name]
    of_class = any(ast.unparse(node.value) in (owner.name, "cls") for node in uses)
    place = f"in {anchor.path}::{source.qualname(init)}"
    yield call("insert_statements", place=place, code=f"self.{name} = {name}", side="end")
    if not of_class and len(rows) > 1:
        yield call("delete_statements", place=f"{anchor.path}:{held[0].lineno}")


def is_taken(anchor: Anchor, name: str) -> bool:
    """Whether `__init__` of a class takes a parameter of that name and does not keep it."""
    body = anchor.node.body if isinstance(anchor.node, ast.ClassDef) else []
    init = next((stmt for stmt in body if isinstance(stmt, Function) and stmt.name == "__init__"), None)
    if init is None or name not in [parameter.arg for parameter in parameters(init)]:
        return False
    return not any(
        isinstance(node, ast.Name) and node.id == name for part in init.body for node in walk(part)
    )


def sent_on(anchor: Anchor, source: Source, name: str) -> Iterator[Operation]:
    """The call that puts a new parameter into the one dictionary of a function that has others under their
    names."""
    dicts = [one for one in find_nodes(anchor.node, ast.Dict) if _named_alike(one)]
    if len(dicts) == 1 and name.isidentifier():
        old, first = source.segment(dicts[0]), dicts[0].lineno
        mark = source.segment(next(one for one in dicts[0].keys if one is not None))[:1]
        rows, spot = old[:-1].rstrip(), line_range(anchor.path, first, dicts[0].end_lineno or first)
        new = f"{rows}{' ' if rows.endswith(',') else ', '}{mark}{name}{mark}: {name}}}"
        yield call("replace_expression", place=spot, old=old, new=new)


def _named_alike(node: ast.Dict) -> bool:
    """Whether a dictionary has something under its own name: `{"customer": customer}`."""
    pairs = zip(node.keys, node.values, strict=True)
    return any(isinstance(key, ast.Constant) and ast.unparse(value) == key.value for key, value in pairs)

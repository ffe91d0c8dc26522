"""Calls of another function than the one that is called now."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.builders.definitions.called_objects import on_same_object, own_method
from spark_tui.intent.builders.definitions.other_modules import other_module
from spark_tui.intent.builders.definitions.printed_calls import written_or_printed
from spark_tui.intent.builders.definitions.replaced_attributes import replaced_attributes, taken_for_method
from spark_tui.intent.builders.definitions.unsaid_calls import functions_named, is_called, unsaid_calls
from spark_tui.intent.building.building import Built, build_at, builder, call, found, from_entry
from spark_tui.intent.building.called_instead import any_moves, call_of_another
from spark_tui.intent.building.patterns import shown_with_holes
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.import_origins import home_of, standard_homes
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes

_ADDS_ALL = {"append": "extend"}
"""What adds all items, by what adds one."""
_HOLDERS = (str, bytes, list, dict, set, int, float)


@builder("replace_call")
def replace_call(context: Context) -> Iterator[Built]:
    if patterns := list(shown_with_holes(context)) or list(other_module(context)):
        yield from patterns
        return
    new = context.text("new").strip("`").strip()
    bare = re.sub(r"\(\s*\)\Z", "", new)
    bare = bare if bare.isidentifier() and hasattr(builtins, bare) else _container(context, bare) or bare
    old_name = plain_name(context.text("old"))
    all_alike = context.everywhere and not any_moves(context, old_name, bare)
    if all_alike and (whole := list(replaced_attributes(context))):
        yield from whole
        return
    adds = old_name.rpartition(".")[2]
    if _ADDS_ALL.get(adds) == bare and any(_adds_each(root, adds) for _, _, root in context.trees()):
        yield from from_entry(context, {"op": "apply_pattern", "name": "extend", "place": "{in}"})
        return
    every = context.everywhere or context.has("file")
    made = []
    unsaid = [] if context.has("old") else unsaid_calls(context, bare)
    if meant := list(taken_for_method(context, bare)):
        yield from meant
        return
    every = every or bool(unsaid)
    if not unsaid and not (context.has("old") and anchors(context, "call:old")):
        passed = functions_named(context, old_name) if context.has("old") else []
        uncalled = [_passed_on(context, item, bare) for item in passed] or [*replaced_attributes(context)]
        if uncalled and every:
            yield Built(tuple(edit for item in uncalled for edit in item.calls), 0.95, uncalled[0].doubts)
            return
        if uncalled:
            yield from uncalled
            return
        if is_called(context, bare):
            raise Unresolved(f"{bare} is already called there", nothing=True)
    for anchor in unsaid or _able(context, found(context, "call:old", "call like that"), bare):
        node = anchor.node
        assert isinstance(node, ast.Call)
        func = node.func
        if bare in ("dict", "list") and not node.args and not node.keywords:
            made.append(build_at(anchor, replace_code(context, anchor, "{}" if bare == "dict" else "[]")))
            continue
        if written := written_or_printed(context, anchor.path, node, bare):
            made.append(build_at(anchor, replace_code(context, anchor, written)))
            continue
        if bare in sys.stdlib_module_names and not context.visible(anchor.path, node).knows(bare):
            continue  # a module has no place where a function is called
        name = bare
        if isinstance(func, ast.Name) and (method := _method_of(context, anchor, bare)):
            made.append(method)
            continue
        if isinstance(func, ast.Attribute) and "." not in bare and bare.isidentifier():
            source_names = context.visible(anchor.path, node)
            holder = ast.unparse(func.value)
            if not source_names.knows(bare) or not holder[:1].isupper() or holder.isupper():
                name = f"{holder}.{bare}" if not _is_function(context, anchor.path, bare) else bare
            if holder in sys.stdlib_module_names and holder not in standard_homes().get(bare, ()):
                name = bare  # the module has nothing that is called so
            if _said_whole(context, func) and not _is_member(context, bare):
                name = bare
        name = name.removeprefix(".") if not name.startswith("..") else name
        if parsed(name) is None:
            raise Unresolved(f"{new!r} is not a call")
        source = context.source(anchor.path)
        old: ast.expr = node if isinstance(parsed(name), ast.Call) else func
        if _takes_no_text(name) and node.args and all(map(is_text, node.args)) and not node.keywords:
            old, name = node, f"{name}()"
        if name.startswith("super()") and _passes_self(node):
            old, rest = node, ", ".join(map(source.segment, (*node.args[1:], *node.keywords)))
            name = bare = f"{name}({rest})"
        if own := own_method(source, node, bare) or on_same_object(context, anchor.path, node, bare):
            name = bare = own
        if (
            name == bare
            and isinstance(func, ast.Attribute)
            and _lacks_its_object(context, source, node, bare)
        ):
            old = node
            name = bare = f"{bare}({source.segment(func.value)})"
        elif (
            name == bare and getattr(builtins, name, None) in _NO_METHODS and not (node.args or node.keywords)
        ):
            anchor = replace(anchor, doubts=(*anchor.doubts, assumed(f"{name} was assumed to get nothing")))
        if doubt := _not_in_module(func, name):
            anchor = replace(anchor, doubts=(*anchor.doubts, doubt))
        told = parsed(context.text("old"))
        if old is func and new.endswith("()") and isinstance(told, ast.Call) and told.args:
            old, name = node, f"{name}()"  # both were shown whole
        if old is func and (whole_call := call_of_another(source, node, name)):
            old, name, bare = node, whole_call, whole_call if name == bare else bare
        spot = replace(anchor, node=old)
        edit = replace_code(context, spot, name)
        if imported := _same_import(context, anchor.path, node, bare):
            doubts = (*anchor.doubts, *_assumed_home(context, imported))
            made.append(Built((edit, imported), anchor.weight, doubts))
            continue
        known = context.visible(anchor.path, node).knows(bare.partition(".")[0])
        if known and name != bare and "." in re.sub(r"\(.*", "", context.text("old")):
            # `cart.add` was said whole: so is what replaces it.
            made.append(build_at(anchor, replace_code(context, spot, bare), weight=0.6))
            yield build_at(anchor, edit, weight=0.4)
            continue
        made.append(build_at(anchor, edit))
    if every and len(made) > 1:
        weight = 0.95 if not unsaid else 0.8
        calls = tuple(dict.fromkeys(call_node for item in made for call_node in item.calls))
        yield Built(calls, weight, made[0].doubts[-1:] if unsaid else ())
        return
    # In a class all are meant, in a function maybe one of them.
    within = context.placed and not any(isinstance(item.node, ast.ClassDef) for item in context.named)
    each_scale, all_weight = (1.0, 0.5) if within else (0.5, 0.85)
    yield from (replace(item, weight=item.weight * each_scale) for item in made) if len(made) > 1 else made
    if len(made) > 1:
        doubt = f"all {len(made)} calls are changed"
        yield Built(
            tuple(dict.fromkeys(call_node for item in made for call_node in item.calls)), all_weight, (doubt,)
        )


def _adds_each(root: ast.AST, name: str) -> bool:
    """Whether a loop does nothing but add items."""
    bodies = [loop.body[0] for loop in find_nodes(root, ast.For) if len(loop.body) == 1]
    inner = [one.body[0] if isinstance(one, ast.If) and len(one.body) == 1 else one for one in bodies]
    calls = [one.value for one in inner if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    return any(isinstance(one.func, ast.Attribute) and one.func.attr == name for one in calls)


def _takes_no_text(name: str) -> bool:
    """Whether a method of texts is given no other text: `lower`, `splitlines`."""
    owner, _, last = name.rpartition(".")
    try:
        taken = inspect.signature(getattr(str, last)) if owner else None
    except (
        AttributeError,
        TypeError,
        ValueError,
    ):  # no method of texts, or one that does not tell what it takes
        return False
    return taken is not None and not {*taken.parameters} - {"self", "keepends"}


def _able(context: Context, spots: list[Anchor], new: str) -> list[Anchor]:
    """The calls of other objects, where a class of the file has no method with the new name."""
    out = []
    for spot in spots if new.isidentifier() else ():
        source, func = context.source(spot.path), getattr(spot.node, "func", None)
        own = isinstance(func, ast.Attribute) and ast.unparse(func.value) == "self"
        inside = source.function_of(spot.node) if own and spot.node is not None else None
        owner = source.class_of(inside) if inside is not None else None
        members = _own_members(owner) if owner is not None and not owner.bases else set()
        out += [spot] if getattr(func, "attr", "") not in members or new in members else []
    return spots if not out or len(out) == len(spots) else weighted(context, out)


def _own_members(owner: ast.ClassDef) -> set[str]:
    return {stmt.name for stmt in owner.body if isinstance(stmt, Function)}


def _lacks_its_object(context: Context, source: Source, node: ast.Call, new: str) -> bool:
    """Whether a method of a value is called with nothing else, which a builtin function is to be given."""
    if node.args or node.keywords or getattr(builtins, new, None) not in _NO_METHODS:
        return False
    root: ast.expr = node.func
    while isinstance(root, ast.Attribute):
        root = root.value
    imported = {one.alias for one in context.repo.index.imports(source.path)}
    value = isinstance(root, ast.Name) and root.id not in imported and not root.id[:1].isupper()
    return value and not isinstance(source.parents.get(node), ast.Await)


def _method_of(context: Context, anchor: Anchor, new: str) -> Built | None:
    """The one call of a method beside a function of the same name, where nothing has the new name."""
    source, node = context.source(anchor.path), anchor.node
    old = plain_name(context.text("old"))
    if not new.isidentifier() or context.visible(anchor.path, node).knows(new) or "." in old:
        return None
    methods = [inner for inner in find_nodes(source.tree, ast.Attribute) if inner.attr == old]
    if len(methods) != 1 or not isinstance(source.parents.get(methods[0]), ast.Call):
        return None
    text = source.segment(methods[0])
    made = replace_code(context, replace(anchor, node=methods[0]), text[: len(text) - len(old)] + new)
    return Built((made,), 0.9 * anchor.weight)


def _passed_on(context: Context, anchor: Anchor, new: str) -> Built:
    """A function that is passed on, exchanged for another one of its module."""
    node = anchor.node
    assert isinstance(node, ast.Attribute)
    other = new if "." in new else f"{ast.unparse(node.value)}.{new}"
    if parsed(other) is None:
        raise Unresolved(f"{new!r} is not a function")
    return build_at(anchor, replace_code(context, anchor, other))


def _passes_self(node: ast.Call) -> bool:
    """Whether a call of a function of another class hands on `self`."""
    first = node.args[0] if node.args else None
    return (
        isinstance(first, ast.Name) and first.id == "self" and not ast.unparse(node.func).startswith("super")
    )


def _not_in_module(func: ast.expr, name: str) -> str:
    """The doubt about a function of a module of the standard library that is not known to have it."""
    owner, _, last = name.rpartition(".")
    inside = isinstance(func, ast.Attribute) and ast.unparse(func.value) == owner
    if not inside or owner not in sys.stdlib_module_names or owner in standard_homes().get(last, ()):
        return ""
    return assumed(f"{last} was assumed to be in {owner}")


def _said_whole(context: Context, func: ast.expr) -> bool:
    """Whether what is called was said with the object that it is called on: so is what replaces it."""
    return re.sub(r"\(.*", "", context.text("old").strip("`'\" ")) == ast.unparse(func)


def _is_member(context: Context, name: str) -> bool:
    """Whether some class or module has a name, as far as that is known."""
    known = context.names.find(name, frozenset((SymbolKind.METHOD, SymbolKind.ATTRIBUTE)))
    return bool(known) or name in standard_homes() or any(hasattr(kind, name) for kind in _HOLDERS)


def _same_import(context: Context, path: str, node: ast.Call, name: str) -> Operation | None:
    """The import of a name from the module that what is called comes from, where the name is not known."""
    if (
        not isinstance(node.func, ast.Name)
        or not name.isidentifier()
        or context.visible(path, node).knows(name)
    ):
        return None
    called = node.func.id
    found = [
        imported
        for imported in context.repo.index.summary(path).imports
        if imported.name and imported.alias == called
    ]
    if len(found) != 1 or found[0].name != called or not found[0].module:
        return None
    if found[0].module in sys.stdlib_module_names and found[0].module not in standard_homes().get(name, ()):
        return None
    return call("add_import", path=path, module=found[0].module, name=name)


def _assumed_home(context: Context, imported: Operation) -> tuple[str, ...]:
    """The doubt about a name of a module that is not known to have it."""
    module, name = str(getattr(imported, "module", "")), str(getattr(imported, "name", ""))
    known = home_of(name, context.repo, context.situation.path) == module
    return (
        ()
        if known or module in standard_homes().get(name, ())
        else (assumed(f"{name} was assumed to be in {module}"),)
    )


def _container(context: Context, text: str) -> str:
    """The builtin that words name, where they are no name of the file: `dict` for *plain dicts*."""
    words = text.split()
    if not words or context.visible(context.situation.path, None).knows(text):
        return ""
    found = phrases.lookup("types", words[-1])
    return found if found in ("dict", "list", "set", "tuple") else ""


_NO_METHODS = {str, int, float, bool, repr, len, list, dict, tuple, sorted, reversed, enumerate, zip, type}
"""Builtins that hardly any object has as a method."""


def _is_function(context: Context, path: str, name: str) -> bool:
    own = context.names.in_file(path).get(key(name), ())
    return (getattr(builtins, name, None) in _NO_METHODS and not own) or any(
        item.kind.value == "function" for item in own
    )

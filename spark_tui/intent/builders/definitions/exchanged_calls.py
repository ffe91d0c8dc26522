"""One call of another function than the one that is called now, on its object, or in the place of a print."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.building.called_instead import call_of_another
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.import_origins import home_of, standard_homes
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, root_name

_HOLDERS = (str, bytes, list, dict, set, int, float)
_NO_METHODS = {str, int, float, bool, repr, len, list, dict, tuple, sorted, reversed, enumerate, zip, type}
"""Builtins that hardly any object has as a method."""
_LITERALS = {"dict": "{}", "list": "[]"}
_LINE_END = re.compile(r"""(?:\\n)(?=["']\Z)""")


def exchanged(context: Context, anchor: Anchor, new: str, bare: str) -> tuple[Built, ...]:
    """A call of what is named `bare`, `new` in the words, in the place of another call, and how it may be
    meant instead. Nothing where it cannot stand there."""
    node = anchor.node
    assert isinstance(node, ast.Call)
    if bare in _LITERALS and not node.args and not node.keywords:
        return (build_at(anchor, replace_code(context, anchor, _LITERALS[bare])),)
    if written := written_or_printed(context, anchor.path, node, bare):
        return (build_at(anchor, replace_code(context, anchor, written)),)
    known = context.visible(anchor.path, node).knows(bare)
    if bare in sys.stdlib_module_names and not known:
        return ()  # a module has no place where a function is called
    if isinstance(node.func, ast.Name) and (method := _method_of(context, anchor, bare)):
        return (method,)
    name = _name_there(context, anchor.path, node, bare)
    if parsed(name) is None:
        raise Unresolved(f"{new!r} is not a call")
    spot, name, bare = _written(context, anchor, new, name, bare)
    edit = replace_code(context, spot, name)
    if imported := _same_import(context, anchor.path, node, bare):
        doubts = (*spot.doubts, *_assumed_home(context, imported))
        return (Built((edit, imported), spot.weight, doubts),)
    return (build_at(spot, edit),)


def _name_there(context: Context, path: str, node: ast.Call, bare: str) -> str:
    """The name with the object on which it is called there."""
    func, name = node.func, bare
    if isinstance(func, ast.Attribute) and "." not in bare and bare.isidentifier():
        holder = ast.unparse(func.value)
        if not context.visible(path, node).knows(bare) or not holder[:1].isupper() or holder.isupper():
            name = f"{holder}.{bare}" if not _is_function(context, path, bare) else bare
        if holder in sys.stdlib_module_names and holder not in standard_homes().get(bare, ()):
            name = bare  # the module has nothing that is called so
        if _said_whole(context, func) and not _is_member(context, bare):
            name = bare
    return name.removeprefix(".") if not name.startswith("..") else name


def _written(context: Context, anchor: Anchor, new: str, name: str, bare: str) -> tuple[Anchor, str, str]:
    """What is replaced, what is written there, and the name of what is called then: of a call only the name
    where its arguments stay."""
    node, source = anchor.node, context.source(anchor.path)
    assert isinstance(node, ast.Call)
    func, alone = node.func, not (node.args or node.keywords)
    old: ast.expr = node if isinstance(parsed(name), ast.Call) else func
    if _takes_no_text(name) and node.args and all(map(is_text, node.args)) and not node.keywords:
        old, name = node, f"{name}()"
    if name.startswith("super()") and _passes_self(node):
        old, rest = node, ", ".join(map(source.segment, (*node.args[1:], *node.keywords)))
        name = bare = f"{name}({rest})"
    if own := own_method(source, node, bare) or on_same_object(context, anchor.path, node, bare):
        name = bare = own
    if name == bare and isinstance(func, ast.Attribute) and _lacks_its_object(context, source, node, bare):
        old = node
        name = bare = f"{bare}({source.segment(func.value)})"
    elif name == bare and getattr(builtins, name, None) in _NO_METHODS and alone:
        anchor = replace(anchor, doubts=(*anchor.doubts, assumed(f"{name} was assumed to get nothing")))
    if doubt := _not_in_module(func, name):
        anchor = replace(anchor, doubts=(*anchor.doubts, doubt))
    told = parsed(context.text("old"))
    if old is func and new.endswith("()") and isinstance(told, ast.Call) and told.args:
        old, name = node, f"{name}()"  # both were shown whole
    if old is func and (whole := call_of_another(source, node, name)):
        old, name, bare = node, whole, whole if name == bare else bare
    return replace(anchor, node=old), name, bare


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


def _lacks_its_object(context: Context, source: Source, node: ast.Call, new: str) -> bool:
    """Whether a method of a value is called with nothing else, which a builtin function is to be given."""
    if node.args or node.keywords or getattr(builtins, new, None) not in _NO_METHODS:
        return False
    name = root_name(node.func, ast.Attribute)
    imported = {one.alias for one in context.repo.index.imports(source.path)}
    value = bool(name) and name not in imported and not name[:1].isupper()
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


def _is_function(context: Context, path: str, name: str) -> bool:
    own = context.names.in_file(path).get(key(name), ())
    return (getattr(builtins, name, None) in _NO_METHODS and not own) or any(
        item.kind.value == "function" for item in own
    )


def own_method(source: Source, node: ast.Call, name: str) -> str:
    """`self.name`, where an attribute of `self` is called in a class that has a method of that name."""
    inside = source.function_of(node)
    owner = source.class_of(inside) if inside is not None else None
    methods = {stmt.name for stmt in owner.body if isinstance(stmt, Function)} if owner is not None else set()
    return f"self.{name}" if name in methods and ast.unparse(node.func).startswith("self.") else ""


def on_same_object(context: Context, path: str, node: ast.Call, name: str) -> str:
    """`self._logger.exception`, where `logger.exception` is to take the place of `logger.error`, nothing is
    called `logger` there, and `self._logger.error` is what stands there."""
    said = context.text("old").partition("(")[0].strip("`'\" ").rpartition(".")[0]
    if not said or not name.startswith(f"{said}.") or not isinstance(node.func, ast.Attribute):
        return ""
    known = context.visible(path, node).knows(said.partition(".")[0])
    return "" if known else ast.unparse(node.func.value) + name.removeprefix(said)


def written_or_printed(context: Context, path: str, node: ast.Call, new: str) -> str:
    """`print` for `write` of a stream or the other way round: one of them ends the line."""
    source, called = context.source(path), ast.unparse(node.func)
    holder, _, last = called.rpartition(".")
    streams = ("sys.stdout", "sys.stderr")
    if new == "print" and is_log(node):
        return _printed_log(source, node)
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return ""
    text, is_text = source.segment(node.args[0]), isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    if new == "print" and last == "write" and holder in streams:
        cut = _LINE_END.sub("", text) if is_text else text
        stream = f", file={holder}" if holder != streams[0] else ""
        return f"print({cut}{stream})" if cut != text else f'print({text}, end=""{stream})'
    if new == "print" and last == "write" and holder and (ended := _ended_line(source, node.args[0])):
        return f"print({ended}, file={holder})"
    if called == "print" and new in [f"{stream}.write" for stream in streams]:
        ended = f"{text[:-1]}\\n{text[-1]}" if is_text and text[-1] in "\"'" else f'f"{{{text}}}\\n"'
        return f"{new}({ended})"
    return ""


def _ended_line(source: Source, node: ast.expr) -> str:
    """A text that ends its line, without that end; empty where it may be none."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value="\n")):
            return source.segment(left)
        case ast.JoinedStr() | ast.Constant(value=str()):
            text = source.segment(node)
            return cut if (cut := _LINE_END.sub("", text)) != text else ""
    return ""


def _printed_log(source: Source, node: ast.Call) -> str:
    """A log call as a `print`, which formats no values into its text and knows no `exc_info`; empty where
    that makes no difference."""
    template, *values = node.args or [ast.Constant("")]
    text = isinstance(template, ast.Constant) and isinstance(template.value, str)
    if not text or any(isinstance(item, ast.Starred) for item in values):
        return ""
    shown, given = source.segment(template), [source.segment(item) for item in values]
    plain = len(given) == 1 and not isinstance(values[0], ast.Tuple | ast.Dict | ast.Name | ast.BinOp)
    filled = given[0] if plain else f"({', '.join(given)}{',' * (len(given) == 1)})"
    if not values and not node.keywords:
        return ""
    return f"print({shown} % {filled})" if values else f"print({shown})"

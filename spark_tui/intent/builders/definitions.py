"""Calls that change classes, decorators, imports, annotations and text files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.classes import AddField
from spark_tui.codemods.rearrange import default_of
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.special_methods import SpecialMethod
from spark_tui.intent import phrases
from spark_tui.intent.already_done import imported_somewhere
from spark_tui.intent.anchors import Anchor, anchors, need
from spark_tui.intent.areas import paths_named
from spark_tui.intent.building import Built, builder, call, filled, found, from_entry, table, word
from spark_tui.intent.context import Context
from spark_tui.intent.literal_types import literal_type
from spark_tui.intent.names import key, plain_name
from spark_tui.intent.shown_code import example_of, pairs
from spark_tui.intent.situation import Option, Unresolved
from spark_tui.intent.values import quote_of
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, parameters


def special_methods(said: str, instruction: str) -> list[Option]:
    """The special methods that a text names or an instruction describes."""
    plain = plain_name(said).strip("_").lower() if said else ""
    known = {str(one.value) for one in SpecialMethod}
    for one in known:
        if plain and one.strip("_") == plain:
            return [Option(one)]
    scored: list[tuple[int, str]] = []
    for text in (said.lower(), f"{said} {instruction}".lower()):
        scored = scored or [
            (many, name.strip("_"))
            for name, words in phrases.table()["special_methods"].items()
            if name.strip("_") in known and (many := sum(word in text for word in words))
        ]
    scored.sort(key=lambda one: -one[0])
    return [
        Option(name, 0.8 if at == 0 else 0.3, (f"{name} was taken for what is meant",))
        for at, (_, name) in enumerate(scored[:2])
    ]


@builder("add_special_method")
def add_special_method(context: Context) -> Iterator[Built]:
    for anchor in found(context, "class", "class")[:3]:
        named = _attributes(context, anchor)
        for option in special_methods(context.text("method"), context.situation.instruction):
            target = word(context, "class", anchor)
            made = call("add_special_method", target=target, method=option.text, attribute=named)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def _attributes(context: Context, anchor: Anchor) -> str:
    """The attributes that are named, as the class calls them."""
    own = context.visible(anchor.path, anchor.node).inner
    named = []
    for one in context.reading.slots.get("attribute", ()):
        for said in re.split(r"\s*,\s*", one.text):
            name = plain_name(said)
            known = [
                own[key(each)] for each in (name, f"_{name}") if own.get(key(each), "").startswith("self.")
            ]
            named.append(known[0].removeprefix("self.") if known else name)
    return ", ".join(dict.fromkeys(named))


@builder("cache_results")
def cache_results(context: Context) -> Iterator[Built]:
    for anchor in found(context, "function", "function"):
        size = phrases.number(context.text("size")) if context.has("size") else None
        bound = context.repo.index.scopes(anchor.path).module.bound
        size = "None" if size is None and phrases.is_said("none", context.text("size")) else size
        name = "cache" if size is None else f"lru_cache(maxsize={size})"
        bare = name.partition("(")[0]
        held = "functools" in bound and bare not in bound
        target = word(context, "function", anchor)
        cached = [one for one in getattr(anchor.node, "decorator_list", ()) if _is_cache(one)]
        if cached and size is None:
            raise Unresolved("its results are cached already", nothing=True)
        if cached:
            shown = ast.unparse(getattr(cached[0], "func", cached[0]))
            spot = f"{anchor.path}:{cached[0].lineno}"
            new = f"{shown}(maxsize={size})" if shown.endswith("lru_cache") else name
            made = call("replace_expression", place=spot, old=ast.unparse(cached[0]), new=new)
            yield Built((made,), anchor.weight, anchor.doubts)
            continue
        made = call("add_decorator", target=target, decorator=f"functools.{name}" if held else name)
        extra = (
            ()
            if held or bare in bound
            else (call("add_import", path=anchor.path, module="functools", name=bare),)
        )
        yield Built((made, *extra), anchor.weight, anchor.doubts)


def _is_cache(decorator: ast.expr) -> bool:
    return ast.unparse(getattr(decorator, "func", decorator)).rpartition(".")[2] in ("cache", "lru_cache")


@builder("add_test")
def add_test(context: Context) -> Iterator[Built]:
    """A test of the example that is shown, else a skeleton."""
    for anchor in found(context, "definition", "function or class")[:3]:
        shown, result = example_of(context, getattr(anchor.node, "name", ""))
        target = word(context, "definition", anchor)
        yield Built(
            (call("add_test", target=target, call=shown, result=result),), anchor.weight, anchor.doubts
        )


# -- imports -----------------------------------------------------------------------------------------


@builder("add_import")
def add_import(context: Context) -> Iterator[Built]:
    for area in context.areas[:2]:
        for option in filled(context, "{module:module}", Anchor(area)) or ():
            alias = plain_name(context.text("alias"))
            made = call("add_import", path=area.path, module=option.text, alias=alias)
            yield Built((made,), area.weight * option.weight, area.doubts)


@builder("remove_import")
def remove_import(context: Context) -> Iterator[Built]:
    wanted = plain_name(re.sub(r"\A(?:import|from)\s+", "", context.text("module").strip("`")))
    imported_somewhere(context, wanted)
    for area in context.areas[:2]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        imports = [one for one in source.statements if isinstance(one, ast.Import | ast.ImportFrom)]
        exact = any(wanted in (each.name, each.asname) for one in imports for each in one.names)
        for one in imports:
            names = [each for each in one.names if wanted in (each.name, each.asname)]
            if not names and not exact:
                names = [each for each in one.names if wanted == each.name.partition(".")[0]]
            whole = (
                isinstance(one, ast.ImportFrom)
                and one.module is not None
                and wanted in (one.module, one.module.partition(".")[0])
            )
            if not names and not whole:
                continue
            low, high = source.first_line(one) + 1, source.last_line(one)
            spot = f"{area.path}:{low}" + (f"-{high}" if high > low else "")
            if whole or len(names) == len(one.names):
                yield Built((call("delete_statements", place=spot),), area.weight)
                continue
            rest = ", ".join(
                each.name + (f" as {each.asname}" if each.asname else "")
                for each in one.names
                if each not in names
            )
            head = (
                "import "
                if isinstance(one, ast.Import)
                else f"from {'.' * one.level}{one.module or ''} import "
            )
            yield Built((call("replace_statements", place=spot, code=head + rest),), area.weight)


# -- annotations -------------------------------------------------------------------------------------


@builder("annotate_return")
def annotate_return(context: Context) -> Iterator[Built]:
    spots = found(context, "function", "function")
    if context.reading.everywhere and not context.has("function"):
        spots = [one for one in spots if getattr(one.node, "returns", None) is None]
        if not spots:
            raise Unresolved("all functions there have a return type", nothing=True)
    for anchor in spots:
        options = filled(context, "{type:type}", anchor)
        if options is None and isinstance(anchor.node, Function):
            hint = returned_type(anchor.node)
            options = [Option(hint, 0.85, ("the type was read from the code",))] if hint else []
        for option in options or ():
            made = call("annotate_return", target=word(context, "function", anchor), hint=option.text)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def returned_type(node: Function) -> str:
    """The type that all returns of a function have; empty where their form does not tell."""
    own = [one for one in walk(node) if isinstance(one, ast.Return)]
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walk(node)):
        return ""
    found_types = list(
        dict.fromkeys(literal_type(one.value) if one.value is not None else "None" for one in own)
    )
    if not found_types:
        return "None"
    if "" in found_types or len(found_types) > 2:
        return ""
    kinds = sorted(found_types, key=lambda one: one == "None")
    return " | ".join(kinds)


def _said_types(context: Context) -> Iterator[Built]:
    """The annotations of a function whose parameters are named with their types."""
    for anchor in anchors(context, "function")[: context.most_places]:
        node = anchor.node
        if not isinstance(node, Function):
            continue
        given, result = pairs(context, [one.arg for one in parameters(node)])
        if not given and not (context.named and not parameters(node)):
            continue
        target = word(context, "function", anchor)
        calls = [call("annotate_parameter", target=target, name=name, hint=hint) for name, hint in given]
        if result:
            calls.append(call("annotate_return", target=target, hint=result))
        if calls:
            yield Built(tuple(calls), anchor.weight, anchor.doubts)


@builder("annotate_all")
def annotate_all(context: Context) -> Iterator[Built]:
    said = list(_said_types(context))
    if said:
        yield from said
        return
    spots = need(anchors(context, "function"), "function", context)
    functions = [one for one in spots if isinstance(one.node, Function)]
    doubt = "the types were read from the code"
    if context.has("class") or context.has("file"):
        calls = tuple(each for one in functions for each in _inferred(context, one))
        made = [Built(calls, functions[0].weight * 0.8, (*functions[0].doubts, doubt))] if calls else []
    else:
        made = [
            Built(calls, one.weight * 0.8, (*one.doubts, doubt))
            for one in functions[:1]
            if (calls := tuple(_inferred(context, one)))
        ]
    if not made:
        raise Unresolved("the code does not tell the types")
    yield from made


def _inferred(context: Context, anchor: Anchor) -> Iterator[Operation]:
    """Annotations of what has none in a function and shows its type."""
    node = anchor.node
    assert isinstance(node, Function)
    target = word(context, "function", anchor)
    for one in parameters(node):
        if one.annotation is None and one.arg not in ("self", "cls"):
            hint = literal_type(default_of(node, one.arg))
            if hint and hint != "None":
                yield call("annotate_parameter", target=target, name=one.arg, hint=hint)
    if node.returns is None and (hint := returned_type(node)):
        yield call("annotate_return", target=target, hint=hint)


@builder("add_field")
def add_field(context: Context) -> Iterator[Built]:
    if plain_name(context.text("name")) == "__slots__" and context.has("default"):
        for anchor in found(context, "class", "class"):
            mark = quote_of(context.source(anchor.path))
            names = [f"{mark}{one}{mark}" for one in re.findall(r"\w+", context.text("default"))]
            shown = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
            fields = {"target": word(context, "class", anchor), "name": "__slots__", "default": shown}
            made = call("add_field", **fields, parameter="false")
            yield Built((made,), anchor.weight, anchor.doubts)
        return
    for one in from_entry(context, table()["add_field"]):
        yield one
        first = one.calls[0]
        if isinstance(first, AddField) and not first.default:
            hint = str(first.annotation)
            if hint and not re.search(r"\b(?:None|Optional|Any|object)\b", hint):
                hint = f"{hint} | None"
            fields = {"target": str(first.target), "name": first.name, "annotation": hint, "default": "None"}
            for taken, weight in (("true", 0.5), ("false", 0.3)):
                made = call("add_field", **fields, parameter=taken)
                yield Built(
                    (made,), one.weight * weight, (*one.doubts, "a default was added for what is there")
                )


# -- text files --------------------------------------------------------------------------------------


@builder("insert_line")
def insert_line(context: Context) -> Iterator[Built]:
    for path, weight in _text_files(context):
        text = context.repo.index.text(path) or ""
        lines = text.splitlines()
        shown = context.text("text").strip("`")
        wanted = context.text("anchor").strip("`'\"").lower() if context.has("anchor") else ""
        at = next((n for n, line in enumerate(lines, 1) if wanted and wanted in line.lower()), len(lines))
        yield Built((call("insert_lines", place=f"{path}:{max(at, 1)}", text=shown, side="after"),), weight)


def _text_files(context: Context) -> list[tuple[str, float]]:
    out = paths_named(context.repo, context.text("file"))
    if not out:
        raise Unresolved(f"there is no file {context.text('file')}")
    return out


@builder("delete_lines")
def delete_lines(context: Context) -> Iterator[Built]:
    found_files = _text_files(context) if context.has("file") else [(context.situation.path, 1.0)]
    numbers = re.findall(r"\d+", f"{context.text('line')} {context.text('last')}")
    if not numbers:
        raise Unresolved("the number of the line is not said")
    low, high = int(numbers[0]), int(numbers[-1])
    for path, weight in found_files:
        spot = f"{path}:{low}" + (f"-{high}" if high > low else "")
        op = "delete_statements" if path.endswith(".py") else "delete_lines"
        yield Built((call(op, place=spot),), weight)

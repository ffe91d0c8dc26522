"""Calls that change signatures, calls, classes, imports and annotations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.special_methods import SpecialMethod
from spark_tui.intent import phrases
from spark_tui.intent.anchors import Anchor, Search, anchors, finder, nodes, parsed
from spark_tui.intent.areas import paths_named
from spark_tui.intent.building import Built, builder, call, combined, filled, found, place, word
from spark_tui.intent.context import Context
from spark_tui.intent.names import key, plain_name
from spark_tui.intent.preparing import argument_of
from spark_tui.intent.situation import Area, Option, Unresolved
from spark_tui.pysource.source import Function, parameters


@finder
def decorated(at: Search) -> Iterator[Anchor]:
    """Definitions with the decorator."""
    wanted = key(plain_name(at.context.text(at.slot)))
    for one in nodes(at.root, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        for each in one.decorator_list:  # type: ignore[attr-defined]
            name = ast.unparse(each.func if isinstance(each, ast.Call) else each)
            if wanted in (key(name), key(name.rpartition(".")[2])) or key(ast.unparse(each)) == wanted:
                yield Anchor(Area(""), one, words={"decorator": at.source.segment(each)})


# -- signatures --------------------------------------------------------------------------------------


@builder("add_parameter")
def add_parameter(context: Context) -> Iterator[Built]:
    given_names = context.reading.slots.get("name", ())
    for anchor in found(context, "function"):
        words = {"called": context.text("name"), "type": ""}
        hints = filled(context, "{type:type}", anchor) or [Option("")]
        words["type"] = hints[0].text
        ready = replace(anchor, words={**anchor.words, **words})
        fields = {"target": "{function}", "name": "{name:name}", "default": "{default:value}"}
        for given, weight, doubts in combined(context, fields, ready):
            base = {**given, "annotation": hints[0].text}
            yield Built((call("add_parameter", **base),), ready.weight * weight, (*ready.doubts, *doubts))
            if "default" not in given:
                made = call("add_parameter", **base, default="None")
                yield Built(
                    (made,),
                    ready.weight * weight * 0.5,
                    (*ready.doubts, "a default was added for the callers"),
                )
    if not given_names:
        raise Unresolved("the new parameter has no name")


def _order(context: Context, anchor: Anchor, move: str) -> list[str] | None:
    node = anchor.node
    if not isinstance(node, Function):
        return None
    spec = node.args
    names = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    fixed = names[:1] if names and names[0] in ("self", "cls") else []
    names = names[len(fixed) :]
    one = anchor.words["parameter"]
    if one not in names:
        return None
    if move == "swap":
        wanted = key(plain_name(context.text("other")))
        two = next((each for each in names if key(each) == wanted), None)
        two = two or (names[1 - names.index(one)] if len(names) == 2 and not wanted else None)
        if two is None or two == one:
            return None
        at = {one: two, two: one}
        return [at.get(each, each) for each in names]
    rest = [each for each in names if each != one]
    return [one, *rest] if move == "first" else [*rest, one]


@builder("swap_parameters", "move_parameter_first", "move_parameter_last")
def reorder(context: Context) -> Iterator[Built]:
    move = context.reading.intent.removeprefix("move_parameter_").partition("_")[0]
    reason: Unresolved | None = None
    for anchor in found(context, "parameter:parameter", "parameter of that name"):
        order = _order(context, anchor, move)
        if order is None:
            continue
        try:
            made = call(
                "reorder_parameters", target=word(context, "function", anchor), order=f"[{', '.join(order)}]"
            )
        except Unresolved as error:
            reason = error
            continue
        yield Built((made,), anchor.weight, anchor.doubts)
    if reason is not None:
        raise reason


# -- calls -------------------------------------------------------------------------------------------


@builder("swap_arguments")
def swap_arguments(context: Context) -> Iterator[Built]:
    for anchor in found(context, "call:call"):
        node = anchor.node
        assert isinstance(node, ast.Call)
        pair = [argument_of(node, context.text(slot)) for slot in ("argument", "other") if context.has(slot)]
        if len(pair) < 2:
            first = pair[0] if pair and pair[0] else "1"
            others = [str(at) for at in range(1, len(node.args) + 1) if str(at) != first]
            pair = [first, *others[:1]] if len(node.args) == 2 or not pair else []
        if len(pair) != 2 or not all(pair):
            continue
        made = call(
            "swap_arguments",
            callee=ast.unparse(node.func),
            place=place(context, anchor),
            first=pair[0],
            second=pair[1],
        )
        yield Built((made,), anchor.weight, anchor.doubts)


@builder("replace_call")
def replace_call(context: Context) -> Iterator[Built]:
    new = context.text("new").strip("`").strip()
    bare = re.sub(r"\(\s*\)\Z", "", new)
    every = context.reading.everywhere or context.has("file")
    made = []
    for anchor in found(context, "call:old", "call like that"):
        node = anchor.node
        assert isinstance(node, ast.Call)
        func = node.func
        name = bare
        if isinstance(func, ast.Attribute) and "." not in bare and bare.isidentifier():
            source_names = context.visible(anchor.path, node)
            holder = ast.unparse(func.value)
            if not source_names.knows(bare) or not holder[:1].isupper():
                name = f"{holder}.{bare}" if not _is_function(context, anchor.path, bare) else bare
        name = name.removeprefix(".") if not name.startswith("..") else name
        if parsed(name) is None:
            raise Unresolved(f"{new!r} is no call")
        source = context.source(anchor.path)
        old = source.segment(func)
        if isinstance(parsed(name), ast.Call):
            old = source.segment(node)
        edit = call("replace_expression", place=place(context, anchor), old=old, new=name)
        made.append(Built((edit,), anchor.weight, anchor.doubts))
    if every and len(made) > 1:
        yield Built(tuple(one for each in made for one in each.calls), 0.95)
        return
    yield from made
    if len(made) > 1:
        yield Built(
            tuple(one for each in made for one in each.calls), 0.5, (f"all {len(made)} calls are changed",)
        )


def _is_function(context: Context, path: str, name: str) -> bool:
    return any(one.kind.value == "function" for one in context.names.in_file(path).get(key(name), ()))


@builder("delete_calls")
def delete_calls(context: Context) -> Iterator[Built]:
    spots = found(context, "call:call", "call like that") + anchors(context, "call:call")[6:]
    lines = []
    for one in spots:
        source = context.source(one.path)
        statement = source.statement(one.node) if one.node is not None else None
        if isinstance(statement, ast.Expr) and statement.value is one.node:
            lines.append((one.path, source.first_line(statement) + 1, source.last_line(statement)))
    if not lines:
        raise Unresolved("what it returns is used")
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = sorted(dict.fromkeys(lines), key=lambda each: (each[0], -each[1]))
    calls = [
        call("delete_statements", place=f"{path}:{low}" + (f"-{high}" if high > low else ""))
        for path, low, high in ordered
    ]
    yield Built(tuple(calls), 0.95)
    if len(calls) > 1 and not context.reading.everywhere:
        for one in calls[:2]:
            yield Built((one,), 0.2, (f"one of {len(calls)} calls",))


@builder("move_before", "move_after")
def move(context: Context) -> Iterator[Built]:
    side = context.reading.intent.removeprefix("move_")
    for anchor in found(context, "statement:code", "statement like that")[:3]:
        for other in found(context, "statement:anchor", "place like that")[:3]:
            if other.path == anchor.path and other.node is not anchor.node:
                made = call(
                    "move_statements", place=place(context, anchor), to=place(context, other), side=side
                )
                yield Built((made,), anchor.weight * other.weight, (*anchor.doubts, *other.doubts))


# -- classes and decorators --------------------------------------------------------------------------

_SPECIAL = {
    "__repr__": ("repr", "garbage", "print", "debug", "readable", "object at", "console", "log", "ausgeben", "lesbar", "afficher", "imprim", "打印", "显示"),
    "__eq__": ("eq", "equal", "compare", "same", "==", "gleich", "vergleich", "égal", "compar", "igual", "相等", "比较"),
    "__str__": ("str(", "str", "string", "text", "字符串"),
    "__len__": ("len", "size", "how many", "length", "länge", "longueur", "longitud", "长度"),
    "__hash__": ("hash", "set of", "dict key", "dictionary key", "in a set", "哈希", "集合"),
    "__iter__": ("iter", "loop", "for ", "iterable", "schleife", "parcour", "recorrer", "遍历", "迭代"),
    "__contains__": ("contains", " in ", "membership", "包含"),
    "__bool__": ("bool", "truthy", "falsy", "if "),
    "__lt__": ("lt", "sort", "order", "<", "sortier", "trier", "ordenar", "排序"),
    "__getitem__": ("getitem", "index", "[", "subscript", "下标"),
    "__enter__": ("enter", "with ", "context manager", "kontextmanager"),
    "__call__": ("call",),
}  # fmt: skip


def special_methods(said: str, instruction: str) -> list[Option]:
    """The special methods that a text names or an instruction describes."""
    plain = plain_name(said).strip("_").lower() if said else ""
    known = {str(one.value) for one in SpecialMethod}
    for one in known:
        if plain and one.strip("_") == plain:
            return [Option(one)]
    text = (said or instruction).lower()
    scored = [
        (sum(word in text for word in words), name) for name, words in _SPECIAL.items() if name in known
    ]
    scored = sorted((one for one in scored if one[0]), key=lambda one: -one[0])
    return [
        Option(name, 0.8 if at == 0 else 0.3, (f"{name} was taken for what is meant",))
        for at, (_, name) in enumerate(scored[:2])
    ]


@builder("add_special_method")
def add_special_method(context: Context) -> Iterator[Built]:
    for anchor in found(context, "class", "class")[:3]:
        for option in special_methods(context.text("method"), context.situation.instruction):
            made = call("add_special_method", target=word(context, "class", anchor), method=option.text)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


@builder("cache_results")
def cache_results(context: Context) -> Iterator[Built]:
    for anchor in found(context, "function", "function"):
        size = phrases.number(context.text("size")) if context.has("size") else None
        bound = context.repo.index.scopes(anchor.path).module.bound
        name = "cache" if size is None else f"lru_cache(maxsize={size})"
        bare = name.partition("(")[0]
        held = "functools" in bound and bare not in bound
        made = call(
            "add_decorator",
            target=word(context, "function", anchor),
            decorator=f"functools.{name}" if held else name,
        )
        extra = (
            ()
            if held or bare in bound
            else (call("add_import", path=anchor.path, module="functools", name=bare),)
        )
        yield Built((made, *extra), anchor.weight, anchor.doubts)


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
    for area in context.areas[:2]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        for one in source.statements:
            if not isinstance(one, ast.Import | ast.ImportFrom):
                continue
            names = [
                each for each in one.names if wanted in (each.name, each.asname, each.name.partition(".")[0])
            ]
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
    for anchor in found(context, "function", "function"):
        options = filled(context, "{type:type}", anchor)
        if options is None and isinstance(anchor.node, Function):
            hint = returned_type(anchor.node)
            options = [Option(hint, 0.85, ("the type was read from the code",))] if hint else []
        for option in options or ():
            made = call("annotate_return", target=word(context, "function", anchor), hint=option.text)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def literal_type(node: ast.expr | None) -> str:
    """The type of an expression, where its form tells it."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__ if node.value is not None else "None"
    kinds = {ast.JoinedStr: "str", ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict",
             ast.Set: "set", ast.SetComp: "set", ast.Tuple: "tuple", ast.Compare: "bool"}  # fmt: skip
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        names = {"len": "int", "str": "str", "int": "int", "float": "float", "list": "list", "dict": "dict", "set": "set",
                 "tuple": "tuple", "bool": "bool", "sorted": "list", "isinstance": "bool", "any": "bool", "all": "bool"}  # fmt: skip
        return names.get(node.func.id, "")
    return kinds.get(type(node), "") if node is not None else ""


def returned_type(node: Function) -> str:
    """The type that all returns of a function have; empty where their form does not tell."""
    own = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
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


@builder("annotate_all")
def annotate_all(context: Context) -> Iterator[Built]:
    functions = [one for one in found(context, "function", "function") if isinstance(one.node, Function)]
    if len(functions) > 1 and not context.has("class") and not context.has("file"):
        functions = functions[:1]
    for anchor in functions[:1] if not (context.has("class") or context.has("file")) else functions:
        node = anchor.node
        assert isinstance(node, Function)
        target = word(context, "function", anchor)
        calls = []
        for one in parameters(node):
            if one.annotation is None and one.arg not in ("self", "cls"):
                from spark_tui.intent.preparing import default_node

                hint = literal_type(default_node(node, one.arg))
                if hint and hint != "None":
                    calls.append(call("annotate_parameter", target=target, name=one.arg, hint=hint))
        if node.returns is None and (hint := returned_type(node)):
            calls.append(call("annotate_return", target=target, hint=hint))
        if calls:
            yield Built(
                tuple(calls), anchor.weight * 0.8, (*anchor.doubts, "the types were read from the code")
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

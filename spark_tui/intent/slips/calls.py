"""Slips in calls: another function, arguments in another order, one too many or one that is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.slips.place import Place, Slip, finder, in_brackets, likest
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.source import parameters

_WITH_DEFAULT = {"get": ("0", "[]", "''", "None", "False", "{}"), "pop": ("None",), "next": ("None",)}
_ERRORS = (
    "ValueError",
    "KeyError",
    "TypeError",
    "IndexError",
    "AttributeError",
    "OSError",
    "ZeroDivisionError",
)
_SPLITS = ("", "' '", "','", "', '", "'\\n'", "':'", "None, 1", "';'", "'\\t'")
_KEYS = (
    "reverse=True",
    "key=len",
    "key=str.lower",
    "key=int",
    "key=lambda item: item[1]",
    "key=lambda item: item[0]",
)


@finder
def other_function(place: Place) -> Iterator[Slip]:
    functions, methods = other_words()["functions"], other_words()["methods"]
    for node in place.all(ast.Call, ast.Attribute):
        func = node.func if isinstance(node, ast.Call) else node
        called = isinstance(node, ast.Call)
        if isinstance(func, ast.Name):
            for other in functions.get(func.id, ()):
                yield from place.swap(func, other, 0.5)
        elif isinstance(func, ast.Attribute) and (called or func.attr in ("days", "seconds")):
            value = in_brackets(place.code(func.value), func.value)
            for other in (*functions.get(func.attr, ()), *methods.get(func.attr, ())):
                if "(" not in other or not called:
                    yield from place.swap(func, f"{value}.{other}", 0.45)
                elif isinstance(node, ast.Call):
                    args = ", ".join(place.code(one) for one in node.args)
                    yield from place.swap(node, f"{value}.{other.replace('_', args)}", 0.45)


@finder
def lost_result(place: Place) -> Iterator[Slip]:
    """A call whose result is not used, or a value that is only set the first time."""
    for node in place.all(ast.Expr):
        call = node.value
        if not isinstance(call, ast.Call):
            continue
        code, indent = place.code(call), place.source.indent(node)
        yield from place.swap(node, f"return {code}", 0.3)
        yield from place.swap(node, f"await {code}", 0.1)
        if isinstance(call.func, ast.Name) and call.func.id == getattr(place.root, "name", ""):
            unit, new = place.source.indent_unit, place.source.newline
            kept = f"found = {code}{new}{indent}if found is not None:{new}{indent}{unit}return found"
            yield from place.swap(node, kept, 0.35)
            yield from place.swap(node, kept.replace(" is not None", ""), 0.25)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "setdefault" and len(call.args) == 2:
            key, value = place.code(call.args[0]), place.code(call.args[1])
            yield from place.swap(node, f"{place.code(call.func.value)}[{key}] = {value}", 0.4)
        if isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Call):
            yield from place.swap(node, f"{place.code(call.func.value)} = {code}", 0.3)
    for assigned in place.all(ast.Assign):
        target = assigned.targets[0]
        if isinstance(target, ast.Subscript) and len(assigned.targets) == 1:
            held, key, value = (place.code(one) for one in (target.value, target.slice, assigned.value))
            yield from place.swap(assigned, f"{held}.setdefault({key}, {value})", 0.2)


@finder
def own_function(place: Place) -> Iterator[Slip]:
    """Another function of the file, with as many parameters, or another method."""
    source = place.source
    for node in place.all(ast.Call):
        count = len(node.args) + len(node.keywords)
        if isinstance(node.func, ast.Name):
            fitting = [one.name for one in source.functions if len(parameters(one)) == count]
            known = any(one.name == node.func.id for one in source.functions)
            for other in likest(node.func.id, tuple(fitting))[:3] if known else ():
                yield from place.swap(node.func, other, 0.2)
        elif isinstance(node.func, ast.Attribute) and place.code(node.func.value) in ("self", "super()"):
            fitting = [one.name for one in source.functions if len(parameters(one)) == count + 1]
            for other in likest(node.func.attr, tuple(fitting))[:3]:
                yield from place.swap(node.func, f"{place.code(node.func.value)}.{other}", 0.2)


@finder
def other_arguments(place: Place) -> Iterator[Slip]:
    for node in place.all(ast.Call):
        plain = [place.code(one) for one in node.args]
        named = [place.code(one) for one in node.keywords]
        shown = [*plain, *named]
        for at in range(len(plain) - 1):
            turned = [*plain[:at], plain[at + 1], plain[at], *plain[at + 2 :], *named]
            yield from _with(place, node, turned, 0.4)
        for at in range(len(shown)):
            yield from _with(place, node, shown[:at] + shown[at + 1 :], 0.2)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else place.code(node.func)
        for default in _WITH_DEFAULT.get(name, ()) if len(shown) == 1 else ():
            yield from _with(place, node, [*shown, default], 0.3)
        if name in ("split", "rsplit"):
            for piece in _SPLITS:
                yield from _with(place, node, [piece] if piece else [], 0.25)
            if shown:
                yield from _with(place, node, [*plain[:1], "1"], 0.3)
        if name in ("sorted", "sort", "max", "min"):
            for key in _KEYS:
                if key.partition("=")[0] not in [one.arg for one in node.keywords]:
                    yield from _with(place, node, [*shown, key], 0.25)
        for keyword in other_words()["keywords"].get(name, ()):
            if keyword.partition("=")[0] not in [one.arg for one in node.keywords]:
                yield from _with(place, node, [*shown, keyword], 0.25)
        if name in ("strip", "lstrip", "rstrip", "split", "rsplit", "join") and not shown:
            for text in [one for one in place.literals if isinstance(one, str) and 0 < len(one) < 4][:8]:
                yield from _with(place, node, [repr(text)], 0.3)
        if name == "pop" and not shown:
            yield from _with(place, node, ["0"], 0.4)
        if name in ("int", "round") and len(plain) == 1:
            yield from _with(place, node, [*plain, "2"], 0.2)
        if name == "enumerate" and len(shown) == 1:
            yield from _with(place, node, [*shown, "1"], 0.5)


def _with(place: Place, node: ast.Call, args: list[str], weight: float) -> Iterator[Slip]:
    yield from place.swap(node, f"{place.code(node.func)}({', '.join(args)})", weight)


@finder
def other_key(place: Place) -> Iterator[Slip]:
    """A key of sorting: one part the other way round, or what decides between equals."""
    for node in place.all(ast.Call):
        key = next((one.value for one in node.keywords if one.arg == "key"), None)
        turned = next((one for one in node.keywords if one.arg == "reverse"), None)
        if not isinstance(key, ast.Lambda) or not key.args.args:
            continue
        name, body = key.args.args[0].arg, key.body
        parts = [place.code(one) for one in body.elts] if isinstance(body, ast.Tuple) else [place.code(body)]
        rest = [place.code(one) for one in node.args]
        rest += [place.code(one) for one in node.keywords if one.arg not in ("key", "reverse")]
        ties = ["", name] + [f"{name}[{at}]" for at in (0, 1) if f"{name}[" in parts[0]]
        ties += [f"{name}.{one}" for one in place.members[:8] if f"{name}." in parts[0]]
        for at in range(len(parts)):
            minus = parts[at].removeprefix("-") if parts[at].startswith("-") else f"-{parts[at]}"
            for tie in ties if len(parts) == 1 else [""]:
                for first, weight in ((minus, 0.3), (parts[at], 0.3)):
                    told = [
                        *parts[:at],
                        first,
                        *parts[at + 1 :],
                        *([tie] if tie and tie not in parts else []),
                    ]
                    shown = f"({', '.join(told)})" if len(told) > 1 else told[0]
                    yield from _with(place, node, [*rest, f"key=lambda {name}: {shown}"], weight)
                    if turned is not None:
                        yield from place.swap(body, shown, weight)
        if len(parts) > 1:
            yield from place.swap(body, f"({', '.join([parts[1], parts[0], *parts[2:]])})", 0.35)


@finder
def other_pairs(place: Place) -> Iterator[Slip]:
    """Two values in a tuple, a dictionary entry or a key of sorting the wrong way round."""
    for node in place.all(ast.Tuple):
        if len(node.elts) == 2 and all(place.source.span(one)[0] >= 0 for one in node.elts):
            (low, mid), (start, end) = place.source.span(node.elts[0]), place.source.span(node.elts[1])
            text = place.source.text
            yield Slip(((low, mid, text[start:end]), (start, end, text[low:mid])), 0.3)
    for comprehension in place.all(ast.DictComp):
        key, value = place.source.span(comprehension.key), place.source.span(comprehension.value)
        text = place.source.text
        yield Slip(((*key, text[slice(*value)]), (*value, text[slice(*key)])), 0.3)
    for entry in place.all(ast.Lambda):
        for inner in (entry.body,):
            if not isinstance(inner, ast.UnaryOp | ast.Tuple):
                yield from place.swap(inner, f"-{place.code(inner)}", 0.3)
    for picked in place.all(ast.IfExp):
        one, two = place.source.span(picked.body), place.source.span(picked.orelse)
        text = place.source.text
        yield Slip(((*one, text[slice(*two)]), (*two, text[slice(*one)])), 0.5)


@finder
def other_error(place: Place) -> Iterator[Slip]:
    """The error that a handler catches, or that is raised: one that the failing test tells of."""
    for handler in place.all(ast.ExceptHandler):
        if handler.type is not None:
            for name in (*place.told, *_ERRORS):
                code, told = place.code(handler.type), name in place.told
                caught = f"({', '.join([code.strip('()'), name])})"
                yield from place.swap(handler.type, caught, 0.5 if told else 0.1)
                yield from place.swap(handler.type, name, 0.3 if told else 0.12)
    for node in place.all(ast.Raise):
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if made is not None:
            for name in place.told:
                yield from place.swap(made, name, 0.5)

"""Calls that fix an error which was seen: an undefined name, a missing argument, a missing key."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.anchors import Anchor
from spark_tui.intent.areas import implied, paths_named
from spark_tui.intent.building import Built, builder, call, place
from spark_tui.intent.call_fixes import call_error
from spark_tui.intent.context import Context
from spark_tui.intent.executing import home_of
from spark_tui.intent.repairs import repaired
from spark_tui.intent.seen_error import Fix, Seen, quoted_names
from spark_tui.intent.situation import Area, Unresolved
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import parameters
from spark_tui.pysource.undefined import undefined

_FRAME = re.compile(r'File "([^"]+)", line (\d+)(?:, in ([\w<>.]+))?')
_NAMED = re.compile(r"(\w+(?:Error|Exception|Interrupt|Warning|Iteration))\b(?:: *([^\n]*))?")


def seen(context: Context) -> Iterator[Seen]:
    """The error that an instruction tells of, in each place in which it may be."""
    said = context.situation.instruction
    named = " ".join(context.text(slot) for slot in ("exception",) if context.has(slot))
    text = said if len(said) >= len(named) else named
    errors = _NAMED.findall(text) or _NAMED.findall(named)
    kind, message = errors[-1] if errors else ("", text)
    line = 0
    areas = context.areas
    for path, number, _ in reversed(_FRAME.findall(text)):
        homes = paths_named(context.repo, path) or paths_named(context.repo, path.rpartition("/")[2])
        if homes:
            line, areas = int(number), [Area(homes[0][0])]
            break
    for area in areas or implied(context.situation):
        if area.path in context.repo.index.paths:
            source = context.source(area.path)
            root = area.node or source.tree
            if root is not None:
                yield Seen(context, kind, message or text, line, area, source, root)


@builder("fix_error")
def fix_error(context: Context) -> Iterator[Built]:
    made: list[Built] = []
    for path in [context.situation.path, *(area.path for area in context.areas)]:
        if path in context.repo.index.modules.paths:
            made += list(repaired(context, path))
    for one in [] if made else seen(context):
        for fix in FIXES.get(one.kind, ()):
            made += list(fix(one))
        if not made:
            for fix in UNNAMED:
                made += list(fix(one))
    if not made:
        raise Unresolved("the error was not found in the code")
    whole = sum(one.weight for one in made)
    best = max(one.weight for one in made)
    yield from (replace(one, weight=one.weight * min(1.0, best / whole * 1.2)) for one in made)


# -- names -------------------------------------------------------------------------------------------


def name_error(at: Seen) -> Iterator[Built]:
    """An undefined name: imported, or spelled as one that is known."""
    wanted = quoted_names(at.text) or ([at.context.text("symbol")] if at.context.has("symbol") else [])
    missing = {one.name: one for one in undefined(at.context.repo.index.scopes(at.source.path))}
    for name in [one for one in wanted if one in missing] or list(missing)[:3]:
        occurrence = missing[name]
        home = home_of(name, at.context.repo, at.source.path)
        if home is not None:
            fields = {"module": home} if home == name else {"module": home, "name": name}
            yield Built((call("add_import", path=at.source.path, **fields),), 0.95 * at.area.weight)
        inside = at.source.function_of(occurrence.node)
        visible = at.context.visible(at.source.path, inside)
        known = {
            one.removeprefix("self."): one for one in (*visible.inner.values(), *visible.module.values())
        }
        own = f"self.{name}"
        if own in visible.inner.values() and isinstance(occurrence.node, ast.Name):
            yield at.swap(occurrence.node, own, 0.8)
        for near in difflib.get_close_matches(name, [one for one in known if one != name], 1, 0.7):
            places = [
                one
                for one in walk(inside or at.root)
                if isinstance(one, ast.Name) and one.id == name and at.source.span(one)[0] >= 0
            ]
            calls = tuple(at.swap(one, known[near], 1.0).calls[0] for one in places)
            if calls:
                yield Built(calls, (0.5 if home is not None else 0.9) * at.area.weight)


def attribute_error(at: Seen) -> Iterator[Built]:
    """An attribute that a class does not have: spelled as one that it has; or an object that is None."""
    found = re.search(
        r"'([\w.]+)' object has no attribute '(\w+)'|module '([\w.]+)' has no attribute '(\w+)'", at.text
    )
    if found is None:
        return
    owner, name = found[1] or found[3], found[2] or found[4]
    if owner == "NoneType":
        yield from none_error(at)
        return
    members = [
        one.name
        for path in at.context.repo.index.paths
        for one in at.context.repo.index.summary(path).symbols
        if one.qualname.startswith(f"{owner}.")
    ]
    for near in difflib.get_close_matches(name, members, 1, 0.6):
        for one in at.nodes(ast.Attribute):
            if isinstance(one, ast.Attribute) and one.attr == name:
                yield at.swap(one, f"{at.source.segment(one.value)}.{near}", 0.9)


def none_error(at: Seen) -> Iterator[Built]:
    """Something is None: the function returns early."""
    found = re.findall(r"attribute '(\w+)'", at.text)
    for one in at.nodes(ast.Attribute):
        if not isinstance(one, ast.Attribute) or not isinstance(one.value, ast.Name):
            continue
        if found and one.attr not in found:
            continue
        inside = at.source.function_of(one)
        if inside is None or one.value.id not in {each.arg for each in parameters(inside)} - {"self", "cls"}:
            continue
        target = f"in {at.source.path}::{at.source.qualname(inside)}"
        gives = any(isinstance(each, ast.Return) and each.value is not None for each in walk(inside))
        action = "return None" if gives else "return"
        made = call("add_guard", place=target, condition=f"{one.value.id} is None", action=action)
        yield Built((made,), 0.6 * at.area.weight, ("what is done without a value was made up",))
        return


def type_error(at: Seen) -> Iterator[Built]:
    """A call that does not fit, or something that is None."""
    yield from call_error(at)
    if "NoneType" in at.text:
        yield from none_error(at)


# -- values ------------------------------------------------------------------------------------------


def key_error(at: Seen) -> Iterator[Built]:
    """A key that may be missing is looked up by `get`."""
    wanted = re.findall(r"['\"]([^'\"]+)['\"]", at.text)
    for one in at.nodes(ast.Subscript):
        if not isinstance(one, ast.Subscript) or not isinstance(one.ctx, ast.Load):
            continue
        shown = ast.unparse(one.slice).strip("'\"")
        if isinstance(one.slice, ast.Slice) or (
            wanted and isinstance(one.slice, ast.Constant) and shown not in wanted
        ):
            continue
        yield at.swap(one, f"{at.source.segment(one.value)}.get({at.source.segment(one.slice)})", 0.8)


def index_error(at: Seen) -> Iterator[Built]:
    """One step too far: `range(len(x) + 1)`, `<= len(x)`."""
    for one in at.nodes(ast.Call):
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "range" and one.args:
            last = one.args[-1] if len(one.args) < 3 else one.args[1]
            if (
                isinstance(last, ast.BinOp)
                and isinstance(last.op, ast.Add)
                and ast.unparse(last.right) == "1"
            ):
                yield at.swap(last, at.source.segment(last.left), 0.9)
    for one in at.nodes(ast.Compare):
        too_far = isinstance(one, ast.Compare) and isinstance(one.ops[0], ast.LtE)
        if isinstance(one, ast.Compare) and too_far and ast.unparse(one.comparators[0]).startswith("len("):
            left = at.source.segment(one.left)
            spot = place(at.context, Anchor(at.area, one))
            made = call("change_operator", place=spot, old="<=", new="<", left=left)
            yield Built((made,), 0.9 * at.area.weight)


def one_too_few(at: Seen) -> Iterator[Built]:
    """A range that ends one step early: `range(len(x) - 1)`."""
    for one in at.nodes(ast.Call):
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "range" and one.args:
            last = one.args[-1] if len(one.args) < 3 else one.args[1]
            if (
                isinstance(last, ast.BinOp)
                and isinstance(last.op, ast.Sub)
                and ast.unparse(last.right) == "1"
            ):
                yield at.swap(last, at.source.segment(last.left), 0.7)


def zero_division(at: Seen) -> Iterator[Built]:
    """A division by something that may be zero: the function returns 0 then."""
    for one in at.nodes(ast.BinOp):
        if not isinstance(one, ast.BinOp) or not isinstance(one.op, ast.Div | ast.FloorDiv | ast.Mod):
            continue
        inside = at.source.function_of(one)
        below = one.right
        if inside is None or isinstance(below, ast.Constant):
            continue
        shown = at.source.segment(below)
        size = re.fullmatch(r"len\((.+)\)", shown)
        condition = f"not {size[1]}" if size else f"{shown} == 0"
        names = {each.id for each in walk(below) if isinstance(each, ast.Name)} - {"len", "sum", "self"}
        own = {each.arg for each in parameters(inside)}
        doubt = "what is returned then was made up"
        if names <= own:
            target = f"in {at.source.path}::{at.source.qualname(inside)}"
            made = call("add_guard", place=target, condition=condition, action="return 0")
        else:
            statement = at.source.statement(one)
            assert statement is not None
            code = f"if {condition}:\n    return 0"
            spot = place(at.context, Anchor(at.area, statement))
            made = call("insert_statements", place=spot, code=code, side="before")
        yield Built((made,), 0.75 * at.area.weight, (doubt,))


# -- without an error --------------------------------------------------------------------------------


def missing_prefix(at: Seen) -> Iterator[Built]:
    """A string with names in braces that lacks its `f`."""
    for one in at.nodes(ast.Constant):
        if not isinstance(one, ast.Constant) or not isinstance(one.value, str):
            continue
        outer = at.source.parents.get(one)
        if isinstance(outer, ast.Expr | ast.JoinedStr | ast.Attribute):
            continue
        holes = re.findall(r"\{([\w.]+)\}", one.value)
        visible = at.context.visible(at.source.path, at.source.function_of(one))
        if holes and all(hole.partition(".")[0] in visible.inner for hole in holes):
            yield at.swap(one, f"f{at.source.segment(one)}", 0.85)


def missing_await(at: Seen) -> Iterator[Built]:
    """Calls of coroutines of the repository that are not awaited."""
    for one in at.nodes(ast.Call):
        inside = at.source.function_of(one)
        if not isinstance(one, ast.Call) or not isinstance(inside, ast.AsyncFunctionDef):
            continue
        if isinstance(at.source.parents.get(one), ast.Await):
            continue
        scope = at.context.repo.index.scopes(at.source.path).scope_at.get(one)
        values = at.context.repo.infer.values(at.source.path, one.func, scope) if scope is not None else ()
        if any(isinstance(getattr(value, "node", None), ast.AsyncFunctionDef) for value in values):
            made = call(
                "add_await", callee=ast.unparse(one.func), place=place(at.context, Anchor(at.area, one))
            )
            yield Built((made,), 0.9 * at.area.weight)


FIXES: dict[str, tuple[Fix, ...]] = {
    "NameError": (name_error,),
    "UnboundLocalError": (name_error,),
    "ModuleNotFoundError": (name_error,),
    "AttributeError": (attribute_error,),
    "TypeError": (type_error,),
    "KeyError": (key_error,),
    "IndexError": (index_error,),
    "ZeroDivisionError": (zero_division,),
    "RuntimeWarning": (missing_await,),
}
"""What may fix an error of a class."""
UNNAMED: tuple[Fix, ...] = (name_error, missing_await, missing_prefix, index_error, one_too_few)
"""What is tried where the class of the error is not known or has no fix."""

"""What an answer did in one function, done in another one.

Comes in: the text in which an answer stands, names of functions. Goes out: hunks that do there what was done. Must not
know: messages, engines, ids.

A change is carried where all of it can be told in words of trees: an argument by name that a call got, a value for
another, something around an expression, a decorator, lines at the top. Else nothing is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from spark_tui.engine.layout import WindowHunk
from spark_tui.parsing import parse_code
from spark_tui.refactor.known import between
from spark_tui.refactor.source import Change, Function, Source, body_behind_docstring, indent_of, parameters
from spark_tui.steers.stands import Stands

_BODIES = ("body", "orelse", "finalbody", "handlers", "decorator_list")
Told = tuple[str, str, str, str]
"""What sort of change, of what, what stood, what stands."""


def carried(text: Stands, names: Sequence[str]) -> list[WindowHunk] | None:
    """Hunks of the text as it was; None where something cannot be carried to one of the functions."""
    src = text.was
    if src.tree is None or text.src.tree is None:
        return None
    out: list[Change] = []
    for name in names:
        targets = [node for node in src.functions if node.name == name]
        if len(targets) != 1:
            return None
        made = _of(text, targets[0])
        if not made:
            return None
        out += made
    try:
        after = src.changed(dict.fromkeys(out)).split("\n")[:-1]
    except ValueError:
        return None
    return [WindowHunk(one.first, one.last, one.new) for one in between(src.lines, after)]


def _of(text: Stands, target: Function) -> list[Change] | None:
    src, out = text.was, list[Change]()
    for hunk, (first, last) in zip(text.hunks, text.places, strict=True):
        if hunk.first == hunk.last:
            put = _put_in(text, hunk, target)
            if put is None:
                return None
            out.append(put)
        elif hunk.last - hunk.first == last - first:
            for step in range(last - first):
                if src.lines[hunk.first + step] == text.src.lines[first + step]:
                    continue
                told = _told(src, hunk.first + step, text.src, first + step)
                made = [change for one in told or () for change in _done(src, target, one)]
                if not told or not made:
                    return None
                out += made
        else:
            return None
    return out


def _put_in(text: Stands, hunk: WindowHunk, target: Function) -> Change | None:
    """Lines above a definition that decorate it, or at the top of its body."""
    src = text.was
    above = src.lines[hunk.first] if hunk.first < len(src.lines) else ""
    if all(line.lstrip().startswith("@") for line in hunk.new):
        if not above.lstrip().startswith(("def ", "async def ", "@")):
            return None
        at = src.starts[src.first_line(target)]
        return at, at, "".join(f"{src.indent(target)}{line.strip()}\n" for line in hunk.new)
    source = next(
        (
            node
            for node in reversed(src.functions)
            if src.first_line(node) < hunk.first <= src.last_line(node)
            and (
                hunk.new[0].lstrip().startswith("if ")
                or ((body := body_behind_docstring(node)) and src.first_line(body[0]) == hunk.first)
            )
        ),
        None,
    )
    inner = body_behind_docstring(target)
    if source is None or not inner:
        return None
    old, new = indent_of(hunk.new[0]), src.indent(inner[0])
    if old != src.indent(body_behind_docstring(source)[0]):
        return None
    lines = [new + line.removeprefix(old) if line.strip() else line for line in hunk.new]
    step = len(old)
    try:
        names = {
            node.id
            for node in ast.walk(parse_code("\n".join(["def _():", *("  " + line[step:] for line in hunk.new)])))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
    except SyntaxError:
        return None
    own = {node.id for node in ast.walk(source) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {one.arg for one in parameters(source)}
    has = {one.arg for one in parameters(target)} | {"self", "cls"}
    if names & own - has - set(dir(builtins)):
        return None
    at = src.starts[src.first_line(inner[0])]
    return at, at, "".join(f"{line}\n" for line in lines)


def on_the_other(text: Stands, said: str) -> list[WindowHunk] | None:
    """What was done with one statement, done with the only other one of its kind in its place; `said` is the value."""
    src = text.was
    if src.tree is None or text.src.tree is None or len(text.hunks) != 1:
        return None
    hunk, (first, last) = text.hunks[0], text.places[0]
    if hunk.last - hunk.first != 1 or last - first != 1:
        return None
    told = _told(src, hunk.first, text.src, first)
    own = _on(src, hunk.first)
    if not told or len(told) != 1 or told[0][0] != "value" or own is None:
        return None
    _, about, stood, stands = told[0]
    found = []
    for node in src.statements:
        if node is own or type(node) is not type(own) or hasattr(node, "body"):
            continue
        for item in ast.walk(node):
            parent = src.parents.get(item)
            named = str(parent.arg) if isinstance(parent, ast.keyword) else _about(parent, src) if parent else ""
            alike = isinstance(item, ast.Constant) and (named == about if about else src.segment(item) == stood)
            if alike and _shape(node, src) == _shape(own, src):
                found.append(item)
    if len(found) != 1:
        return None
    after = src.changed([(*src.span(found[0]), said or stands)]).split("\n")[:-1]
    return [WindowHunk(one.first, one.last, one.new) for one in between(src.lines, after)]


def _shape(node: ast.AST, src: Source) -> list[str]:
    """What a statement calls."""
    return [src.segment(item.func) for item in ast.walk(node) if isinstance(item, ast.Call)]


# -- what was done ---------------------------------------------------------------------------------------------------


def _told(old: Source, first: int, new: Source, second: int) -> list[Told] | None:
    one, two = _on(old, first), _on(new, second)
    if one is None or two is None:
        return None
    out: list[Told] = []
    return out if _same(old, one, new, two, "", out) and out else None


def _on(src: Source, number: int) -> ast.stmt | None:
    """The outermost statement that begins on a line."""
    return next((node for node in src.statements if node.lineno - 1 - len(src.headers) == number), None)


def _same(old: Source, one: ast.AST, new: Source, two: ast.AST, about: str, out: list[Told]) -> bool:
    """Whether the one became the other by what is put into `out`."""
    if ast.dump(one) == ast.dump(two) and not hasattr(one, "body"):
        return True
    if isinstance(one, ast.expr) and isinstance(two, ast.expr):
        if isinstance(one, ast.Constant) and isinstance(two, ast.Constant):
            out.append(("value", about, old.segment(one), new.segment(two)))
            return True
        if isinstance(one, ast.Name) and isinstance(two, ast.Name):
            out.append(("name", "", one.id, two.id))
            return True
        around = [node for node in ast.walk(two) if node is not two and ast.dump(node) == ast.dump(one)]
        if len(around) == 1:
            start, (low, high) = new.span(two)[0], new.span(around[0])
            whole = new.segment(two)
            out.append(("around", whole[: low - start] + "\0" + whole[high - start :], old.segment(one), ""))
            return True
    if isinstance(one, ast.Call) and isinstance(two, ast.Call) and ast.dump(one.func) == ast.dump(two.func):
        called = old.segment(one.func)
        stood = {item.arg: item for item in one.keywords}
        given = {item.arg: item for item in two.keywords}
        if None in stood or None in given or len(one.args) != len(two.args):
            return False
        for name in given.keys() - stood.keys():
            out.append(("given", called, "", f"{name}={new.segment(given[name].value)}"))
        for name in stood.keys() - given.keys():
            out.append(("taken", called, str(name), ""))
        pairs: list[tuple[ast.AST, ast.AST, str]] = [(a, b, "") for a, b in zip(one.args, two.args, strict=True)]
        pairs += [(stood[name].value, given[name].value, str(name)) for name in stood.keys() & given.keys()]
        return all(_same(old, a, new, b, name, out) for a, b, name in pairs)
    if type(one) is not type(two):
        return False
    for field in one._fields:
        if field in _BODIES:
            continue
        a, b = getattr(one, field, None), getattr(two, field, None)
        if isinstance(a, ast.AST) and isinstance(b, ast.AST):
            name = _about(one, old)
            if not _same(old, a, new, b, name, out):
                return False
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            for x, y in zip(a, b, strict=True):
                if isinstance(x, ast.AST) and isinstance(y, ast.AST):
                    if not _same(old, x, new, y, "", out):
                        return False
                elif x != y:
                    return False
        elif a != b:
            return False
    return True


def _about(node: ast.AST, src: Source) -> str:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return src.segment(node.targets[0])
    return src.segment(node.target) if isinstance(node, (ast.AnnAssign, ast.AugAssign)) else ""


# -- done again ------------------------------------------------------------------------------------------------------


def _done(src: Source, target: Function, told: Told) -> Iterator[Change]:
    kind, about, stood, stands = told
    for node in ast.walk(target):
        if isinstance(node, ast.Call) and kind in ("given", "taken") and src.segment(node.func) == about:
            names = {item.arg for item in node.keywords}
            if kind == "given" and stands.partition("=")[0] not in names:
                at = src.span(node)[1] - 1
                yield at, at, (", " if node.args or node.keywords else "") + stands
        elif kind == "value" and isinstance(node, ast.Constant) and src.segment(node) == stood:
            parent = src.parents.get(node)
            named = str(parent.arg) if isinstance(parent, ast.keyword) else _about(parent, src) if parent else ""
            if named == about:
                yield (*src.span(node), stands)
        elif kind == "name" and isinstance(node, ast.Name) and node.id == stood:
            yield (*src.span(node), stands)
        elif kind == "around" and isinstance(node, ast.expr) and src.segment(node) == stood:
            if isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            yield (*src.span(node), about.replace("\0", stood))

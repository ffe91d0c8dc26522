"""What an answer did, learnt from the trees of before and behind, and where else in a text the same can be done.

Comes in: the text without an answer and with it; another text. Goes out: places of that text, each with the changes
that do there what was done. Must not know: messages, engines, ids.

A change is a node that became another one (of which the parts that stood before are holes), an argument that a call
got, a decorator, a name for another, or statements that came or went. What is alike is told by levels: 0 is the same
text, 1 the same shape, 2 the same kind in the same role.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cached_property

from spark_tui.refactor.source import Change, Definition, Source
from spark_tui.steers.alike import (
    SIGNS,
    Made,
    Path,
    Where,
    bound_in,
    fits,
    key_of,
    last_name,
    named,
    needs_brackets,
    part_at,
    redented,
    role,
    same_method,
    shape,
    spelled,
    statement_of,
    up_to,
    walked,
)
from spark_tui.steers.put_there import put_there, renamed_in
from spark_tui.steers.stands import Stands

_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_LEVELS = 3


class Learnt:
    """Of one answer."""

    def __init__(self, text: Stands) -> None:
        self.was, self.now = text.was, text.src

    @cached_property
    def all_made(self) -> list[Made]:
        if self.was.tree is None or self.now.tree is None:
            return []
        return list(self._pair(self.was.tree, self.now.tree))

    @cached_property
    def made(self) -> list[Made]:
        """Without what only another change needs."""
        return [one for one in self.all_made if not self._is_support(one)] or self.all_made

    def _is_support(self, one: Made) -> bool:
        """What another change needs: an import, a constant at the top."""
        if one.kind != "put":
            return False
        return all(
            isinstance(node, (ast.Import, ast.ImportFrom))
            or (isinstance(node, (ast.Assign, ast.AnnAssign)) and self.now.function_of(node) is None)
            for node in one.new
        )

    def where(self, src: Source) -> list[Where]:
        """Places in another text of the same file; each place once, at its lowest level."""
        out: dict[tuple[Change, ...], Where] = {}
        renamed = self._renamed()
        for one in self.made:
            if one.kind == "odd":
                return []
            for place in [] if renamed else self._places(one, src):
                if not self._whole(one, place, src):
                    continue
                was = out.get(place.changes)
                if was is None or was.level > place.level:
                    out[place.changes] = place
        if renamed:
            return list(renamed_in(src, *renamed))
        return _apart(out.values())

    def _whole(self, one: Made, place: Where, src: Source) -> bool:
        """Whether all that was done with a statement can be done there: half of it would be wrong."""
        if one.kind not in ("call", "node"):
            return True
        own, there = self.was.statement(one.old), src.statement(place.node)
        others = [item for item in self.made if item is not one and self.was.statement(item.old) is own]
        if any(ast.dump(item.old) == ast.dump(one.old) for item in others) or not hasattr(own, "lineno"):
            return True
        inner = [item for item in others if item.old in set(ast.walk(one.old)) or one.old in set(ast.walk(item.old))]
        return all(any(src.statement(more.node) is there for more in self._places(item, src)) for item in inner)

    # -- what was done -----------------------------------------------------------------------------------------------

    def _renamed(self) -> tuple[str, str] | None:
        """One name for another and nothing else."""
        found = {(named(one.old), named(one.new[0])) for one in self.made if one.new}
        return found.pop() if len(found) == 1 and all(all(pair) for pair in found) else None

    def _pair(self, a: ast.AST, b: ast.AST) -> Iterator[Made]:
        if ast.dump(a) == ast.dump(b):
            return
        whole = isinstance(a, ast.expr) and not isinstance(a, (ast.Name, ast.Constant)) and ast.dump(a) in ast.dump(b)
        if type(a) is not type(b) or whole:
            yield Made("node", a, (b,))
            return
        if isinstance(a, ast.Call) and isinstance(b, ast.Call) and ast.dump(a.func) == ast.dump(b.func):
            yield from self._called(a, b)
            return
        if isinstance(a, ast.Call) and isinstance(b, ast.Call) and not same_method(a, b):
            yield Made("node", a, (b,))
            return
        for field in a._fields:
            x, y = getattr(a, field, None), getattr(b, field, None)
            if isinstance(x, ast.AST) and isinstance(y, ast.AST):
                yield from self._pair(x, y)
            elif isinstance(x, list) and isinstance(y, list):
                if field in _BLOCKS:
                    yield from self._blocks(a, x, y)
                elif field == "decorator_list" and len(x) < len(y):
                    yield from self._decorated(a, x, y)
                elif len(x) == len(y) and all(isinstance(one, ast.AST) for one in (*x, *y)):
                    for one, two in zip(x, y, strict=True):
                        yield from self._pair(one, two)
                elif x != y:
                    yield Made("node" if isinstance(a, ast.expr) else "odd", a, (b,))
                    return
            elif x != y:
                small = isinstance(a, (ast.expr, ast.arg, ast.keyword)) or not hasattr(a, "body")
                yield Made("node" if small else "odd", a, (b,))
                return

    def _called(self, a: ast.Call, b: ast.Call) -> Iterator[Made]:
        stood, given = ({one.arg: one.value for one in call.keywords} for call in (a, b))
        more = [f"{name}={self.now.segment(given[name])}" for name in given if name and name not in stood]
        if len(b.args) > len(a.args):
            more = [self.now.segment(one) for one in b.args[len(a.args) :]] + more
        less = tuple(str(name) for name in stood if name not in given)
        if None in stood or None in given or len(b.args) < len(a.args):
            yield Made("node", a, (b,))
            return
        if more or less:
            yield Made("call", a, (b,), tuple(more), less)
        for one, two in zip(a.args, b.args, strict=False):
            yield from self._pair(one, two)
        for name in stood.keys() & given.keys():
            yield from self._pair(stood[name], given[name])

    def _decorated(self, a: ast.AST, x: list[ast.expr], y: list[ast.expr]) -> Iterator[Made]:
        old = [ast.dump(one) for one in x]
        yield Made("decorator", a, tuple(one for one in y if ast.dump(one) not in old))

    def _blocks(self, owner: ast.AST, x: list[ast.stmt], y: list[ast.stmt]) -> Iterator[Made]:
        one, two = [key_of(node) for node in x], [key_of(node) for node in y]
        for code, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
            if code == "equal" or b - a == d - c:
                for old, new in zip(x[a:b], y[c:d], strict=True):
                    yield from self._pair(old, new)
            elif code == "insert":
                yield Made("put", owner, tuple(y[c:d]))
            elif code == "delete":
                for old in x[a:b]:
                    yield Made("gone", old, ())
            elif b - a == 1:
                # The statement stayed and others came, or it became several.
                same = [node for node in y[c:d] if type(node) is type(x[a]) and not isinstance(node, ast.Expr)]
                if len(same) == 1 and not isinstance(x[a], (ast.Return, ast.Raise)) and hasattr(x[a], "body"):
                    yield from self._pair(x[a], same[0])
                    yield Made("put", owner, tuple(node for node in y[c:d] if node is not same[0]))
                else:
                    yield Made("node", x[a], tuple(y[c:d]))
            else:
                yield Made("odd", owner, ())

    # -- where else --------------------------------------------------------------------------------------------------

    def _places(self, one: Made, src: Source) -> Iterator[Where]:
        if one.kind == "call":
            yield from self._calls(one, src)
        elif one.kind == "decorator":
            yield from self._definitions(one, src)
        elif one.kind == "put":
            yield from put_there(self.now, one, src)
        elif one.kind == "gone":
            for node in src.statements:
                level = self._level(one.old, node, src)
                if level is not None and level < _LEVELS - 1 and len(src.block(node)) > 1:
                    first, last = src.first_line(node), src.last_line(node)
                    yield Where(node, ((*src.line_span(first, last), ""),), level)
        elif one.kind == "node":
            yield from self._nodes(one, src)

    def _calls(self, one: Made, src: Source) -> Iterator[Where]:
        old = one.old
        assert isinstance(old, ast.Call)
        names = {text.partition("=")[0] for text in one.given if re.match(r"\w+=", text)}
        for node in src.nodes:
            if not isinstance(node, ast.Call) or last_name(node.func) != last_name(old.func):
                continue
            has = {item.arg for item in node.keywords}
            if has & names or not set(one.taken) <= has or None in has:
                continue
            if len(names) < len(one.given) and len(node.args) != len(old.args):
                continue
            changes: list[Change] = []
            for item in node.keywords:
                if item.arg in one.taken:
                    start, end = src.span(item)
                    start = len(src.text[:start].rstrip().removesuffix(","))
                    changes.append((start, end, ""))
            if one.given:
                start, end = src.span(node)
                inner = src.text[start : end - 1]
                at = start + len(inner.rstrip().removesuffix(","))
                text = ", ".join(one.given)
                bare = len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp)
                if bare:
                    continue
                changes.append((at, at, f", {text}" if node.args or node.keywords else text))
            same = ast.dump(node.func) == ast.dump(old.func)
            yield Where(node, tuple(changes), 0 if same else 1)

    def _definitions(self, one: Made, src: Source) -> Iterator[Where]:
        old = one.old
        assert isinstance(old, Definition)
        new = [f"@{self.now.segment(node)}" for node in one.new]
        stood = {last_name(getattr(item, "func", item)) for item in old.decorator_list}
        owner = self.was.class_of(old)
        for node in src.nodes:
            if not isinstance(node, Definition) or isinstance(node, ast.ClassDef) is not isinstance(old, ast.ClassDef):
                continue
            if {src.segment(item) for item in node.decorator_list} & {text[1:] for text in new}:
                continue
            inside = src.class_of(node)
            same = inside.name == owner.name if inside and owner else inside is owner is None
            has = {last_name(getattr(item, "func", item)) for item in node.decorator_list}
            # Below the others where it was put below the one it found.
            line = src.first_line(node) if not stood or self._is_first(one) else node.lineno - 1 - len(src.headers)
            at = src.starts[line]
            text = "".join(f"{src.indent(node)}{line}\n" for line in new)
            yield Where(node, ((at, at, text),), 0 if same and bool(stood & has) is bool(stood) else 1)

    def _is_first(self, one: Made) -> bool:
        parent = self.now.parents[one.new[0]]
        return isinstance(parent, Definition) and parent.decorator_list[0] is one.new[0]

    def _nodes(self, one: Made, src: Source) -> Iterator[Where]:
        old = one.old
        if not hasattr(old, "lineno") or isinstance(old, (Definition, ast.ExceptHandler)):
            return
        holes = dict(self._holes(one))
        if any(not hasattr(node, "lineno") for node in one.new):
            return
        for node in src.nodes:
            if type(node) is not type(old):
                continue
            level = self._level(old, node, src)
            if (
                level is None
                or not fits(old, node, frozenset(holes.values()), ())
                or self._is_done(one, holes, node, src)
            ):
                continue
            if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
                continue
            text = self._rendered(one, holes, node, src)
            if text is not None and text != src.segment(node) and not self._strange(one, holes, node, src):
                yield Where(node, ((*src.span(node), text),), level)

    def _holes(self, one: Made) -> Iterator[tuple[ast.AST, Path]]:
        """Parts of what came that stood in what was, and where in it."""
        stood: dict[str, Path] = {}
        for path, node in walked(one.old, ()):
            stood.setdefault(spelled(node), path)

        def look(node: ast.AST) -> Iterator[tuple[ast.AST, Path]]:
            if isinstance(node, ast.expr_context):
                return
            path = stood.get(spelled(node))
            if path is not None and (not isinstance(node, ast.operator) or path):
                yield node, path
                return
            for child in ast.iter_child_nodes(node):
                yield from look(child)

        found = [item for node in one.new for item in look(node)]
        paths = {path for _, path in found}
        for node, path in found:
            # A value that stands in another hole as well is one by chance.
            if not isinstance(node, ast.Constant) or not any(path[:at] in paths for at in range(len(path))):
                yield node, path

    def _level(self, old: ast.AST, node: ast.AST, src: Source) -> int | None:
        if ast.dump(old) == ast.dump(node):
            return (
                0 if not isinstance(old, (ast.Constant, ast.Name)) or role(old, self.was) == role(node, src) else None
            )
        if isinstance(old, (ast.Constant, ast.Name)):
            return None
        if shape(old) == shape(node):
            return 1
        if isinstance(old, ast.Call) and isinstance(node, ast.Call):
            return 2 if last_name(old.func) == last_name(node.func) else None
        return 2 if role(old, self.was)[:2] == role(node, src)[:2] else None

    def _is_done(self, one: Made, holes: dict[ast.AST, Path], node: ast.AST, src: Source) -> bool:
        """Whether what was put around stands there already."""
        for hole, path in holes.items():
            if path == () and len(one.new) == 1:
                steps = list(up_to(hole, one.new[0], self.now))
                around: ast.AST | None = node
                for _ in steps:
                    around = src.parents.get(around) if around is not None else None
                if around is not None and shape(around) == shape(one.new[0]):
                    return True
        return False

    def _rendered(self, one: Made, holes: dict[ast.AST, Path], node: ast.AST, src: Source) -> str | None:
        start, end = self.now.span(one.new[0])[0], self.now.span(one.new[-1])[1]
        text = self.now.text[start:end]
        pieces: list[tuple[int, int, str]] = []
        for hole, path in holes.items():
            found = part_at(node, path)
            if found is None:
                return None
            if isinstance(hole, (ast.operator, ast.unaryop, ast.cmpop)):
                if type(hole) is not type(found):
                    place = self._operator(hole)
                    if place is None:
                        return None
                    pieces.append((place[0] - start, place[1] - start, SIGNS.get(type(found), "?")))
            elif hasattr(hole, "lineno") and hasattr(found, "lineno"):
                low, high = self.now.span(hole)
                made = src.segment(found)
                more = len(self._margin(one.new[0])) if isinstance(hole, ast.stmt) else 0
                if isinstance(found, ast.stmt):
                    deep = hole.col_offset - more  # type: ignore[attr-defined]
                    made = made.replace("\n", "\n" + " " * deep)
                elif needs_brackets(hole, found, self.now):
                    made = f"({made})"
                pieces.append((low - start, high - start, made))
        out, done = "", 0
        for low, high, made in sorted(pieces):
            if low < done:
                return None
            out += redented(text[done:low], self._margin(one.new[0]), src.indent(statement_of(node, src))) + made
            done = high
        return out + redented(text[done:], self._margin(one.new[0]), src.indent(statement_of(node, src)))

    def _margin(self, node: ast.AST) -> str:
        return self.now.indent(statement_of(node, self.now))

    def _operator(self, hole: ast.AST) -> tuple[int, int] | None:
        parent = self.now.parents.get(hole)
        if not isinstance(parent, ast.BinOp):
            return None
        low, high = self.now.span(parent.left)[1], self.now.span(parent.right)[0]
        found = re.search(re.escape(SIGNS.get(type(hole), "?")), self.now.text[low:high])
        return (low + found.start(), low + found.end()) if found else None

    def _strange(self, one: Made, holes: dict[ast.AST, Path], node: ast.AST, src: Source) -> bool:
        """Whether it would bring a name that is another function's own."""
        own = self.was.function_of(one.old)
        if own is None:
            return False
        target = src.function_of(node)
        spared = {item for hole in holes for item in ast.walk(hole)}
        brought = [item for new in one.new for item in ast.walk(new) if item not in spared]
        made = {item.id for item in brought if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
        names = {item.id for item in brought if isinstance(item, ast.Name)} - made - set(dir(builtins))
        return bool(names & bound_in(own) - (bound_in(target) if target is not None else set()))


def _apart(places: Iterable[Where]) -> list[Where]:
    """Without those that lie in another one."""
    out: list[Where] = []
    for one in sorted(places, key=lambda place: place.level):
        low, high = one.changes[0][0], one.changes[-1][1]
        if not any(low < place.changes[-1][1] and place.changes[0][0] < high for place in out):
            out.append(one)
    return sorted(out, key=lambda place: place.changes[0][0])

"""What an answer put somewhere, wanted at another place: before or behind a statement, in a block or out of
it.

Comes in: the text in which an answer stands, a message. Goes out: the hunks that are wanted. Must not know:
engines, ids, what was asked at first.

Only what was put in as whole statements or definitions is moved. The place is a relation and a few words that
point to a statement, a block or a definition; nothing is moved where a name would be used before it is made.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.refactor.source import Change, Definition, Function, Source, body_behind_docstring, docstring
from spark_tui.steers.alike import Made, last_name
from spark_tui.steers.anchors import anchor, calls, members_with
from spark_tui.steers.clauses import clauses
from spark_tui.steers.corrections import plain
from spark_tui.steers.learnt import Learnt
from spark_tui.steers.moved_blocks import block_of, loop_over, out_of
from spark_tui.steers.moved_home import with_constant, with_definition
from spark_tui.steers.moved_item import with_item
from spark_tui.steers.moved_said import MOVES, NOT, Told, read
from spark_tui.steers.pointed import STOP, stem, stems, tokens
from spark_tui.steers.put_there import mapped, text_of
from spark_tui.steers.stands import Stands

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def moved(text: Stands, message: str) -> list[WindowHunk] | None:
    """The hunks that are wanted; None where the message speaks of no place, or of one that cannot be."""
    if text.src.tree is None or text.was.tree is None:
        return None
    told = list(read(message))
    if not told or any(one is None for one in told):
        return None
    return _Moved(text, message, [one for one in told if one is not None]).hunks()


@dataclass
class _Moved:
    text: Stands
    message: str
    told: list[Told]

    @property
    def src(self) -> Source:
        return self.text.src

    def hunks(self) -> list[WindowHunk] | None:
        if not all(self._is_about(one.lead) for one in self.told):
            return None
        changes = with_item(self.text, self.told[0]) if len(self.told) == 1 else None
        if changes is None:
            changes = self._changes()
        if changes is None:
            return None
        try:
            after = self.src.changed(changes).split("\n")[:-1]
        except ValueError:
            return None
        if not self.text.holds("\n".join([*after, ""])):
            return None
        return [WindowHunk(one.first, one.last, one.new) for one in between(self.text.lines, after)]

    def _is_about(self, lead: str) -> bool:
        """Whether what is said first is only what was brought, and that it is to be moved."""
        brought = "".join(self.src.lines[at] for first, last in self.text.places for at in range(first, last))
        known = stems(brought) | {stem(word) for word in MOVES}
        return all(
            word.lower() in STOP or stems(word) <= known or word.endswith("ing") for word in tokens(lead)
        )

    def _changes(self) -> list[Change] | None:
        """Of whole statements or definitions."""
        made = self._what
        if made is None:
            return None
        first = made.new[0]
        changes: list[Change] | None = None
        found = self._home(first)
        if isinstance(first, Definition):
            if found is not None and len(made.new) == 1:
                changes = with_definition(self.src, first, self._lines(made), *found)
        elif isinstance(first, ast.Assign) and self._is_constant(made) and found is not None:
            relation, target = found
            if isinstance(target, ast.ClassDef) and relation in ("in", "top", "end"):
                changes = with_constant(self.src, first, self._lines(made), target, self.message)
        if changes is None and not isinstance(first, Definition):
            changes = self._put(made)
        return changes

    # -- what is moved
    # -----------------------------------------------------------------------------------------------

    @cached_property
    def _learnt(self) -> Learnt:
        return Learnt(self.text)

    @cached_property
    def _what(self) -> Made | None:
        """What was put in, if it is one thing."""
        made = self._learnt.made
        put = [one for one in self._learnt.all_made if one.kind == "put"]
        found = [one for one in put if one in made] or put
        if len(found) != 1:
            return None
        one = found[0]
        other = [item for item in made if item is not one]
        if other and not (self._is_constant(one) or isinstance(one.new[0], Definition)):
            return None
        if isinstance(one.new[0], Function) and len(one.new) == 1 and self._unwanted(one.new[0].name):
            return Made("body", one.new[0], tuple(body_behind_docstring(one.new[0])))
        return one

    def _is_constant(self, one: Made) -> bool:
        node = one.new[0]
        return (
            len(one.new) == 1
            and isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and self.src.function_of(node) is None
        )

    def _unwanted(self, name: str) -> bool:
        """*no post_init, ...*: the function is not wanted, but what it does."""
        words = [
            match["x"] for clause in clauses(self.message) if (match := NOT.match(plain(clause) or clause))
        ]
        return any(name.strip("_").lower() in one.lower().replace(" ", "_") for one in words)

    def _lines(self, made: Made) -> tuple[int, int]:
        """Of what is moved, with the blank lines that came with it."""
        whole = [made.old] if made.kind == "body" else list(made.new)
        first, last = self.src.first_line(whole[0]), self.src.last_line(whole[-1])
        for start, end in self.text.places:
            if start <= first and last <= end:
                while last < end and not self.src.lines[last].strip():
                    last += 1
                while first > start and last == end and not self.src.lines[first - 1].strip():
                    first -= 1
        return first, last

    # -- where to
    # ----------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> dict[str, list[Definition]]:
        out: dict[str, list[Definition]] = {}
        for node in (*self.src.functions, *self.src.classes):
            out.setdefault(node.name, []).append(node)
        return out

    @cached_property
    def _owner(self) -> ast.ClassDef | None:
        """The class in which it was put."""
        made = self._what
        if made is None:
            return None
        around = (made.new[0], *self.src.ancestors(made.new[0]))
        return next((node for node in around if isinstance(node, ast.ClassDef)), None)

    def _definition(self, phrase: str) -> Definition | None:
        """The function or class that a phrase names."""
        if re.search(r"\bcaller\b", phrase, re.I) and self._what is not None:
            called = self.src.function_of(self._what.new[0])
            callers = [
                node
                for node in self.src.functions
                if called is not None and node is not called and calls(node, called.name)
            ]
            return callers[0] if len(callers) == 1 else None
        if re.search(r"\b(?:base|parent|super) ?class\b|\bparent\b", phrase, re.I):
            owner = self._owner
            bases = [last_name(base) for base in owner.bases] if owner is not None else []
            return self._names[bases[0]][0] if len(bases) == 1 and bases[0] in self._names else None
        found = [
            name for word in tokens(phrase) for name in (word, word.rpartition(".")[2]) if name in self._names
        ]
        if not found:
            lower = {name.strip("_").lower(): name for name in self._names}
            found = [
                lower[word.lower()]
                for word in tokens(phrase)
                if word.lower() in lower and word.lower() not in ("loop", "check", "close", "write", "read")
            ]
        if len(found) == 2 and re.search(rf"\b{found[0]}\.{found[1]}\b", phrase):
            found = found[1:]
        nodes = self._names.get(found[0], []) if len(dict.fromkeys(found)) == 1 else []
        if len(nodes) > 1 and self._owner is not None:
            nodes = [node for node in nodes if self.src.class_of(node) is self._owner]
        return nodes[0] if len(nodes) == 1 else None

    def _put(self, made: Made) -> list[Change] | None:
        """Statements, before or behind another one, or in a block."""
        first = made.new[0]
        own = self.src.function_of(first)
        scope: ast.AST | None = own
        spot: tuple[int, str] | None = None
        for one in self.told:
            named = self._definition(one.phrase)
            here = re.fullmatch(
                r"(?:(?:the |this |that )?(?:function|method|body))?", one.phrase.strip(), re.I
            )
            if here is not None and one.relation not in ("out", "up", "down"):
                members = [] if scope is not None else members_with(self.src, first)
                if isinstance(self.src.parents.get(first), ast.Module) and not isinstance(
                    first, (ast.Import, ast.ImportFrom)
                ):
                    return None
                spot = (
                    self._inside(made, scope, one.relation)
                    if scope is not None
                    else self._in_block(made, members, one.relation)
                )
                continue
            if re.fullmatch(r"(?:in )?there|here", one.phrase.strip(), re.I):
                scope = self._mentioned(own) or scope
                spot = self._inside(made, scope, "in") if scope is not None and scope is not own else spot
                continue
            if isinstance(named, Function) and one.relation in ("in", "top", "end"):
                scope = named
                spot = self._inside(made, named, one.relation)
                if (
                    len(
                        tokens(re.sub(rf"\b{named.name}\b|\b(?:the|function|method|of|in)\b", "", one.phrase))
                    )
                    == 0
                ):
                    continue
            at = self._spot(made, one, scope)
            if at is None:
                if spot is not None and (len(self.told) > 1 or isinstance(named, Function)):
                    continue
                return None
            spot = at
            if one.relation == "in" and not isinstance(named, Function):
                block_node = self._anchor(made, one, scope)
                scope = block_node if block_node is not None else scope
        if spot is None:
            return None
        offset, margin = spot
        line = self.src.line_at(offset) if offset < len(self.src.text) else len(self.src.lines)
        low, high = self._lines(made)
        if low <= line <= high and margin == self.src.indent(first):
            return None
        target = self._function_at(offset, margin)
        names = (
            mapped(made, made.old if made.kind == "body" and isinstance(made.old, Function) else own, target)
            if target is not own
            else {}
        )
        if names is None:
            return None
        if target is not None and self._too_early(made, line, target):
            return None
        text = text_of(self.src, made, names, margin)
        return [(*self.src.line_span(low, high), ""), (offset, offset, text)]

    def _mentioned(self, own: Function | None) -> Function | None:
        """The function that a remark is about."""
        found = [
            node
            for clause in clauses(self.message)
            if isinstance(node := self._definition(clause), Function) and node is not own
        ]
        return found[0] if found else None

    def _function_at(self, offset: int, margin: str) -> Function | None:
        line = self.src.line_at(max(0, offset - 1))
        around = [
            node
            for node in self.src.functions
            if self.src.first_line(node) <= line < self.src.last_line(node)
            and len(self.src.indent(node)) < len(margin)
        ]
        return around[-1] if around else None

    def _too_early(self, made: Made, line: int, own: Function) -> bool:
        skipped = {item for node in made.new for item in ast.walk(node)}
        used = {item.id for item in skipped if isinstance(item, ast.Name)}
        args = {item.arg for item in ast.walk(own.args) if isinstance(item, ast.arg)}
        bound: dict[str, int] = {}
        for node in ast.walk(own):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in skipped:
                at = self.src.line_at(self.src.span(node)[0])
                bound[node.id] = min(at, bound.get(node.id, at))
        return any(name in bound and bound[name] >= line and name not in args for name in used)

    def _inside(self, made: Made, node: ast.AST, relation: str) -> tuple[int, str] | None:
        """In a block: where it was in its own, the top or the end."""
        body = body_behind_docstring(node) if isinstance(node, Definition) else getattr(node, "body", [])
        return self._in_block(made, body, relation) if body else None

    def _anchor(self, made: Made, one: Told, scope: ast.AST | None) -> ast.AST | None:
        return anchor(self.src, made, one, scope, frozenset(self._names))

    def _in_block(self, made: Made, body: Sequence[ast.stmt], relation: str) -> tuple[int, str] | None:
        src = self.src
        others = [item for item in body if item not in made.new]
        owner = src.parents[body[0]]
        if not others or (
            not isinstance(owner, ast.Module) and src.first_line(body[0]) == src.first_line(owner)
        ):
            return None
        margin = src.indent(others[0])
        if relation == "in":
            first = made.new[0]
            block, owner = members_with(self.src, first), src.parents[first]
            at = [item is first for item in block].index(True)
            top = len(block) > len(made.new) and (
                at == 0 or (isinstance(owner, Definition) and at == 1 and docstring(owner) is not None)
            )
            top = top or made.kind == "body"
            relation = "top" if top or isinstance(made.new[0], (ast.Import, ast.ImportFrom)) else "end"
        if relation == "top":
            return src.starts[src.first_line(others[0])], margin
        last = others[-1]
        return (
            src.starts[src.first_line(last) if isinstance(last, _LEAVES) else src.last_line(last)],
            margin,
        )

    def _spot(self, made: Made, one: Told, scope: ast.AST | None) -> tuple[int, str] | None:
        src = self.src
        if one.relation == "out":
            return out_of(self.src, made, one.phrase)
        if one.relation in ("down", "up"):
            block = members_with(self.src, made.new[0])
            at = [item is made.new[0] for item in block].index(True) + (
                len(made.new) if one.relation == "down" else -1
            )
            if not 0 <= at < len(block) or isinstance(block[at], _LEAVES):
                return None
            return src.starts[
                src.last_line(block[at]) if one.relation == "down" else src.first_line(block[at])
            ], src.indent(block[at])
        if one.relation in ("each", "each_first"):
            loop = loop_over(self.src, one.phrase, scope)
            return (
                self._in_block(made, loop.body, "top" if one.relation == "each_first" else "end")
                if loop is not None
                else None
            )
        if one.relation == "between":
            halves = re.split(r" and ", one.phrase)
            ends = [self._anchor(made, Told("after", half), scope) for half in halves]
            places = sorted((node for node in ends if node is not None), key=src.first_line)
            if len(halves) != 2 or len(places) != 2 or isinstance(places[0], _LEAVES):
                return None
            return src.starts[src.last_line(places[0])], src.indent(places[0])
        node = self._anchor(made, one, scope)
        if node is None:
            return None
        if one.relation in ("in", "top", "end"):
            inner = block_of(node, one.phrase)
            if inner is None:
                return None
            relation = one.relation
            if relation == "in" and not isinstance(node, Definition):
                if node in src.ancestors(made.new[0]):
                    relation = "top" if members_with(self.src, made.new[0])[0] is made.new[0] else "end"
                else:
                    relation = "end" if src.first_line(node) < src.first_line(made.new[0]) else "top"
            return self._in_block(made, inner, relation)
        if one.relation == "before":
            return src.starts[src.first_line(node)], src.indent(node)
        if isinstance(node, _LEAVES):
            return None
        return src.starts[src.last_line(node)], src.indent(node)

    def _home(self, node: ast.AST) -> tuple[str, Definition] | None:
        """How it is to lie to which definition."""
        found = None
        owner = self.src.class_of(node)
        for one in self.told:
            named = self._definition(one.phrase)
            if named is None and re.search(r"\bclass\b", one.phrase):
                classes = [owner] if owner is not None else self.src.classes
                named = classes[0] if len(classes) == 1 else None
            if (
                named is not None
                and named is not node
                and (named is not owner or one.relation in ("before", "after", "top", "end"))
            ):
                found = (one.relation, named)
            elif one.relation in ("top", "end") and not one.phrase and owner is not None:
                found = (one.relation, owner)
            elif one.relation == "end" and not one.phrase and self._last is not None:
                found = ("after", self._last)
        return found

    @property
    def _last(self) -> Definition | None:
        """The last definition of the file, where nothing but the start of a script comes behind it."""
        tree = self.src.tree
        made = self._what
        body = (
            [node for node in tree.body if made is None or node not in made.new] if tree is not None else []
        )
        if body and isinstance(body[-1], ast.If):
            body = body[:-1]
        last = body[-1] if body else None
        return last if isinstance(last, Definition) else None

"""Which places of a name mean the same thing.

Comes in: a piece of a file. Goes out: for a name, its meanings (a local of one function, a member of a class, a name of
the module) with all their places. Must not know: instructions, what the name becomes.

The same is meant where Python would look up the same.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.rename.scopes import Scope, Scopes, Use
from spark_tui.refactor.rename.text import Span
from spark_tui.refactor.source import Function, docstring

OF_BUILTINS = frozenset(name for kind in (str, list, dict, set, bytes, int, tuple) for name in dir(kind))


@dataclass(frozen=True, slots=True)
class Meaning:
    """`owner`: the function, class or comprehension that a name belongs to; None for the module. `how` it comes to be;
    nothing where it is only used."""

    name: str
    owner: ast.AST | None
    how: frozenset[str]
    spans: tuple[Span, ...]

    @property
    def is_member(self) -> bool:
        return isinstance(self.owner, ast.ClassDef)


class Meanings(Scopes):
    """Of one piece of a file."""

    def meanings(self, name: str) -> list[Meaning]:
        """In the order of the text: locals and names of the module, then members of classes, then what only hangs from
        something that is not known here."""
        bare: dict[Scope, list[Span]] = defaultdict(list)
        for use in self._named(name):
            if use.receiver is None and use.called is None:
                bare[self.home(name, use.scope)].append(use.span)
        out = []
        for scope, spans in bare.items():
            if not scope.is_class:
                how = frozenset(scope.bound.get(name, ()))
                if isinstance(scope.node, Function) and "parameter" in how:
                    spans = [*spans, *self._keywords(name, {scope.node.name}), *self._listed(scope.node, name)]
                    spans += self._of_constructor(name, scope.node)
                elif how & {"class"}:
                    spans = [*spans, *self._hints(name)]
                out.append(Meaning(name, scope.node, how, tuple(sorted(set(spans)))))
        return sorted(out, key=lambda one: one.spans[0]) + self._members(name, bare)

    def _named(self, name: str) -> Iterator[Use]:
        return (use for use in self.uses if use.name == name)

    def _keywords(self, name: str, called: Iterable[str]) -> list[Span]:
        return [use.span for use in self._named(name) if use.called is not None and use.called in called]

    def _of_constructor(self, name: str, node: Function) -> list[Span]:
        """`Class(name=...)`, where it is the class's `__init__`."""
        owner = self.src.parents.get(node)
        if node.name != "__init__" or not isinstance(owner, ast.ClassDef):
            return []
        return self._keywords(name, {owner.name})

    def _hints(self, name: str) -> list[Span]:
        """Where a class is the whole of an annotation in quotes."""
        return [
            (start + 1, end - 1)
            for node in self.src.nodes
            if isinstance(node, ast.Constant) and node.value == name and self._is_hint(node)
            for start, end in [self.src.span(node)]
            if end - start == len(name) + 2
        ]

    def _is_hint(self, node: ast.AST) -> bool:
        inner = node
        for one in self.src.ancestors(node):
            if isinstance(one, ast.arg | ast.AnnAssign):
                return one.annotation is inner
            if isinstance(one, Function):
                return one.returns is inner
            if isinstance(one, ast.stmt):
                return False
            inner = one
        return False

    def _listed(self, function: Function, name: str) -> Iterator[Span]:
        """Where the docstring lists a parameter."""
        first = docstring(function)
        if first is None or not self._shown(first):
            return
        start, end = self.src.span(first)
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", self.src.text[start:end]):
            at, behind = start + found.start(), self.src.text[start + found.end() : end]
            before = self.src.text[self.src.text.rfind("\n", 0, at) + 1 : at]
            quoted = before.endswith("`") and behind.startswith("`")
            heads = not before.strip() and re.match(r":| \(| :", behind)
            if quoted or heads or re.search(r":param (?:\w+ )?$", before):
                yield at, at + len(name)

    # -- members -----------------------------------------------------------------------------------------------------

    def _members(self, name: str, bare: dict[Scope, list[Span]]) -> list[Meaning]:
        hanging = [use for use in self._named(name) if use.receiver is not None]
        families: dict[frozenset[str], list[Span]] = defaultdict(list)
        how: dict[frozenset[str], set[str]] = defaultdict(set)
        for scope, spans in bare.items():
            if isinstance(scope.node, ast.ClassDef):
                family = self._family(scope.node)
                families[family] += spans
                how[family].update(scope.bound[name])
                made = self.scope_of[scope.node].bound
                if "assigned" in made[name] and "__init__" not in made:
                    families[family] += self._keywords(name, {scope.node.name})
        loose: list[Use] = []
        for use in hanging:
            around = self._class_around(use.scope)
            if use.receiver in ("self", "cls", "super()") and around is not None:
                family = self._family(around)
                families[family].append(use.span)
                how[family].add("attribute")
            elif owner := self._class_named(use):
                families[self._family(owner)].append(use.span)
            else:
                loose.append(use)
        if len(families) == 1 and name not in OF_BUILTINS:
            family = next(iter(families))
            families[family] += [use.span for use in loose if not self._is_elses(use, family)]
            loose = [use for use in loose if self._is_elses(use, family)]
        out = [
            Meaning(name, self._by_name(family), frozenset(how[family]), tuple(sorted(set(spans))))
            for family, spans in families.items()
        ]
        if loose:
            out.append(Meaning(name, None, frozenset({"hanging"}), tuple(sorted({use.span for use in loose}))))
        return out

    def _is_elses(self, use: Use, family: frozenset[str]) -> bool:
        """Whether what it hangs from comes from elsewhere, or gives what one of the classes is made with
        (`Order(customer=cart.customer)`)."""
        root = (use.receiver or "").split(".")[0].split("(")[0]
        how = self.home(root, use.scope).bound.get(root, [])
        return bool({"import", "alias"} & set(how)) or use.span in self._handed_on(use.name, family)

    def _handed_on(self, name: str, family: frozenset[str]) -> set[Span]:
        return {
            (self.src.span(item.value)[1] - len(name), self.src.span(item.value)[1])
            for node in self.src.nodes
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in family
            for item in node.keywords
            if item.arg == name and isinstance(item.value, ast.Attribute) and item.value.attr == name
        }

    def _class_around(self, scope: Scope) -> ast.ClassDef | None:
        at: Scope | None = scope
        while at is not None:
            if isinstance(at.node, ast.ClassDef):
                return at.node
            at = at.outer
        return None

    def _class_named(self, use: Use) -> ast.ClassDef | None:
        """The class of what a name hangs from: itself, an instance made of it, a parameter of its type."""
        receiver = use.receiver or ""
        made = re.match(r"(\w+)\(", receiver)
        wanted = made[1] if made else receiver
        if wanted not in self._classes and receiver.isidentifier():
            wanted = self._types.get(receiver, "")
        return self._classes.get(wanted)

    @cached_property
    def _classes(self) -> dict[str, ast.ClassDef]:
        tree = self.src.tree
        return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)} if tree else {}

    @cached_property
    def _types(self) -> dict[str, str]:
        """Names that are assigned an instance of a class, or annotated with it."""
        out: dict[str, str] = {}
        for node in self.src.nodes:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and isinstance(node.targets[0], ast.Name)
            ):
                out[node.targets[0].id] = getattr(node.value.func, "id", "")
            elif isinstance(node, ast.arg) and node.annotation is not None:
                out[node.arg] = getattr(node.annotation, "id", getattr(node.annotation, "value", ""))
        return out

    @cached_property
    def _kin(self) -> dict[str, frozenset[str]]:
        """Of each class, those that it is related to by inheritance, in view."""
        groups = {name: {name} for name in self._classes}
        for name, node in self._classes.items():
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in groups:
                    joined = groups[name] | groups[base.id]
                    for one in joined:
                        groups[one] = joined
        return {name: frozenset(group) for name, group in groups.items()}

    def _family(self, node: ast.ClassDef) -> frozenset[str]:
        return self._kin.get(node.name, frozenset({node.name}))

    def family_of(self, receiver: str) -> frozenset[str]:
        """Names of the classes that something is of, as far as that is known: a class, or an instance of one."""
        node = self._classes.get(receiver) or self._classes.get(self._types.get(receiver, ""))
        return self._family(node) if node is not None else frozenset()

    def _by_name(self, family: frozenset[str]) -> ast.ClassDef | None:
        nodes = sorted((self._classes[name] for name in family if name in self._classes), key=lambda node: node.lineno)
        return nodes[0] if nodes else None

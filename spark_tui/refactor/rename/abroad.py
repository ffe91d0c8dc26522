"""What goes with an edit in other files, where it gave definitions another name.

Comes in: a file before and after an edit, another file, the paths of both. Goes out: what was renamed, the text of the
other file with it, and how many uses cannot be told. Must not know: instructions, the disk.

A name of a module is followed through imports, a member through what is known to be of its class: the class itself,
what is made by calling it, what is annotated with it, what a function of the file returns that makes it. Where nothing
else in the tree has a member of that name, whatever it hangs from is of that class.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.rename.meanings import OF_BUILTINS, Meanings
from spark_tui.refactor.rename.scopes import Scope, Use, dotted
from spark_tui.refactor.rename.text import Span
from spark_tui.refactor.source import Function, Source

_TIMES = 3
"""How often what follows from what is known is looked for: a variable of what a function returns that makes it."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """`owner` is the class of a member, empty for a name of the module; both as they were."""

    owner: str
    name: str
    new: str
    keyword: bool = False
    """Whether the class is made with it as a keyword."""
    called: bool = False
    """Whether it is a method: what is not called is something else."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Another file with the new names. `unsure`: uses of an old one that may mean something else, and stay."""

    text: str
    unsure: int = 0


def renamed(was: Source, now: Source) -> tuple[Renamed, ...]:
    """Definitions that have another name; nothing where one came, went, or is of another kind."""
    before, after = list(_definitions(was)), list(_definitions(now))
    if len(before) != len(after) or [kind for kind, _, _ in before] != [kind for kind, _, _ in after]:
        return ()
    built = {owner for _, owner, name in before if name == "__init__"}
    found = (
        Renamed(owner, name, new, kind == "field" and owner not in built, kind == "method")
        for (kind, owner, name), (_, _, new) in zip(before, after, strict=True)
        if name != new
    )
    return tuple(dict.fromkeys(found))


def _definitions(src: Source) -> Iterator[tuple[str, str, str]]:
    """Kind, class and name of what other files may speak of, in the order of the text."""
    for node in src.tree.body if src.tree is not None else ():
        if isinstance(node, Function):
            yield "function", "", node.name
        elif isinstance(node, ast.ClassDef):
            yield "class", "", node.name
            for item in node.body:
                if isinstance(item, Function):
                    yield "value" if item.decorator_list else "method", node.name, item.name
                    if item.name == "__init__":
                        yield from (("attribute", node.name, name) for name in _own(item))
                else:
                    yield from (("field", node.name, name) for name in _bound(item))
        else:
            yield from (("name", "", name) for name in _bound(node))


def has(src: Source, names: Collection[str]) -> set[str]:
    """Of these names, those that the file gives to something itself, or to what it knows nothing of."""
    found = {name for _, _, name in _definitions(src)}
    found |= {node.attr for node in src.nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return found & set(names)


def _bound(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _own(init: Function) -> Iterator[str]:
    for node in ast.walk(init):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and dotted(node.value) == "self":
            yield node.attr


def followed(other: Source, path: str, names: Sequence[Renamed], home: str, alone: Collection[str] = ()) -> Followed:
    """The file at `path` with the names that the one at `home` has now. `alone`: of the names, those that nothing else
    in the tree defines."""
    abroad = Abroad(other, path, home)
    spans: dict[Span, str] = {}
    unsure = 0
    for one in names:
        found, left = abroad.member(one, one.name in alone) if one.owner else abroad.name_of_module(one)
        spans.update(dict.fromkeys(found, one.new))
        unsure += left
    return Followed(other.changed([(start, end, new) for (start, end), new in sorted(spans.items())]), unsure)


class Abroad:
    """One file that may use what another one defines."""

    def __init__(self, src: Source, path: str, home: str) -> None:
        self.src, self.names = src, Meanings(src)
        self._home = _module(home)
        self._package = _module(path)[: None if path.endswith("__init__.py") else -1]

    # -- names of the module -----------------------------------------------------------------------------------------

    def name_of_module(self, one: Renamed) -> tuple[set[Span], int]:
        spans = {use.span for use in self._named(one.name) if use.receiver in self._modules}
        taken = bool(self.names.meanings(one.new))
        left = 0
        for node, alias in self._imported(one.name):
            start, end = self._span_in(alias, one.name)
            if alias.asname is not None:
                spans.add((start, end))
            elif taken:
                left += 1
            else:
                scope = self.names.home(one.name, self._scope(node))
                spans |= {use.span for use in self._bare(one.name) if self.names.home(one.name, use.scope) is scope}
                spans |= set(self._listed(one.name))
        if self._all_of_it and not taken and one.name not in self.names.module.bound:
            spans |= {use.span for use in self._bare(one.name) if self.names.home(one.name, use.scope).node is None}
        return spans | set(self._in_texts(one.name)), left

    def _imported(self, name: str) -> Iterator[tuple[ast.ImportFrom, ast.alias]]:
        """From the module, or from a package around it that hands it on."""
        for node in self._imports:
            target = self._target(node)
            if target == self._home or (target and self._home[: len(target)] == target):
                yield from ((node, alias) for alias in node.names if alias.name == name)

    @cached_property
    def _imports(self) -> list[ast.ImportFrom]:
        return [node for node in self.src.nodes if isinstance(node, ast.ImportFrom)]

    def _target(self, node: ast.ImportFrom) -> tuple[str, ...]:
        """The module that is imported from, as the tree has it; one that lies elsewhere is nothing."""
        said = tuple(node.module.split(".")) if node.module else ()
        if node.level:
            return (*self._package[: len(self._package) - node.level + 1], *said)
        return self._in_tree(said)

    def _in_tree(self, said: tuple[str, ...]) -> tuple[str, ...]:
        """A path of the tree may begin before its first package (`src/`); scripts beside one another need none."""
        for begin in range(len(self._home)):
            rest = self._home[begin:]
            if rest[: len(said)] == said and (begin == 0 or len(said) > 1 or self._reached(begin)):
                return self._home[: begin + len(said)]
        return ()

    def _reached(self, begin: int) -> bool:
        """Whether a single word may be the module: it lies beside this file, or behind a folder for sources."""
        return self._home[:begin] == self._package or self._home[:begin] in (("src",), ("lib",))

    @cached_property
    def _all_of_it(self) -> bool:
        return any(self._target(node) == self._home and node.names[0].name == "*" for node in self._imports)

    @cached_property
    def _modules(self) -> set[str]:
        """What the module is called here."""
        out = set()
        for node in self.src.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if self._in_tree(tuple(alias.name.split("."))) == self._home:
                        out.add(alias.asname or alias.name)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (*self._target(node), alias.name) == self._home:
                        out.add(alias.asname or alias.name)
        return out

    def _listed(self, name: str) -> Iterator[Span]:
        """In `__all__`, where it is handed on."""
        for node in self.src.nodes:
            if isinstance(node, ast.Assign) and self.src.segment(node.targets[0]) == "__all__":
                yield from self._texts(node.value, name, whole=True)

    def _in_texts(self, name: str) -> Iterator[Span]:
        """`patch("shop.cart.area")`: the whole way to it."""
        for begin in range(len(self._home)):
            way = ".".join((*self._home[begin:], name))
            if len(self._home) - begin > 1 or not begin:
                for node in self.src.nodes:
                    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(way):
                        yield from self._texts(node, name, way=way)

    def _texts(self, node: ast.AST, name: str, *, whole: bool = False, way: str = "") -> Iterator[Span]:
        start, end = self.src.span(node)
        looked = (
            rf"(?<=[\"']){re.escape(name)}(?=[\"'])" if whole else rf"(?<={re.escape(way[: -len(name)])}){name}(?!\w)"
        )
        for found in re.finditer(looked, self.src.text[start:end]):
            yield start + found.start(), start + found.end()

    # -- members -----------------------------------------------------------------------------------------------------

    def member(self, one: Renamed, alone: bool) -> tuple[set[Span], int]:
        classes = self._classes(one.owner)
        holders = self._holders(classes)
        spans: set[Span] = set()
        left = 0
        for use in self._named(one.name):
            if self._is_member(use, one, classes, holders):
                spans.add(use.span)
            elif use.receiver is not None and not self._from_elsewhere(use) and not self._is_read(use, one):
                if self._sounds_like(use.receiver, one.owner) or (alone and one.name not in OF_BUILTINS):
                    spans.add(use.span)
                elif not self._is_of_another(use.receiver):
                    left += 1
        return spans, left

    def _is_read(self, use: Use, one: Renamed) -> bool:
        """A method that is not called is mostly an attribute of something else."""
        return one.called and not self.src.text[use.span[1] :].lstrip(" ").startswith("(")

    def _sounds_like(self, receiver: str, owner: str) -> bool:
        """`cart.add` for a `Cart`, where nothing else is known of it."""
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner).lower()
        given = [dotted(value) for text, value in self._given if text == receiver]
        return all(one.rpartition(".")[2].strip("_") == name for one in [receiver, *given])

    def _is_of_another(self, receiver: str) -> bool:
        """Whether it is known to be of a class that is not meant: only that is ever made for it."""
        made = {f"{node.name}()": node for node in self.src.functions}
        values = [value for text, value in self._given if text == receiver]
        for name in (dotted(value) for value in values):
            returned = (
                [
                    dotted(item.value)
                    for item in ast.walk(made[name])
                    if isinstance(item, ast.Return) and item.value is not None
                ]
                if name in made
                else [name]
            )
            if not returned or not all(re.fullmatch(r"(?:.*\.)?_*[A-Z]\w*\(\)", one) for one in returned):
                return False
        return bool(values)

    def _is_member(self, use: Use, one: Renamed, classes: set[str], holders: set[str]) -> bool:
        if use.receiver is not None:
            return self._is_of(use, classes, holders)
        if use.called is not None:
            return one.keyword and use.called in classes
        # What a class of this file has by this name that derives from it.
        return isinstance(use.scope.node, ast.ClassDef) and use.scope.node.name in classes - self._brought

    def _classes(self, owner: str) -> set[str]:
        """The class by the names that it has here, and those that derive from it."""
        out = {alias.asname or alias.name for _, alias in self._imported(owner)}
        out |= {f"{module}.{owner}" for module in self._modules}
        if self._all_of_it:
            out.add(owner)
        self._brought = set(out)
        for _ in range(_TIMES):
            for node in self.src.classes:
                if any(self.src.segment(base) in out for base in node.bases):
                    out.add(node.name)
        return out

    def _holders(self, classes: set[str]) -> set[str]:
        """Names, dotted ones too, that only ever hold one of the classes; functions that make one, with brackets."""
        held = set(classes)
        for _ in range(_TIMES):
            for node in self.src.functions:
                values = [item.value for item in ast.walk(node) if isinstance(item, ast.Return)]
                made = bool(values) and all(value is not None and self._makes(value, classes, held) for value in values)
                if made or (node.returns is not None and self._says(node.returns, classes)):
                    held.add(f"{node.name}()")
            open_ = {name for name, value in self._given if not self._makes(value, classes, held)}
            held |= {name for name, _ in self._given} - open_
            held |= {
                node.arg
                for node in self.src.nodes
                if isinstance(node, ast.arg) and node.annotation is not None and self._says(node.annotation, classes)
            }
        return held

    @cached_property
    def _given(self) -> list[tuple[str, ast.expr]]:
        """Names and what they are given."""
        out: list[tuple[str, ast.expr]] = []
        for node in self.src.nodes:
            if isinstance(node, ast.Assign):
                out += [(self.src.segment(target), node.value) for target in node.targets]
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                out.append((self.src.segment(node.target), node.value))
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                out.append((self.src.segment(node.optional_vars), node.context_expr))
        return out

    def _makes(self, value: ast.expr, classes: set[str], held: set[str]) -> bool:
        text = self.src.segment(value)
        if isinstance(value, ast.Call):
            called = self.src.segment(value.func)
            return called in classes or f"{called}()" in held or f"{called.rpartition('.')[2]}()" in held
        return text in held - classes

    def _says(self, annotation: ast.expr, classes: set[str]) -> bool:
        text = self.src.segment(annotation).strip("\"'")
        return text.removesuffix(" | None") in classes or text.removeprefix("Optional[").removesuffix("]") in classes

    def _is_of(self, use: Use, classes: set[str], holders: set[str]) -> bool:
        receiver = use.receiver or ""
        if receiver in ("self", "cls", "super()"):
            return any(
                isinstance(scope.node, ast.ClassDef) and scope.node.name in classes for scope in _around(use.scope)
            )
        return receiver in holders or (receiver.endswith("()") and receiver[:-2] in classes)

    def _from_elsewhere(self, use: Use) -> bool:
        """Whether what it hangs from is a module, or something that was imported and is not of the class."""
        root = (use.receiver or "").split(".")[0].split("(")[0]
        if root in ("self", "cls", "super"):
            return (use.receiver or "").count(".") == 0
        return bool({"import", "alias"} & set(self.names.home(root, use.scope).bound.get(root, [])))

    # -- places ------------------------------------------------------------------------------------------------------

    def _named(self, name: str) -> Iterator[Use]:
        return (use for use in self.names.uses if use.name == name)

    def _bare(self, name: str) -> Iterator[Use]:
        return (use for use in self._named(name) if use.receiver is None and use.called is None)

    def _scope(self, node: ast.AST) -> Scope:
        for around in self.src.ancestors(node):
            if around in self.names.scope_of:
                return self.names.scope_of[around]
        return self.names.module

    def _span_in(self, alias: ast.alias, name: str) -> Span:
        start = self.src.span(alias)[0]
        return start, start + len(name)


def _around(scope: Scope | None) -> Iterator[Scope]:
    while scope is not None:
        yield scope
        scope = scope.outer


def _module(path: str) -> tuple[str, ...]:
    """`shop/cart.py` is `shop.cart`, `shop/__init__.py` is `shop`."""
    parts = tuple(path.removesuffix(".pyi").removesuffix(".pyw").removesuffix(".py").split("/"))
    return parts[:-1] if parts[-1] == "__init__" else parts

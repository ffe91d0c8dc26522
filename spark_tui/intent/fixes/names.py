"""Fixes of names that do not exist: imported, spelled as one that is known, or taken from `self`."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from spark_tui.codemods.imports import graph
from spark_tui.codemods.imports.relative import relative_name
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.import_origins import home_of, standard_homes
from spark_tui.intent.fixes.seen_error import SeenError, quoted_names, title_of_place
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_ALIKE = 0.6
_MOST_ALIKE = 3
_BUILTIN = 0.8
"""How much likelier a name of the code is misspelled than one that Python has."""
_MEANT = re.compile(r"Did you mean:? '([\w.]+)'")
"""The name that Python proposes in its message."""


def alike(name: str, known: Iterable[str], least: float = _ALIKE) -> list[tuple[str, float]]:
    """The names that look most like one, with how much they do. Exchanged letters count as one slip."""
    found = []
    compared = SequenceMatcher(None, autojunk=False)
    compared.set_seq2(name)
    letters = sorted(name)
    for other in set(known) - {name}:
        if abs(len(other) - len(name)) > max(2, len(name) // 2):
            continue
        compared.set_seq1(other)
        if compared.real_quick_ratio() < least or compared.quick_ratio() < least:
            continue
        slip = sorted(other) == letters or name.lower() == other.lower()
        ratio = max(compared.ratio(), 0.9 if slip else 0.0)
        if ratio >= least:
            found.append((other, ratio))
    return sorted(found, key=lambda item: (-item[1], item[0]))[:_MOST_ALIKE]


def undefined_name(at: SeenError) -> Iterator[Built]:
    """An undefined name: imported, spelled as one that is known, an attribute of `self`, or `self` itself."""
    for name, node in _undefined(at):
        inside = at.source.function_of(node)
        visible = at.context.visible(at.source.path, inside)
        inner = set(visible.inner.values())
        if name == "self" and inside is not None:
            yield from add_self(at, inside, 0.95)
        if isinstance(node, ast.Name) and "self" in visible.parameters:
            used = at.context.repo.index.scopes(at.source.path).attributes
            if f"self.{name}" in inner:
                yield _renamed(at, node, f"self.{name}", 0.9)
            elif any(attribute.name == name for attribute in used):
                yield _renamed(at, node, f"self.{name}", 0.6)
        yield from _imported_or_spelt(at, name, node, inner)


def _undefined(at: SeenError) -> Iterator[tuple[str, ast.AST]]:
    """The names that the message says, else all of the file, with a place where they are used."""
    symbol_text = quoted_names(at.text) or ([at.context.text("symbol")] if at.context.has("symbol") else [])
    wanted = [at.groups["name"]] if "name" in at.groups else symbol_text
    found = {
        occurrence.name: occurrence.node
        for occurrence in undefined(at.context.repo.index.scopes(at.source.path))
    }
    here = {node.id: node for node in at.nodes(ast.Name)} if at.exact else {}
    named = [item for item in wanted if item in found or item in here]
    for name in named or ([] if at.exact or "name" in at.groups else [*found][:3]):
        yield name, here.get(name) or found[name]


def _imported_or_spelt(at: SeenError, name: str, node: ast.AST, inner: set[str]) -> Iterator[Built]:
    """The imports of a name, and the names that look like it. `inner`: the names of the function around."""
    builtin = {text for text in dir(builtins) if not text.startswith("_")}
    known = {text: text for text in builtin}
    known |= {item: item for item in at.context.repo.index.scopes(at.source.path).module.bound}
    known |= {text.removeprefix("self."): text for text in (*inner, *_of_comprehensions(at, node))}
    uses = [item for item in find_nodes(at.root, ast.Name) if item.id == name]
    uses = [use for use in uses if at.source.span(use)[0] >= 0]
    meant = _MEANT.search(at.text)
    close = alike(name, known)
    # Python proposes one of the names that look most like it; others may look as much like it.
    least = next((ratio for near, ratio in close if meant is not None and near == meant[1]), 0.0)
    close = [item for item in close if item[1] >= least]
    imports = [] if least and not at.exact else list(_imports(at, name))
    # What is used once and looks like something else is a slip; what is used often was imported.
    slip = bool(close) and close[0][1] > 0.8 and len(uses) == 1
    for number, built in enumerate(imports):
        yield Built(built.calls, (0.7 if slip else 0.95) - 0.1 * number)
    for near, ratio in close:
        weight = ratio * (0.95 if slip or not imports else 0.5) * (_BUILTIN if near in builtin else 1.0)
        if at.exact and isinstance(node, ast.Name):
            yield _renamed(at, node, known[near], weight)
        elif calls := tuple(at.swap(use, known[near], 1.0).calls[0] for use in uses):
            yield Built(calls, weight * at.area.weight, (), f"{name} → {known[near]}")


def _of_comprehensions(at: SeenError, node: ast.AST) -> Iterator[str]:
    """The variables of the comprehensions in which a name stands."""
    for one in at.source.ancestors(node):
        for part in getattr(one, "generators", ()):
            yield from (target.id for target in find_nodes(part.target, ast.Name))


def _renamed(at: SeenError, node: ast.Name, new: str, weight: float) -> Built:
    """One use of a name by another name."""
    low, high = at.source.span(node)
    if low < 0:
        return at.swap(node, new, weight)
    return replace(
        at.spliced(low, high, new, weight),
        title=f"{node.id} → {new} {title_of_place(at.source, node.lineno)}",
    )


def _imports(at: SeenError, name: str) -> Iterator[Built]:
    """The imports that bring a name: as other files of the repository write it, then by its home."""
    repo, path = at.context.repo, at.source.path
    found: Counter[tuple[str, str, str]] = Counter()
    for other in repo.index.files_with(name):
        if other == path:
            continue
        for item in repo.index.summary(other).imports:
            if item.alias == name:
                module = repo.index.imported_module(other, item)
                shown = item.alias if item.alias != (item.name or item.module) else ""
                found[module, item.name, shown] += 1
    made: set[tuple[str, str, str]] = set()
    for module, imported, shown in [one for one, _ in found.most_common(2)]:
        made.add((module, imported, shown))
        if not _leads_back(at, module, imported):
            origin = relative_name(repo, path, module) if imported else module
            yield Built((call("add_import", path=path, module=origin, name=imported, alias=shown),))
    home = home_of(name, repo, path)
    homes = [home] if home is not None else standard_homes().get(name, ())
    if not homes and name in sys.stdlib_module_names:
        homes = [name]
    for home in homes:
        key = (home, "" if home == name else name, "")
        if key not in made and not _leads_back(at, home, key[1]):
            origin = relative_name(repo, path, home) if key[1] else home
            yield Built((call("add_import", path=path, module=origin, name=key[1]),))


def _leads_back(at: SeenError, module: str, name: str) -> bool:
    """Whether what an import would bring, and nothing that the file imports yet, imports the file itself: one
    of them may not be importable then."""
    repo, path = at.context.repo, at.source.path
    found = _imported_file(at, module, name)
    known = [imported for imported in repo.index.summary(path).imports if not imported.late]
    if found is None or any(
        found == _imported_file(at, repo.index.imported_module(path, imported), imported.name)
        for imported in known
    ):
        return False
    begun = graph.packages_of(path)
    return path in graph.files_reached(repo, found, () if found in begun else begun)


def _imported_file(at: SeenError, module: str, name: str) -> str | None:
    modules, path = at.context.repo.index.modules, at.source.path
    return (modules.find(f"{module}.{name}", path) if name else None) or modules.find(module, path)


def add_self(at: SeenError, function: Function, weight: float) -> Iterator[Built]:
    """A method gets the parameter that it lacks."""
    if at.source.class_of(function) is None or "self" in {
        parameter.arg for parameter in parameters(function)
    }:
        return
    source = at.source
    low = source.text.index("(", source.offset_of_byte(function.lineno - 1, function.col_offset))
    gap = ", " if parameters(function) or function.args.vararg or function.args.kwarg else ""
    yield at.spliced(low + 1, low + 1, f"self{gap}", weight)


def attribute_error(at: SeenError) -> Iterator[Built]:
    """An attribute that is not there: spelled as one that is, or imported where it is looked for."""
    name = at.groups.get("name", "")
    if module := at.groups.get("module"):
        yield from _offered(at, module, name)
    # In a class a name that begins with two underscores has the class before it.
    name = re.sub(r"^_[A-Za-z]\w*?(?=__)", "", name)
    repo = at.context.repo
    uses = [
        attribute for path in repo.index.files_with(name) for attribute in repo.index.scopes(path).attributes
    ]
    if not name or sum(use.name == name for use in uses) > 1 or name in repo.index.symbol_names:
        return  # it is no slip: other objects have it
    for frame in at.frames():
        nodes = [node for node in frame.nodes(ast.Attribute) if node.attr == name]
        if nodes:
            yield from _respelt(frame, nodes[0], name)
            return


def _respelt(at: SeenError, node: ast.Attribute, name: str) -> Iterator[Built]:
    """The attribute spelled as one that is there."""
    best: dict[str, float] = {}
    for pool, weight in _pools(at, node):
        for near, ratio in alike(name, pool):
            best[near] = max(best.get(near, 0.0), weight * ratio)
    high = at.source.span(node)[1]
    for near, weight in sorted(best.items(), key=lambda item: -item[1])[:_MOST_ALIKE]:
        yield at.spliced(high - len(name), high, near, weight)


def _offered(at: SeenError, module: str, name: str) -> Iterator[Built]:
    """A module gets the import of a name that is to be had from it, and that another file of it defines."""
    repo = at.context.repo
    path = repo.index.modules.find(module, at.source.path)
    home = home_of(name, repo, path) if path else None
    if path and home is not None and home != module:
        inside = home.startswith(f"{module}.") and path.endswith("__init__.py")
        shown = home[len(module) :] if inside else home
        yield Built((call("add_import", path=path, module=shown, name=name),), 0.9)


def _pools(at: SeenError, node: ast.Attribute) -> Iterator[tuple[Iterable[str], float]]:
    """Names that the attribute may be meant to be, the likeliest first."""
    repo = at.context.repo
    owner, module = at.groups.get("owner", ""), at.groups.get("module", "")
    if module:
        path = repo.index.modules.find(module, at.source.path)
        if path:
            yield repo.index.scopes(path).module.bound, 1.0
        elif module in sys.modules:
            yield dir(sys.modules[module]), 0.95
    home, _, last = owner.rpartition(".")
    known = getattr(sys.modules.get(home, builtins), last, None) if last else None
    if known is not None:
        yield [item for item in dir(known) if item.startswith("__") == node.attr.startswith("__")], 1.0
    for path in repo.index.files_with(last) if last else ():
        for value in repo.classes.find(path, last):
            for each in (value, *repo.classes.ancestors(value)):
                yield repo.classes.own_members(each), 1.0
    if node.attr.startswith("__"):
        yield dir(object), 0.9
    text = ast.unparse(node.value)
    used = repo.index.scopes(at.source.path).attributes
    yield [attribute.name for attribute in used if ast.unparse(attribute.node.value) == text], 0.95
    yield [attribute.name for attribute in used], 0.8
    yield repo.index.symbol_names, 0.7


def no_import_name(at: SeenError) -> Iterator[Built]:
    """A name that a module does not have: spelled as one that it has, or from the module that has it."""
    name, module = at.groups.get("name", ""), at.groups.get("module", "")
    repo, source = at.context.repo, at.source
    for frame in at.frames():
        for node in frame.nodes(ast.ImportFrom):
            alias = next((item for item in node.names if item.name == name), None)
            if alias is None:
                continue
            full = module or repo.index.modules.absolute(frame.source.path, node.module, node.level)
            path = repo.index.modules.find(full, frame.source.path)
            if path:
                pool: Iterable[str] = repo.index.scopes(path).module.bound
            else:
                pool = dir(sys.modules[full]) if full in sys.modules else ()
            low, _ = frame.source.span(alias)
            for near, ratio in alike(name, pool):
                yield frame.spliced(low, low + len(name), near, ratio)
            yield from _offered(at, full, name)
            home = home_of(name, repo, source.path)
            if home is not None and home != full and len(node.names) == 1:
                new = f"from {home} import {frame.source.segment(alias)}"
                yield frame.spliced(*frame.source.span(node), new, 0.8)
            return


def no_module(at: SeenError) -> Iterator[Built]:
    """A module that is not there: spelled as one that is."""
    wanted = at.groups.get("module", "")
    repo = at.context.repo
    known = {repo.index.modules.name(path) for path in repo.index.paths} | set(sys.stdlib_module_names)
    for frame in at.frames():
        for node in (*frame.nodes(ast.ImportFrom), *frame.nodes(ast.Import)):
            text = frame.source.segment(node)
            for near, ratio in alike(wanted, known):
                last, right = wanted.rpartition(".")[2], near.rpartition(".")[2]
                for old, new in ((wanted, near), (last, right)):
                    if old in text:
                        low = frame.source.span(node)[0] + text.index(old)
                        yield frame.spliced(low, low + len(old), new, ratio)
                        break
            if text:
                return

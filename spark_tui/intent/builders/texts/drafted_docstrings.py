"""Docstrings that are made from names: of one definition, or of all those that an instruction means."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import drafted
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.walking import walk

_MODULE = r"(?:module|modul|módulo|模块)"
_JOINED = r"(?:and|und|et|y|e|sowie|plus|和|与)"
_BESIDE_MODULE = re.compile(
    rf"(?<!\w){_MODULE}(?:\s+\w+)?\s+{_JOINED}(?!\w)|(?<!\w){_JOINED}\s+(?:\w+\s+){{0,3}}?{_MODULE}(?!\w)"
)


def document_several(context: Context) -> Iterator[Built]:
    """The docstrings of all functions or methods of a place that have none, as one edit."""
    for area, source, root in context.trees():
        bare = [node for node in _definitions_told(context, source, root) if not has_docstring(node)]
        calls = [
            call(
                "set_docstring",
                target=f"{source.path}::{source.qualname(node)}",
                text=write_docstring_from_name(node),
            )
            for node in bare
        ]
        if calls:
            doubts = (drafted("the texts were made from the names"),)
            yield build_at(Anchor(area, bare[0], doubts=area.doubts), *calls, weight=0.9, doubts=doubts)


def of_module_too(context: Context, path: str) -> tuple[Operation, ...]:
    """The call for the docstring of a module that is named beside a function: *to the module and to load*."""
    other_words = context.beside_slots().lower()
    tree = context.source(path).tree if context.has("function") and not context.has("file") else None
    if tree is None or has_docstring(tree) or not _BESIDE_MODULE.search(other_words):
        return ()
    words = spoken_parts(path.rpartition("/")[2].removesuffix(".py").strip("_"))
    return (call("set_docstring", target=path, text=f"{' '.join(words).capitalize()}."),)


def _definitions_told(context: Context, source: Source, root: ast.AST) -> list[Definition]:
    """The functions or methods of a file or class, where the instruction says that all of them are meant."""
    text = context.beside_slots().lower()
    if not phrases.any_stands_in(phrases.words("several"), text):
        return []
    words, kinds = re.findall(r"\w+", text), phrases.table()["symbol_kinds"]
    methods, functions = (
        any(word.startswith(row) for word in words for row in kinds[kind]) for kind in ("method", "function")
    )
    if not (methods or functions) and not any(context.has(slot) for slot in ("function", "class", "file")):
        said = "|".join(map(re.escape, phrases.words("several")))
        named = rf"(?:{'|'.join(kinds['class'])})(?:es|s|n)?(?!\w)(?!\s*{_JOINED}(?!\w))"
        if re.search(rf"(?<!\w)(?:{said})\s+{named}", text):
            return [node for node in walk(root) if isinstance(node, ast.ClassDef)]
        functions = True
    left = {plain_name(one.text) for one in context.reading.left_out}
    public = says("visibility", "public", text)
    found = list[Definition]()
    for node in walk(root):
        outer = source.parents.get(node)
        if not isinstance(node, Function) or not isinstance(outer, ast.Module | ast.ClassDef):
            continue
        if (functions or (methods and isinstance(outer, ast.ClassDef))) and not (
            node.name in left or (public and node.name.startswith("_"))
        ):
            found.append(node)
    return found


def has_docstring(node: ast.AST | None) -> bool:
    return node is not None and docstring(node) is not None


def write_docstring_from_name(node: ast.AST | None) -> str:
    """A docstring from the name of a definition."""
    name = getattr(node, "name", "") or "module"
    parts = spoken_parts(name)
    if isinstance(node, Function) and name == "__init__":
        return "Set up the object."
    return f"{' '.join(parts).capitalize()}."


def spoken_parts(name: str) -> list[str]:
    """The words of a name, where digits belong to the letters around them: `dos2unix`, `utf8`."""
    apart = re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return [part.lower() for part in apart.split("_") if part]

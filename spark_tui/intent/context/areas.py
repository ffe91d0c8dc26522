"""Where an instruction means: the functions, classes and files that it names, or those around the cursor."""

from __future__ import annotations

import ast
import difflib
import fnmatch
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.names.words import language_of
from spark_tui.codemods.slots import CALLABLE, CLASS, SymbolKind
from spark_tui.codemods.uses.hidden import unread_files
from spark_tui.intent.context.lookup import Names, key, plain_name
from spark_tui.intent.context.owners_said import says_owner
from spark_tui.intent.context.situation import Area, Situation, Unresolved
from spark_tui.intent.context.symbol_kinds import kinds_said
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.intent.words.phrases import is_said, without_articles
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.files.tree import SearchedTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_PYTHON_FILE = re.compile(r"(?<![\w./\\-])[\w.\\-][\w./\\-]*\.py(?!\w)")
_FILE = re.compile(r"[\w./\\-]*\.\w{1,5}\Z|\.\w[\w.-]*\Z")


def definitions_around(repo: Repository, situation: Situation) -> list[ast.AST]:
    """The definitions around the selection or the cursor, the innermost first."""
    if situation.path not in repo.index.paths:
        return []
    line = situation.selection[0] if situation.selection else situation.cursor
    source = repo.index.source(situation.path)
    if line is None or not 1 <= line <= len(source.lines):
        return []
    return list(reversed(definitions_at(source, line)))


def definitions_at(source: Source, line: int) -> list[Definition]:
    """The definitions that a line is in, the innermost last."""
    return [one for one in source.definitions if source.first_line(one) < line <= source.last_line(one)]


def area_of(source: Source, node: ast.AST | None, **more: object) -> Area:
    name = source.qualname(node) if isinstance(node, Definition) else ""
    return Area(source.path, node if name else None, name, **more)  # type: ignore[arg-type]


_MOST, _MOST_EVERYWHERE = 5, 40
_INSIDE = ("parameter", "variable", "symbol")
_ELSEWHERE = 0.1
"""How likely another function of a name is meant than the only one that has what is named in it."""
_NEARLY = 0.6
"""How likely a path of nearly the same letters is meant."""


def paths_named(repo: Repository, text: str) -> list[tuple[str, float]]:
    """The files of a repository that a text names: a path, a bare name, a module, or nearly so."""
    plain = text.strip().strip("`'\"").rstrip(",;:").replace("\\", "/").removeprefix("./")
    plain = without_articles(plain)
    if not plain:
        return []
    every = repo.index.all_paths
    if plain in every:
        return [(plain, 1.0)]
    ends = [path for path in every if path.endswith(f"/{plain}")]
    if not ends:
        dotted = plain.replace(".", "/")
        ends = [path for path in every if f"/{path}".endswith((f"/{dotted}.py", f"/{dotted}/__init__.py"))]
    if not ends:
        ends = [path for path in every if key(path.rpartition("/")[2].partition(".")[0]) == key(plain)]
    if not ends and plain.rpartition("/")[2].lower() != plain:
        ends = [path for path in every if f"/{path}".lower().endswith(f"/{plain.lower()}")]
    if not ends and is_said("file_kinds", plain):
        ends = [path for path in every if f".{path}".lower().endswith(f".{plain.lower()}")]
    if ends:
        return [(item, 1.0 / len(ends)) for item in sorted(ends, key=len)[:4]]
    near = difflib.get_close_matches(plain, every, 1, 0.85) if _FILE.search(plain) else []
    return [(match, _NEARLY) for match in near]


def is_file_named(repo: Repository, text: str) -> bool:
    """Whether a text names a file, and not only nearly so."""
    return any(weight != _NEARLY for _, weight in paths_named(repo, text))


def files_shown(text: str) -> list[str]:
    """The Python files that a text names, there or not."""
    return list(dict.fromkeys(_PYTHON_FILE.findall(text)))


def unknown_files(repo: Repository, text: str) -> list[str]:
    """The Python files that a text names and the repository does not have; a whole path is one of an error
    message."""
    return [path for path in files_shown(text) if not is_file_named(repo, path)]


def explain_missing_file(repo: Repository, text: str) -> str:
    """Why a text names no file of the repository."""
    path = text.strip().strip("`'\"").rstrip(",;:").removeprefix("./")
    if not path:
        return "the instruction names no file"
    if repo.index.text(path) is None:
        return f"there is no file {text}"
    tree = repo.index.tree
    why = tree.why_not_listed(path) if isinstance(tree, SearchedTree) else ""
    return f"{path} is {why or 'not listed'}, so it is not among the repository's files"


def is_of_other_language(repo: Repository, text: str) -> bool:
    """Whether a text is the name of a file of another language, and no member of an object (`self.c`)."""
    return language_of(text) is not None and not any(repo.index.files_with_member(text.rpartition(".")[2]))


def nothing_called(repo: Repository, text: str) -> str:
    """That nothing is called so: it is a file, or a file that cannot be read may have it."""
    if _FILE.search(text) and is_file_named(repo, text):
        return f"{text} is a file, and what is meant in it is not clear"
    if is_of_other_language(repo, text):
        return explain_missing_file(repo, text)
    unread = next(iter(unread_files(repo, {plain_name(text)})), None)
    return f"there is nothing called {text}{f'; {unread[0]}: {unread[2]}' if unread else ''}"


def _files(situation: Situation, spans: tuple[Span, ...]) -> list[Area]:
    out = []
    for span in spans[:1]:
        if is_said("file", span.text) and situation.path:
            return [Area(situation.path)]
        for path, weight in paths_named(situation.repo, span.text):
            doubts = () if weight > 0.99 else (f"{span.text} may be another file than {path}",)
            out.append(Area(path, weight=weight, doubts=doubts))
        if not out:
            raise Unresolved(explain_missing_file(situation.repo, span.text))
    return out


def near_names(repo: Repository, situation: Situation) -> list[str]:
    nodes = definitions_around(repo, situation)
    source = repo.index.source(situation.path) if nodes else None
    return [source.qualname(node) for node in nodes] if source is not None else []


def find_named_areas(reading: Reading, situation: Situation, names: Names) -> list[Area]:
    """The areas that an instruction names; empty where it names none."""
    files = _files(situation, reading.slots.get("file", ()))
    nowhere: list[Area | None] = [None]
    classes: list[Area] = []
    for span in reading.slots.get("class", ())[:1]:
        classes = [
            area
            for home in (files or nowhere)
            for area in _symbol_areas(span, situation, names, CLASS, home, "class")
        ]
    functions: list[Area] = []
    for span in reading.slots.get("function", ())[:1]:
        functions = list(_functions(span, situation, names, (classes or files or nowhere)[0]))
        functions = _by_their_class(_by_their_names(functions, reading), span, situation.instruction)
    if situation.line and not functions and not classes and [file.path for file in files] == [situation.path]:
        # `cart.py:12` is about what stands around that line.
        files = [replace(area, said=True) for area in find_implied_areas(situation)]
    found = functions or classes or files
    return sorted(found, key=lambda item: -item.weight)[: _MOST_EVERYWHERE if reading.everywhere else _MOST]


def _by_their_names(functions: list[Area], reading: Reading) -> list[Area]:
    """Functions of one name; if only one of them has the parameter or local that is named, that one without a
    doubt and first."""
    said = {plain_name(span.text) for slot in _INSIDE for span in reading.slots.get(slot, ())}
    if len(functions) < 2 or not said:
        return functions
    holders = [area for area in functions if isinstance(area.node, Function) and said & _own_names(area.node)]
    return _first(functions, holders[0]) if len(holders) == 1 else functions


def _by_their_class(functions: list[Area], span: Span, instruction: str) -> list[Area]:
    """Functions of one name; the one whose class or module is named beside it comes first, without a doubt:
    *run in the job queue* is `JobQueue.run`."""
    if len(functions) < 2 or span.start < 0:
        return functions
    front, behind = instruction[: span.start], instruction[span.end :]
    said = [area for area in functions if says_owner(area.qualname.rpartition(".")[0], front, behind)]
    return _first(functions, said[0]) if len(said) == 1 else functions


def _first(functions: list[Area], only: Area) -> list[Area]:
    """One of several areas without a doubt and first."""
    others = [replace(area, weight=_ELSEWHERE * area.weight) for area in functions if area is not only]
    weight = sum(area.weight for area in functions) - sum(area.weight for area in others)
    return [replace(only, weight=weight, doubts=without(only.doubts, DoubtKind.SYMBOLS)), *others]


def _own_names(function: Function) -> set[str]:
    """The parameters and locals of a function."""
    stored = (node.id for node in find_nodes(function, ast.Name) if isinstance(node.ctx, ast.Store))
    return {*stored, *(one.arg for one in parameters(function))}


def _functions(span: Span, situation: Situation, names: Names, home: Area | None) -> Iterator[Area]:
    repo = situation.repo
    if is_said("here", span.text):
        nodes = definitions_around(repo, situation)
        if nodes:
            yield area_of(repo.index.source(situation.path), nodes[0])
            return
        if situation.path:
            yield Area(situation.path, said=False)
            return
    if is_said("file", span.text) and situation.path:
        yield Area(situation.path)
        return
    if "*" in span.text and (home is not None or situation.path):
        inside = functions_in(repo, home or Area(situation.path))
        like = [function for function in inside if fnmatch.fnmatch(function.name, span.text.strip("`"))]
        source = repo.index.source((home or Area(situation.path)).path)
        yield from (area_of(source, function, weight=1.0 / len(like)) for function in like)
        if like:
            return
    for form in _forms(span):
        found = list(_symbol_areas(form, situation, names, CALLABLE | CLASS, home, "function", soft=True))
        found = found or list(_behind_a_name(form, home, situation))
        if found:
            yield from found
            return
    files = paths_named(repo, span.text) if _FILE.search(span.text) else []
    if files:
        yield from (Area(path, weight=weight) for path, weight in files)
        return
    raise Unresolved(_nowhere(span, "function", CALLABLE | CLASS, names, home))


def _behind_a_name(span: Span, home: Area | None, situation: Situation) -> Iterator[Area]:
    """The function that a call wraps for a name of the same class or module, as `size = property(_get_size)`
    does, if that is one function."""
    path, name = home.path if home is not None else situation.path, plain_name(span.text)
    if path not in situation.repo.index.paths:
        return
    source = situation.repo.index.source(path)
    bodies = [source.body, *(one.body for one in find_nodes(source.tree, ast.ClassDef))]
    wrapped = {function for body in bodies for function in _wrapped_functions(body, name)}
    if len(wrapped) == 1:
        yield area_of(source, *wrapped)


def _wrapped_functions(body: list[ast.stmt], name: str) -> Iterator[Function]:
    """The first functions of a suite that calls get for a name which is assigned there."""
    functions = {one.name: one for one in body if isinstance(one, Function)}
    for made in body:
        match made:
            case ast.Assign(targets=targets, value=ast.Call(args=args)):
                set_here = any(isinstance(one, ast.Name) and one.id == name for one in targets)
                given = [one.id for one in args if isinstance(one, ast.Name) and one.id in functions]
                if set_here and given:
                    yield functions[given[0]]


def _forms(span: Span) -> Iterator[Span]:
    """How the name of a function may be said: as it is, as the constructor, or after that of its class."""
    if is_said("constructor", without_articles(span.text)):
        yield replace(span, text="__init__")
        return
    yield span
    owner, _, name = span.text.strip().rpartition(" ")
    if owner:
        yield replace(span, text=f"{owner}.{name}")


def _symbol_areas(
    span: Span,
    situation: Situation,
    names: Names,
    kinds: frozenset[SymbolKind],
    home: Area | None,
    word: str,
    soft: bool = False,
) -> Iterator[Area]:
    repo = situation.repo
    if is_said("here", span.text) and situation.path:
        nodes = [inner for inner in definitions_around(repo, situation) if isinstance(inner, ast.ClassDef)]
        yield from (area_of(repo.index.source(situation.path), inner) for inner in nodes[:1])
        return
    near, said = near_names(repo, situation), kinds & kinds_said(span, situation.instruction)
    found = [one for one in names.find(span.text, said, home, near) if not one.doubts] if said else []
    found = found or names.find(span.text, kinds, home, near)
    if word == "function" and any(item.target.kind in CALLABLE for item in found):
        found = [item for item in found if item.target.kind in CALLABLE]
    for one in found:
        node = one.target.node
        if isinstance(node, Definition):
            yield Area(one.target.path, node, one.target.qualname, one.weight, one.doubts)
    if not found and not soft:
        raise Unresolved(_nowhere(span, word, kinds, names, home))


def _nowhere(span: Span, word: str, kinds: frozenset[SymbolKind], names: Names, home: Area | None) -> str:
    """Why a name names nothing: that a file does not have it, and which one has it."""
    if home is None:
        known = any(item.target.name == plain_name(span.text) for item in names.find(span.text))
        return f"there is no {word} {span.text}" if known else nothing_called(names.repo, span.text)
    others = dict.fromkeys(item.target.path for item in names.find(span.text, kinds, None, []))
    elsewhere = f", but in {', '.join([*others][:_MOST])}" if others else ""
    return f"there is no {word} {span.text} in {home.path}{elsewhere}"


def find_implied_areas(situation: Situation) -> list[Area]:
    """The area of what is not named: the open file; after an edit first what is around its lines."""
    if not situation.path or situation.path not in situation.repo.index.all_paths:
        return []
    nodes = definitions_around(situation.repo, situation) if situation.focused else []
    if not nodes:
        return [Area(situation.path, said=False)]
    near = area_of(situation.repo.index.source(situation.path), nodes[0], weight=0.8, said=False)
    return [near, Area(situation.path, weight=0.2, said=False)]


def functions_in(repo: Repository, area: Area) -> list[Function]:
    """The functions of an area, itself included."""
    if area.path not in repo.index.paths:
        return []
    source = repo.index.source(area.path)
    if isinstance(area.node, Function):
        return [area.node]
    inside = set(walk(area.node)) if area.node is not None else None
    return [
        definition
        for definition in source.definitions
        if isinstance(definition, Function) and (inside is None or definition in inside)
    ]

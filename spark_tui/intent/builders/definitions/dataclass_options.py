"""What a dataclass is asked to be is an option of its decorator: `@dataclass(slots=True, frozen=True)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.codemods.classes.fields import attributes_set
from spark_tui.intent.building.building import Built, builder, call, found, of_table
from spark_tui.intent.building.building import word as spelled
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import SEVERAL, without
from spark_tui.intent.words.kinds_of_words import denies, says
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, Values, class_behind
from spark_tui.pysource.names.type_hints import called, decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_NEEDS_PYTHON = re.compile(r"requires-python\W*>=\s*3\.(\d+)")
_KEPT = re.compile(
    r"(?i)\bno,? wait\b|\bscratch that\b|\bnein,? (?:warte|doch)\b|\bnon,? attends?\b|\bno,? espera\b|不对"
)
"""Words that take back what stands in front of them."""
_SINCE = {"slots": 10, "kw_only": 10}
"""The minor version of Python 3 that has an option first."""
_LOST = {
    "frozen": "its objects may be in sets, or keys, which needs frozen",
    "order": "its objects may be sorted, which needs order",
    "kw_only": "its fields without a default may come after one with a default now",
}
"""What may be lost with an option."""


def options_said(context: Context) -> list[str]:
    """The options of a dataclass that the instruction names or describes."""
    text = _KEPT.split(context.situation.instruction)[-1]
    return [
        option for option in phrases.table()["dataclass_options"] if says("dataclass_options", option, text)
    ]


def with_options(context: Context, anchor: Anchor) -> Iterator[Built]:
    """The class with other options in its decorator; nothing where it is no dataclass or none is said."""
    node, source = anchor.node, context.source(anchor.path)
    options = options_said(context)
    if not isinstance(node, ast.ClassDef) or not options:
        return
    text = _KEPT.split(context.situation.instruction)[-1]
    off = [option for option in options if denies("dataclass_options", option, text)]
    for decorator in node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        if last_name(function) != "dataclass":
            continue
        given = {item.arg: item for item in decorator.keywords} if isinstance(decorator, ast.Call) else {}
        gone = {*options, *(["weakref_slot"] if "slots" in off else ())}  # which asks for slots
        kept = [source.segment(item) for name, item in given.items() if name not in gone]
        on = [option for option in options if option in given and ast.unparse(given[option].value) == "True"]
        wanted = [option for option in options if option not in off]
        missing = [option for option in off if option not in on]
        if missing and not wanted:
            raise Unresolved(f"{node.name} is a dataclass without {missing[0]}", nothing=True)
        if on == wanted:
            raise Unresolved(f"{node.name} is a dataclass with {', '.join(wanted)} already", nothing=True)
        kept += [f"{option}=True" for option in wanted]
        new = source.segment(function) + (f"({', '.join(kept)})" if kept else "")
        doubts = [*anchor.doubts, *_doubts(context.repo, node, [one for one in wanted if one not in on])]
        doubts += [_LOST[option] for option in off if option in on and option in _LOST]
        if "frozen" in options:
            doubts += _other_kin(context.repo, ClassValue(source.path, node), frozen="frozen" in wanted)
        made = replace_code(context, Anchor(anchor.area, decorator), new)
        yield Built((made,), anchor.weight, tuple(doubts))


def _doubts(repo: Repository, node: ast.ClassDef, options: list[str]) -> Iterator[str]:
    """What stands against an option: an older Python, and code that does what it forbids."""
    project = _NEEDS_PYTHON.search(repo.index.text("pyproject.toml") or "")
    for option in options:
        if project is not None and int(project[1]) < _SINCE.get(option, 0):
            yield f"pyproject.toml asks for Python 3.{project[1]}, which has no {option}"
    fields = {ast.unparse(stmt.target) for stmt in node.body if isinstance(stmt, ast.AnnAssign)}
    other = sorted({*attributes_set(node)} - fields)
    if "slots" in options and other:
        yield f"{other[0]} is set and is no field"
    for path in repo.index.files_with(*fields, node.name) if {"frozen", "kw_only"} & {*options} else ():
        scopes = repo.index.scopes(path)
        for use in scopes.attributes if "frozen" in options else ():
            stored = use.name in fields and not isinstance(use.node.ctx, ast.Load)
            if stored and _may_be_of(repo.infer.values(path, use.node.value, use.scope), node):
                yield f"{path}:{use.node.lineno} changes {ast.unparse(use.node)}"
                break
        for made in scopes.calls if "kw_only" in options else ():
            if last_name(made.func) == node.name and made.args:
                yield f"{path}:{made.lineno} passes values by position"
                break


def _other_kin(repo: Repository, of: ClassValue, *, frozen: bool) -> Iterator[str]:
    """The dataclasses above and below one that are not as it is to be: all of them are frozen, or none."""
    for one in (*repo.classes.ancestors(of), *repo.classes.descendants(of)):
        made = [found for found in one.node.decorator_list if last_name(called(found)) == "dataclass"]
        if one != of and made and ("frozen=True" in ast.unparse(made[0])) is not frozen:
            yield f"{one.node.name} is {'not ' * frozen}frozen, and neither may inherit from the other then"


def _may_be_of(values: Values, owner: ast.ClassDef) -> bool:
    """Whether an object may be one of a class."""
    return any(value == UNKNOWN or getattr(class_behind(value), "node", None) is owner for value in values)


@builder("to_dataclass")
def to_dataclass(context: Context) -> Iterator[Built]:
    yield from _of_classes(context) or of_table(context, "to_dataclass")


@builder("remove_argument")
def remove_argument(context: Context) -> Iterator[Built]:
    """An argument of a call, or an option of the class that is named."""
    option = plain_name(context.text("argument")).partition("=")[0]
    is_option = option in options_said(context)
    classes = anchors(context, "class:call") or anchors(context, "class") if is_option else []
    yield from of_dataclasses(context, classes) or of_table(context, "remove_argument")


@builder("add_slots")
def add_slots(context: Context) -> Iterator[Built]:
    yield from _of_classes(context) or of_table(context, "add_slots")


def _of_classes(context: Context) -> list[Built]:
    return of_dataclasses(context, found(context, "class"))


def of_dataclasses(context: Context, classes: Sequence[Anchor]) -> list[Built]:
    """The classes with other options in their decorators: all at once where the words say so."""
    text = context.situation.instruction
    every = any(phrases.mentions(kind, text) for kind in ("every", "dataclasses"))
    every = every and not context.has("class")
    made, reason = list[Built](), None
    for anchor in classes:
        try:
            made += with_options(context, anchor)
        except Unresolved as error:  # this one has them
            reason = error
            if not every:
                raise
    if not made and reason is not None:
        raise reason
    if not made or (len(made) < 2 and reason is None) or not every:
        return made
    doubts = {doubt: None for built in made for doubt in without(built.doubts, *SEVERAL)}
    calls = tuple(call for built in made for call in built.calls)
    return [Built(calls, min(1.0, sum(built.weight for built in made)), tuple(doubts))]


@builder("add_decorator")
def add_decorator(context: Context) -> Iterator[Built]:
    word = plain_name(context.text("decorator")).removeprefix("@")
    classes = anchors(context, "class") if word in options_said(context) else []
    made = [built for anchor in classes for built in with_options(context, anchor)]
    if word.rpartition(".")[2] in _ABSTRACT and not context.has("function"):
        yield from _abstract(context)
        return
    if word.rpartition(".")[2] == "wraps" and not (made := _wrapped(context)):
        there = any(isinstance(one, Function) and "wraps" in decorator_names(one) for one in _inside(context))
        none = "no function there takes the place of one that it is given"
        raise Unresolved("the decorator is there already" if there else none, nothing=there)
    yield from made or of_table(context, "add_decorator")


_ABSTRACT = ("abstract", "abstractmethod", "abstractclass", "abc", "ABC")


def _abstract(context: Context) -> Iterator[Built]:
    """A class is abstract by its base; the decorator is for methods."""
    for anchor in found(context, "class", "class"):
        bound = context.repo.index.scopes(anchor.path).module.bound
        base = "abc.ABC" if "abc" in bound else "ABC"
        made = call("add_base", target=spelled(context, "class", anchor), base=base)
        body = anchor.node.body if isinstance(anchor.node, ast.ClassDef) else []
        methods = [one for one in body if isinstance(one, Function)]
        stubs = [one for one in methods if not one.decorator_list and _is_stub(one)]
        bare = not stubs and not any("abstractmethod" in decorator_names(one) for one in methods)
        doubts = ("it has no abstract method: objects of it can be made still",) if bare else ()
        decorator = f"{base.removesuffix('ABC')}abstractmethod"
        extra = [
            call("add_import", path=anchor.path, module="abc", name=name)
            for name in ("ABC", *(("abstractmethod",) if stubs else ()))
            if base == "ABC" and name not in bound
        ]
        for stub in stubs:
            target = spelled(context, "function", Anchor(anchor.area, stub))
            extra.append(call("add_decorator", target=target, decorator=decorator))
        yield Built((made, *extra), anchor.weight, (*anchor.doubts, *doubts))


def _is_stub(method: Function) -> bool:
    """Whether a method leaves all to the classes that inherit it."""
    last = method.body[-1]
    if len(method.body) > 1 + (ast.get_docstring(method) is not None) or not isinstance(last, ast.Raise):
        return False
    error = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    return error is not None and ast.unparse(error) == "NotImplementedError"


def _inside(context: Context) -> Iterator[ast.AST]:
    return (one for _, _, root in context.trees() for one in walk(root))


def _wrapped(context: Context) -> list[Built]:
    """The functions that decorators put in the place of those that they are given, with `functools.wraps`."""
    found_at = [
        (area, outer, inner, node.func.id)
        for area, source, root in context.trees()
        for outer in (*walk(root), *source.ancestors(root))
        for inner in getattr(outer, "body", ())
        if isinstance(outer, Function)
        and isinstance(inner, Function)
        and not inner.decorator_list
        and any(
            isinstance(one, ast.Return) and ast.unparse(one) == f"return {inner.name}" for one in outer.body
        )
        for node in find_nodes(inner, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in [one.arg for one in parameters(outer)]
    ]
    out = []
    for area, _, inner, given in found_at:
        bound = context.repo.index.scopes(area.path).module.bound
        name = "wraps" if "wraps" in bound else "functools.wraps"
        target = spelled(context, "function", Anchor(area, inner))
        made = call("add_decorator", target=target, decorator=f"{name}({given})")
        missing = name.partition(".")[0] not in bound
        extra = (call("add_import", path=area.path, module="functools"),) if missing else ()
        out.append(Built((made, *extra), 0.95 * area.weight / len(found_at), area.doubts))
    return out

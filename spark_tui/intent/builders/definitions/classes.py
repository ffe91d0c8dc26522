"""Calls that change classes, decorators and imports."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from spark_tui.codemods.classes.fields import attributes_set
from spark_tui.codemods.classes.special_methods import SpecialMethod
from spark_tui.codemods.families.classes.members import AddField
from spark_tui.intent.builders.definitions.context_managers import context_manager
from spark_tui.intent.builders.definitions.dataclass_options import with_options
from spark_tui.intent.builders.definitions.shown_attributes import held_attributes, show_more_attributes
from spark_tui.intent.builders.definitions.shown_methods import shown_or_told
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    combined,
    filled,
    found,
    of_table,
    place,
    word,
)
from spark_tui.intent.building.new_parameters import is_taken
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.import_origins import home_of
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.values.anchor_details import preparer
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.syntax.walking import find_nodes

_MOST_FILES = 40
"""In how many files that have a word its definition is looked for."""
_UNDEFINED = re.compile(r"\bNameError\b|\b(?:not|un)\s?-?defined\b", re.IGNORECASE)


def special_methods(phrase: str, instruction: str) -> list[Option]:
    """The special methods that a text names or an instruction describes."""
    plain = plain_name(phrase).strip("_").lower() if phrase else ""
    known = {str(item.value) for item in SpecialMethod}
    for one in known:
        if plain and one.strip("_") == plain:
            return [Option(one)]
    exact = [one.strip("_") for one, words in phrases.table()["special_methods"].items() if plain in words]
    if plain and len(exact) == 1 and exact[0] in known:
        return [Option(exact[0])]
    called = [one for one in known if f"{one}()" in instruction]
    if len(called) == 1:
        return [Option(called[0], 0.8, (Doubt(f"{called[0]} was assumed to be meant", DoubtKind.MEANT),))]
    scored: list[tuple[int, str]] = []
    for text in (phrase.lower(), f"{phrase} {instruction}".lower()):
        scored = scored or [
            (many, name.strip("_"))
            for name, words in phrases.table()["special_methods"].items()
            if name.strip("_") in known and (many := sum(word in text for word in words))
        ]
    scored.sort(key=lambda item: -item[0])
    return [
        Option(name, 0.8 if at == 0 else 0.3, (Doubt(f"{name} was assumed to be meant", DoubtKind.MEANT),))
        for at, (_, name) in enumerate(scored[:2])
    ]


@builder("add_special_method")
def add_special_method(context: Context) -> Iterator[Built]:
    asked = plain_name(context.text("method")) == "__slots__"
    if asked and (
        options := [one for anchor in anchors(context, "class") for one in with_options(context, anchor)]
    ):
        yield from options
        return
    if added := list(context_manager(context)) or list(shown_or_told(context, "method")):
        yield from added
        return
    for anchor in found(context, "class", "class")[:3]:
        named = _attributes(context, anchor)
        for option in special_methods(context.text("method"), context.beside_slots()):
            names = re.findall(r"\w+", named)
            if names and (longer := list(show_more_attributes(context, anchor, f"__{option.text}__", names))):
                yield from longer
                continue
            target = word(context, "class", anchor)
            every = [named] if named else held_attributes(anchor.node, option.text)
            for one in every:
                made = call("add_special_method", target=target, method=option.text, attribute=one)
                yield build_at(anchor, made, weight=1 / len(every), option=option)


def _attributes(context: Context, anchor: Anchor) -> str:
    """The attributes that are named, as the class calls them."""
    own = context.visible(anchor.path, anchor.node).inner
    named = []
    for item in context.reading.slots.get("attribute", ()):
        for text in re.split(r"\s*,\s*", item.text):
            name = plain_name(text)
            known = [
                own[key(each)] for each in (name, f"_{name}") if own.get(key(each), "").startswith("self.")
            ]
            named.append(known[0].removeprefix("self.") if known else name)
    return ", ".join(dict.fromkeys(named))


@builder("cache_results")
def cache_results(context: Context) -> Iterator[Built]:
    spots = found(context, "function", "function")
    if any(getattr(one.node, "name", "") == "__init__" for one in spots):
        raise Unresolved("what makes an object has no result to keep")
    for anchor in spots:
        size = phrases.number(context.text("size")) if context.has("size") else None
        bound = context.repo.index.scopes(anchor.path).module.bound
        size = "None" if size is None and phrases.is_said("none", context.text("size")) else size
        name = "cache" if size is None else f"lru_cache(maxsize={size})"
        bare = name.partition("(")[0]
        plain = _may_be_plain(context, anchor, bare)
        held = not plain or ("functools" in bound and bare not in bound)
        target = word(context, "function", anchor)
        cached = [
            decorator for decorator in getattr(anchor.node, "decorator_list", ()) if _is_cache(decorator)
        ]
        if cached and size is None:
            raise Unresolved("its results are already cached", nothing=True)
        if cached:
            shown = ast.unparse(getattr(cached[0], "func", cached[0]))
            new = f"{shown}(maxsize={size})" if shown.endswith("lru_cache") else name
            yield build_at(anchor, replace_code(context, Anchor(anchor.area, cached[0]), new))
            continue
        made = call("add_decorator", target=target, decorator=f"functools.{name}" if held else name)
        missing = ("functools" if held else bare) not in bound
        given = {"module": "functools"} if held else {"module": "functools", "name": bare}
        extra = (call("add_import", path=anchor.path, **given),) if missing else ()
        yield build_at(anchor, made, *extra)


def _may_be_plain(context: Context, anchor: Anchor, name: str) -> bool:
    """Whether a name of functools is free at a definition, or means that there already."""
    source = context.source(anchor.path)
    scopes = context.repo.index.scopes(anchor.path)
    holder = source.class_of(anchor.node) if anchor.node is not None else None
    if holder is not None and name in scopes.scope_of[holder].bound:
        return False
    imports = (node for node in source.body if isinstance(node, ast.ImportFrom))
    own = (alias for node in imports if node.module == "functools" for alias in node.names)
    known = {alias.asname or alias.name for alias in own}
    return name in known or name not in scopes.module.bound


def _is_cache(decorator: ast.expr) -> bool:
    return ast.unparse(getattr(decorator, "func", decorator)).rpartition(".")[2] in ("cache", "lru_cache")


# -- imports -----------------------------------------------------------------------------------------


@builder("add_import")
def add_import(context: Context) -> Iterator[Built]:
    """An import; where none is named, those that names of the file need and have one home for."""
    for area in context.areas[:2]:
        if not context.has("module") or phrases.is_said("pronouns", context.text("module")):
            yield from _missing_imports(context, area)
            continue
        area = _where_undefined(context, area)
        for option in filled(context, "{module:module}", Anchor(area)) or ():
            alias = plain_name(context.text("alias"))
            home = _imported_inside(context, option.text)
            given = {"module": home, "name": option.text} if home else {"module": option.text}
            made = call("add_import", path=area.path, alias=alias, hoist=True, **given)
            bound = context.repo.index.scopes(area.path).module.bound if alias and not home else ()
            doubts = (f"{option.text} is imported as {option.text}, too",) if option.text in bound else ()
            yield build_at(area, made, weight=option.weight, doubts=doubts)


@builder("add_from_import")
def add_from_import(context: Context) -> Iterator[Built]:
    """The import of a name from a module: as said, else as functions of the file import it."""
    if not context.has("name"):
        raise Unresolved("the instruction does not say what to import")
    home = "" if context.has("module") else _imported_inside(context, plain_name(context.text("name")))
    fields = {"module": home or "{module:module}", "name": "{name:name}"}
    for area in context.areas or [Area("")]:
        for given, weight, doubts in combined(context, fields, Anchor(area)):
            made = call("add_import", path=area.path, hoist=True, **given)
            yield build_at(area, made, weight=weight, doubts=doubts)


def _where_undefined(context: Context, area: Area) -> Area:
    """The file in which an undefined name is used: this one, or else the only other file that uses it."""
    module, index = context.text("module").strip("`'\""), context.repo.index
    name = plain_name(context.text("alias")) or module.partition(".")[0]
    said = _UNDEFINED.search(context.situation.instruction)
    if not said or not name.isidentifier() or area.path not in index.paths:
        return area
    if any(node.id == name for node in find_nodes(index.source(area.path).tree, ast.Name)):
        return area
    near = islice(index.files_with(name), _MOST_FILES)
    lacking = [path for path in near if name in {one.name for one in undefined(index.scopes(path))}]
    if len(lacking) != 1:
        raise Unresolved(f"{name} is not used in {area.path}", nothing=True)
    return replace(area, path=lacking[0])


def _imported_inside(context: Context, name: str) -> str:
    """The module from which functions import a name."""
    every = (node for _, _, node in context.find(ast.ImportFrom))
    found = (node for node in every if any(alias.name == name for alias in node.names))
    return next(("." * node.level + (node.module or "") for node in found), "")


def _missing_imports(context: Context, area: Area) -> Iterator[Built]:
    """The import of each name that nothing defines and whose module is known."""
    if area.path not in context.repo.index.paths:
        return
    missing = dict.fromkeys(item.name for item in undefined(context.repo.index.scopes(area.path)))
    homes = {name: home for name in missing if (home := _home(context, name, area.path))}
    for name, home in homes.items():
        made = call("add_import", path=area.path, module=home, name="" if home == name else name)
        yield Built((made,), area.weight / len(homes), area.doubts)


def _home(context: Context, name: str, path: str) -> str:
    """The module that has a name, or that is called so."""
    module = name if name in sys.stdlib_module_names and name.islower() else ""
    return home_of(name, context.repo, path) or module


def _beside_constants(context: Context, name: str) -> Iterator[Built]:
    """A constant below those that the open file has."""
    area = Area(context.situation.path)
    body = context.source(area.path).body if area.path else []
    known = [
        stmt
        for stmt in body
        if isinstance(stmt, ast.Assign) and all(map(str.isupper, map(ast.unparse, stmt.targets)))
    ]
    for option in (filled(context, "{default:value}", Anchor(area)) or ()) if known else ():
        spot = place(context, Anchor(area, known[-1]))
        made = call("insert_statements", place=spot, code=f"{name} = {option.text}", side="after")
        yield build_at(Anchor(area, known[-1]), made, option=option)


@builder("add_field")
def add_field(context: Context) -> Iterator[Built]:
    if plain_name(context.text("name")) == "__slots__":
        for anchor in found(context, "class", "class"):
            if options := list(with_options(context, anchor)):
                yield from options
                continue
            mark = quote_of(context.source(anchor.path))
            default_text = re.findall(r"\w+", context.text("default"))
            if not default_text and isinstance(anchor.node, ast.ClassDef):
                default_text = attributes_set(anchor.node)
            names = [f"{mark}{item}{mark}" for item in default_text]
            shown = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
            fields = {"target": word(context, "class", anchor), "name": "__slots__", "default": shown}
            yield build_at(anchor, call("add_field", **fields, parameter="false"))
        return
    context = _with_call_as_default(context)
    name = plain_name(context.text("name"))
    if name.isupper() and not context.named and (constants := list(_beside_constants(context, name))):
        yield from constants
        return
    for anchor in anchors(context, "class") if not context.has("default") else ():
        if is_taken(anchor, name):
            made = call(
                "add_field", target=word(context, "class", anchor), name=name, default=name, parameter="false"
            )
            yield build_at(anchor, made)
            return
    for built in of_table(context, "add_field"):
        yield built
        first = built.calls[0]
        if isinstance(first, AddField) and not first.default:
            hint = str(first.annotation)
            if hint and not re.search(r"\b(?:None|Optional|Any|object)\b", hint):
                hint = f"{hint} | None"
            fields = {"target": str(first.target), "name": first.name, "annotation": hint, "default": "None"}
            for taken, weight in (("true", 0.5), ("false", 0.3)):
                made = call("add_field", **fields, parameter=taken)
                yield build_at(
                    built,
                    made,
                    weight=weight,
                    doubts=(Doubt("a default was added for what is there", DoubtKind.COMPLETED),),
                )


def _with_call_as_default(context: Context) -> Context:
    """A call read as the type of an attribute is its first value: `set()`."""
    slots = dict(context.reading.slots)
    if "default" in slots or not re.fullmatch(r"`?[\w.]+\(.*\)`?", context.text("type")):
        return context
    slots["default"] = slots.pop("type")
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


@preparer
def replaced_base(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The base that is named beside *instead*, or the only one."""
    bases = list(map(ast.unparse, anchor.node.bases)) if isinstance(anchor.node, ast.ClassDef) else []
    text, given = context.situation.instruction, plain_name(context.text("base"))
    words = (one for one in phrases.table()["tied"]["instead"] if not phrases.is_said("denials", one))
    told = any(phrases.any_stands_in((one,), text.lower()) for one in words)
    named = [one for one in bases if one != given and re.search(rf"(?<![\w.]){re.escape(one)}(?!\w)", text)]
    kept = [one for one in (named or bases) if one != given]
    old = kept[0] if told and len(kept) == 1 and given not in bases else ""
    yield replace(anchor, words={**anchor.words, "replaced": old})

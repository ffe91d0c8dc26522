"""Types of results: annotations that the code of the function contradicts, and results that are to be
returned as another type."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.rewriting.optional_types import allows_none
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.facts.enumerations import enumerations
from spark_tui.intent.facts.expression_types import expression_type
from spark_tui.intent.facts.literal_types import classes_hinted
from spark_tui.intent.facts.reversed_sorting import doubts_of_sorting
from spark_tui.intent.facts.unset_names import doubts_of_new
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.words import word_set

_TOLD = word_set("str int float bool bytes list dict set tuple date datetime timedelta")
_TAKEN_FOR = {"int": ("float",), "bool": ("int", "float"), "datetime": ("date",)}
"""Types that values of another one are taken for."""
_STEPPED = word_set("Iterator Generator")
_LOOPED = word_set("list dict set tuple str bytes")
_OTHERS = ("set_return", "if_to_lookup", "apply_function")
_TYPES = r"dict(?:ionary|ionaries)?|list|set|tuple|str(?:ing)?|int(?:eger)?|float"
_AS = r"as|als|comme|como"


def reasons_of_results(found: RankedEdit) -> Iterator[str]:
    """That a function returns something else than it is annotated to now."""
    index = found.situation.repo.index
    for one in found.executed.calls:
        target = getattr(one, "target", None)
        if not isinstance(target, Symbol) or target.path not in index.paths or not hasattr(one, "hint"):
            continue
        source, hint = index.source(target.path), parsed(one.hint)
        for node in (each for each in source.functions if source.qualname(each) == target.name):
            if hint is not None and (kind := next(_contradicting(index, source, node, hint), "")):
                yield f"{node.name} {kind}"
                return


def doubts_of_written(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """What is doubtful about the code that a plan writes, whatever was asked for."""
    checks = (doubts_of_new, doubts_of_sorting, doubts_of_hints)
    return tuple(doubt for check in checks for doubt in check(plan, repo))


def doubts_of_hints(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a function which is annotated to give nothing gives something now."""
    paths = dict.fromkeys(edit.path for edit in plan.edits if re.search(r"\breturn\b", edit.new))
    after = repo.with_changes(plan.texts(repo)).index if paths else repo.index
    for path in filter(is_python, paths):
        gave = set(_giving_against_hint(repo.index.source(path)))
        for name in _giving_against_hint(after.source(path)):
            if name not in gave:
                return (assumed(f"{name} is annotated to return None"),)
    return ()


def _giving_against_hint(source: Source) -> Iterator[str]:
    for node in source.functions:
        is_none = isinstance(node.returns, ast.Constant) and node.returns.value is None
        if is_none and any(_kind(one, node, source) != "None" for one in source.returned(node) or ()):
            yield source.qualname(node)


def is_class(index: Index, name: str) -> bool:
    """Whether a name in an annotation is a class, as far as that is known: `Final` is none."""
    homes = standard_homes().get(name, ("typing",))
    return hasattr(builtins, name) or bool(index.symbols(name)) or "typing" not in homes


def _contradicting(index: Index, source: Source, node: Function, hint: ast.expr) -> Iterator[str]:
    hinted, values = classes_hinted(hint), source.returned(node)
    known = bool(hinted) and all(map(partial(is_class, index), hinted))
    alone = known and not allows_none(ast.unparse(hint))
    if values is None:
        if alone or not hinted:
            yield "is a generator"
        return
    if not values and alone and not all(map(_is_stub, node.body)):
        yield "returns nothing"
    for value in values:
        kind = _kind(value, node, source)
        if kind == "None":
            if alone:
                yield "returns None"
        elif not hinted:
            yield "returns a value"
        elif kind == "function" and alone:
            yield "returns a function"
        elif _differs(kind, hinted, source):
            yield f"returns a {kind}"


def _differs(kind: str, hinted: set[str], source: Source) -> bool:
    """Whether a type is known to be none of some."""
    if hinted <= _TOLD:
        is_other = kind in _TOLD and not hinted & {kind, *_TAKEN_FOR.get(kind, ())}
        return is_other or (bool(kind) and kind not in _TOLD and _is_enumeration(source, kind))
    return kind in _LOOPED and hinted <= _STEPPED


def _is_stub(statement: ast.stmt) -> bool:
    is_said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_said or isinstance(statement, ast.Pass | ast.Raise)


def _kind(value: ast.expr | None, function: Function, source: Source) -> str:
    """The type of a result; empty where its form does not tell."""
    if value is None:
        return "None"
    if isinstance(value, ast.Name):
        inner = (one.name for one in source.functions if source.function_of(one) is function)
        if value.id in inner:
            return "function"
    if isinstance(value, ast.Attribute) and _is_enumeration(source, last_name(value.value)):
        return last_name(value.value)
    of_moment = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    if of_moment and called_name(value) == "date" and not getattr(value, "args", ()):
        return "date"
    return expression_type(value, function, source).partition("[")[0]


def _is_enumeration(source: Source, name: str) -> bool:
    return any(one.name == name and len(one.bases) == 1 for one in enumerations(source))


def as_converted(reading: Reading, instruction: str) -> Reading:
    """The reading, or that the result is converted where the words say only of which type it is to be:
    *return it as a dict*, *parse should return a dict*."""
    if reading.intent not in (*_OTHERS, "annotate_return", "convert_value"):
        return reading
    said = _said().search(instruction)
    if said is None or (reading.intent not in _OTHERS and not said["form"]):
        return reading
    result = (*reading.slots.get("result", ())[:1], *reading.slots.get("transform", ()))
    if any(not said.start("type") <= span.end <= said.end() for span in result):
        return reading
    slots = {slot: spans for slot, spans in reading.slots.items() if slot in ("function", "variable", "file")}
    if slots.get("variable") and slots["variable"][0].text.lower() in phrases.words("returned_words"):
        del slots["variable"]
    slots["type"] = (Span(*said.span("type"), said["type"]),)
    return replace(reading, intent="convert_value", slots=slots)


@lru_cache(maxsize=1)
def _said() -> re.Pattern[str]:
    verbs, articles = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("give_back", "articles"))
    return re.compile(
        rf"(?<!\w)(?:{verbs})(?!\w)(?:[^.;]*?\s(?P<form>{_AS}))?(?:\s+(?:{articles}))?\s+(?P<type>{_TYPES})"
        r"(?=\W*\Z|\s+(?:in|from|instead|rather|and not|not)\b|\W*,)",
        re.IGNORECASE,
    )

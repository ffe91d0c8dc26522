"""What a message says and its edit takes for something else: a text for a name, `=` for a type, `while` for
an `if`, a name of the function that its condition leaves out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.families.statements.guards import AddGuard
from spark_tui.intent.facts.expression_types import expression_type
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")
_WORD = re.compile(r"[^\W\d]\w*")


def doubts_of_words(found: RankedEdit) -> tuple[Doubt | str, ...]:
    """What the message may mean in place of what the edit does."""
    index, situation = found.situation.repo.index, found.situation
    if situation.path not in index.paths:
        return ()
    return tuple(dict.fromkeys(_reasons(found, index.source(situation.path))))


def _reasons(found: RankedEdit, source: Source) -> Iterator[Doubt | str]:
    reading, text = found.executed.candidate.reading, found.situation.instruction
    spans = {slot: given[0] for slot, given in reading.slots.items() if given}
    symbol, new = spans.get("symbol"), spans.get("new")
    if reading.intent == "rename" and symbol is not None and new is not None:
        texts = {node.value for node in find_nodes(source.tree, ast.Constant)}
        signs = {text[symbol.start - 1 : symbol.start], text[symbol.start : symbol.start + 1]}
        if signs & {"'", '"'} and symbol.text in texts:
            yield assumed(f"the name {symbol.text} was assumed to be meant, not the text")
        owner = new.text.rpartition(".")[0]
        if owner and symbol.text.rpartition(".")[0] != owner:
            yield assumed(f"{new.text} was assumed to be a name")
    variable, kind = spans.get("variable"), spans.get("type")
    if reading.intent == "annotate_variable" and variable is not None and kind is not None:
        is_value = text[variable.end : kind.start].strip() == "="
        yield from [assumed(f"{variable.text} was assumed to get a type, not a value")] if is_value else ()
    if reading.intent == "convert_value" and kind is not None:
        yield from _converted(found, source, kind.text)
    if reading.intent == "to_f_string" and len(found.executed.plan.edits) > 1:
        shown = [one or two for one, two in _QUOTED.findall(text)]
        if any(one in source.text for one in shown):
            count = len(found.executed.plan.edits) - 1
            yield Doubt(f"{count} more places fit", DoubtKind.PLACES, count)
    lines = {getattr(getattr(one, "place", None), "first", 0) for one in found.executed.calls}
    ifs = (node for node in find_nodes(source.tree, ast.If) if node.lineno in lines)
    if reading.intent == "change_condition" and re.match(r"\s*while\b", text) and any(ifs):
        yield assumed("an if was assumed to be meant, not a while")
    condition = spans.get("condition")
    for one in found.executed.calls:
        if isinstance(one, SetDefault) and one.default == "sys.argv":
            yield assumed("sys.argv begins with the name of the program")
        if isinstance(one, AddGuard) and condition is not None and one.place.path in ("", source.path):
            yield from _left_out(source, one, condition.text)
        value = getattr(one, "value", "")
        if (
            reading.intent == "set_value"
            and isinstance(value, str)
            and value[:1] in "'\""
            and variable is not None
        ):
            yield from _unfilled(source, variable.text, value)


def _converted(found: RankedEdit, source: Source, kind: str) -> Iterator[str]:
    for edit in found.executed.plan.edits if "(" not in kind else ():
        for node in find_nodes(source.tree, ast.Call) if edit.path == source.path else ():
            low, high = source.span(node)
            inside = source.function_of(node)
            is_whole = (
                edit.start <= low and high <= edit.end and f"{kind}({source.text[low:high]})" in edit.new
            )
            if is_whole and inside is not None and expression_type(node, inside, source) == kind:
                yield assumed(f"{ast.unparse(node)} is a {kind} already")


def _left_out(source: Source, guard: AddGuard, said: str) -> Iterator[str]:
    """The names of the function that a condition says and its code does not ask."""
    symbol = guard.place.symbol.rpartition("::")[2]
    for node in source.functions:
        is_around = node.lineno <= guard.place.first <= (node.end_lineno or 0)
        if not (is_around or (symbol and source.qualname(node) == symbol)):
            continue
        stores = (one for one in find_nodes(node, ast.Name) if isinstance(one.ctx, ast.Store))
        known = {*(one.id for one in stores), *(one.arg for one in parameters(node))}
        loops = (one.iter for one in find_nodes(node, ast.For) if one.lineno == guard.place.first)
        own = {one.name for one in source.functions}
        asked = {*_WORD.findall(guard.condition)}
        asked |= {
            one for each in loops if called_name(each) not in own for one in _WORD.findall(ast.unparse(each))
        }
        told = (one for one in _WORD.findall(said) if one in known)
        for word in (one for one in told if not any(one.rstrip("s") in name for name in asked)):
            yield assumed(f"{word} was assumed not to be asked: the condition is {guard.condition}")


def _unfilled(source: Source, name: str, value: str) -> Iterator[str]:
    """That a text gets no value for a field, or has no field for any value, where it is filled."""
    try:
        fields = [field for _, field, _, _ in Formatter().parse(ast.literal_eval(value)) if field is not None]
    except (ValueError, SyntaxError):
        return
    for node in find_nodes(source.tree, ast.Call):
        is_filled = called_name(node) == "format" and isinstance(node.func, ast.Attribute)
        if not is_filled or ast.unparse(getattr(node.func, "value", node)) != name:
            continue
        given = {item.arg for item in node.keywords}
        missing = [one for one in fields if one.isidentifier() and None not in given and one not in given]
        if missing or not fields:
            yield assumed(f"format gives no {missing[0]}" if missing else f"{name} is filled by format")

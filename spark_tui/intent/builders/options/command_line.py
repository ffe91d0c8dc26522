"""Calls that give the command line a further option or argument (argparse)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from spark_tui.intent.builders.options.named_choices import named_choices, told_version
from spark_tui.intent.builders.options.option_forms import with_other_forms
from spark_tui.intent.building.building import Built, builder, call, filled, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import find_implied_areas
from spark_tui.intent.context.lookup import key, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.names.options_named import called
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import not_said
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_PLAIN = {"int", "float"}
_SEVERAL = ("list", "tuple", "set")
_NAMED = 3.0
"""How well a parser fits whose command is named."""


@dataclass(frozen=True, eq=False)
class _Parser:
    """A parser with the statement after which its next option goes."""

    area: Area
    source: Source
    name: str
    options: list[ast.Call]
    made: ast.stmt
    command: str = ""


@builder("add_option")
def add_option(context: Context) -> Iterator[Built]:
    if short := list(with_other_forms(context)):
        yield from short
        return
    names = _names(context)
    if context.text("name").startswith("/"):
        raise Unresolved(f"{context.text('name')} is no option of a command line")
    parsers = _parsers_in(context, _areas(context)) or _parsers_in(context, _elsewhere(context))
    if not parsers:
        raise Unresolved("there is no argparse parser")
    scores = [_fits(context, item) for item in parsers]
    best = [parser for parser, score in zip(parsers, scores, strict=True) if score == max(scores)]
    # Where a command is named, the others may have such an option.
    having = [one for one in (best if max(scores) == _NAMED else parsers) if _has(one, names[0])]
    lacking = [parser for parser in best if parser not in having]
    if having and (max(scores) < _NAMED or not lacking):
        raise Unresolved(f"there is already an option {names[0]}", nothing=True)
    doubts = tuple(f"{one.name} has {names[0]} already" for one in having)
    doubts = (f"{len(lacking)} parsers fit", *doubts) if len(lacking) > 1 else doubts
    for parser in lacking:
        before = _behind(context, parser)
        for fields, weight, more in _fields(context, parser, names):
            code = f"{parser.name}.add_argument({', '.join(fields)})"
            spot = place(context, Anchor(parser.area, before))
            made = call("insert_statements", place=spot, code=code, side="after")
            yield Built((made,), 0.95 * weight * parser.area.weight / len(lacking), (*doubts, *more))


def _areas(context: Context) -> list[Area]:
    """The files that are meant; what is named as a function may be a command, or use the option."""
    try:
        every = context.areas
    except Unresolved:
        every = find_implied_areas(context.situation)
    return [replace(area, node=None) for area in every if area.path in context.repo.index.paths]


def _elsewhere(context: Context) -> list[Area]:
    """The other files with a parser, where no file is named: *the command line* is that of the repository."""
    try:
        named = any(area.said for area in context.areas)
    except Unresolved:
        named = False
    if named:
        return []
    index = context.repo.index
    return [Area(path, said=False) for path in index.paths if "ArgumentParser(" in (index.text(path) or "")]


def _parsers_in(context: Context, areas: Iterable[Area]) -> list[_Parser]:
    return [item for area in areas for item in _parsers(area, context.source(area.path))]


def _names(context: Context) -> list[str]:
    """The names of the option as they are written: `-w`, `--who`; without dashes it is a positional."""
    out = []
    text = context.situation.instruction
    for span in context.reading.slots.get("name", ()):
        for spelled in re.split(r"\s*[,/|]\s*|\s+or\s+", unquoted(span.text.strip())):
            before = (
                re.search(r"-+\Z", text[: span.start])
                if span.start >= 0 and not spelled.startswith("-")
                else None
            )
            bare = (
                "-".join(split_name(spelled.lstrip("-")))
                if not spelled.startswith("-")
                else spelled.lstrip("-")
            )
            dashes = spelled[: len(spelled) - len(spelled.lstrip("-"))] or (before[0] if before else "")
            if not dashes and not says("options", "positional", text):
                dashes = "--" if len(bare) > 1 else "-"
            if bare:
                out.append(dashes + (bare if dashes else bare.replace("-", "_")))
    if not out:
        raise Unresolved("the instruction does not name the option")
    return sorted(out, key=lambda item: item.startswith("--"))


def _parsers(area: Area, source: Source) -> Iterator[_Parser]:
    """The parsers that are set to a name, with their options."""
    root = source.tree or ast.Module([], [])
    calls = [node for node in find_nodes(root, ast.Call) if isinstance(node.func, ast.Attribute)]
    for inner in walk(root):
        made = (
            inner.value
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name | ast.Attribute)
            else None
        )
        name = called_name(made)
        if name not in ("ArgumentParser", "add_parser", "add_argument_group") or not isinstance(
            inner, ast.Assign
        ):
            continue
        goal = ast.unparse(inner.targets[0])
        own = [
            call_node
            for call_node in calls
            if ast.unparse(call_node.func) == f"{goal}.add_argument"
            and call_node.lineno > inner.lineno
            and source.function_of(call_node) is source.function_of(inner)
        ]
        again = [
            node.lineno
            for node in find_nodes(root, ast.Assign)
            if ast.unparse(node.targets[0]) == goal and node.lineno > inner.lineno
        ]
        own = sorted(
            (call_node for call_node in own if call_node.lineno < min(again, default=call_node.lineno + 1)),
            key=lambda node: node.lineno,
        )
        first = made.args[0] if isinstance(made, ast.Call) and made.args else None
        command = str(first.value) if isinstance(first, ast.Constant) and name == "add_parser" else ""
        yield _Parser(area, source, goal, own, inner, command)


def _has(parser: _Parser, name: str) -> bool:
    return any(key(name.lstrip("-")) in called(option) for option in parser.options)


def _fits(context: Context, parser: _Parser) -> float:
    """How well a parser fits: best where its name or command is said, else the main one. What comes first is
    what to do: *add*."""
    words = set(re.findall(r"\w+", context.situation.instruction.lower())[1:])
    names = parser.name.lower().removeprefix("self."), parser.command.lower()
    called = {name for name in names if len(name) > 1} - {"parser", "ap"}
    if parser.command:
        return _NAMED if called & words else 1.0
    return 2.0


def _behind(context: Context, parser: _Parser) -> ast.stmt:
    """The statement after which the option goes: the option that is named, else the last."""
    other_words = [item.lstrip("-") for item in re.findall(r"(?<!\w)--?[\w-]+", context.beside_slots())]
    named = [option for option in parser.options for item in other_words if key(item) in called(option)]
    rows = named or parser.options
    return (parser.source.statement(rows[-1]) if rows else None) or parser.made


def _fields(
    context: Context, parser: _Parser, names: list[str]
) -> Iterator[tuple[list[str], float, tuple[str, ...]]]:
    """The arguments of the call, how likely they are meant, and what was not said."""
    spot = Anchor(parser.area, parser.made)
    shown = [literal(name, parser.source) for name in names]
    type_text = context.text("type")
    commands = {one.command for one in _parsers(parser.area, parser.source)}
    type_text = "" if type_text in commands else type_text
    kind = phrases.type_code(type_text) if type_text else None
    flag = (type_text and says("options", "flag", type_text)) or kind == "bool"
    flag = flag or (
        not type_text and not context.has("default") and says("options", "flag", context.beside_slots())
    )
    flag = flag or (not type_text and any(phrases.is_said("switches", name.lstrip("-")) for name in names))
    if version := told_version(context, parser.source, names):
        yield [*shown, *version], 1.0, ()
        return
    if choices := named_choices(context, parser.source):
        yield [*shown, f"choices={choices}"], 1.0, ()
        return
    helped = filled(context, "{text:text}", spot)
    end = [f"help={literal(helped[0].text, parser.source)}"] if helped and helped[0].text else []
    every = [option for option in parser.options if any(keyword.arg == "help" for keyword in option.keywords)]
    unsaid = (
        (not_said("its help text was not given"),)
        if every and len(every) == len(parser.options) and not end
        else ()
    )
    if flag:
        yield [*shown, f"action={literal('store_true', parser.source)}", *end], 1.0, unsaid
        return
    several = (
        [f"nargs={literal('*', parser.source)}"]
        if kind in _SEVERAL or says("options", "several", context.beside_slots())
        else []
    )
    for default in filled(context, "{default:value}", spot) or [Option("")]:
        plain = kind and kind != "str" and "[" not in kind and kind not in _SEVERAL
        typed = [f"type={kind}"] if plain else []
        value = _constant(default.text)
        if not typed and not kind and type(value).__name__ in _PLAIN:
            typed = [f"type={type(value).__name__}"]
        given = [f"default={default.text}"] if default.text and default.text != "None" else []
        positional = not names[0].startswith("-")
        optional = [f"nargs={literal('?', parser.source)}"] if positional and given else []
        bare = not (typed or given or kind or type_text or several or positional)
        doubts = (not_said("what the option takes was not given"),) if bare else ()
        if bare:
            yield [*shown, f"action={literal('store_true', parser.source)}", *end], 0.45, (*doubts, *unsaid)
        yield (
            [*shown, *several, *optional, *typed, *given, *end],
            default.weight,
            (*default.doubts, *doubts, *unsaid),
        )


def _constant(text: str) -> object:
    try:
        return ast.literal_eval(text) if text else None
    except (ValueError, SyntaxError):
        return None

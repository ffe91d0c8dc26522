"""Calls that change an option of a command line that is there, or take it away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from spark_tui.intent.builders.options.lost_parts import lost_parts
from spark_tui.intent.builders.options.named_choices import named_choices, said_choices
from spark_tui.intent.builders.options.option_forms import with_other_forms
from spark_tui.intent.building.building import Built, builder, call, filled, place
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.areas import find_implied_areas
from spark_tui.intent.context.lookup import key, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.names.options_named import OPTION_CALLS, called
from spark_tui.intent.values.converters.of_slots import literal, read_typed
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_NUMBERS = ("int", "float")
_OPTION = re.compile(r"--[A-Za-z][\w-]*")
_ORDER = ("action", "nargs", "type", "default", "choices", "required", "help")
_MAKES = (*OPTION_CALLS, "add_parser")


def options_named(context: Context) -> Iterator[tuple[Area, Source, ast.Call]]:
    """The calls that make the option that is named."""
    name_text = [
        key(part.lstrip("-"))
        for part in re.split(r"[\s,/|]+", unquoted(context.text("name")))
        if part.strip("-")
    ]
    whole = key("".join(split_name(context.text("name"))))
    if not name_text:
        raise Unresolved("the instruction does not say which option is meant")
    try:
        every = context.areas
    except Unresolved:
        every = find_implied_areas(context.situation)
    found = []
    for area in {item.path: item for item in every if item.path in context.repo.index.paths}.values():
        source = context.source(area.path)
        for node in find_nodes(source.tree, ast.Call):
            if called_name(node) in _MAKES:
                names = called(node)
                if whole in names or any(item in names for item in name_text):
                    found.append((area, source, node))
    if not found:
        raise Unresolved(f"there is no option {context.text('name')}")
    # A parser that is called like what is asked for has to be named as a place: *add choices*, *of add*.
    said = context.situation.instruction.lower()
    words = set(re.findall(r"\w+", re.sub(r"\A\W*(?:please\s+)?\w+\s+(?:a|an|the)?\s*", "", said)))
    near = [item for item in found if ast.unparse(item[2].func).partition(".")[0].lower() in words]
    yield from near or found


@builder("set_option")
def set_option(context: Context) -> Iterator[Built]:
    if made := list(with_other_forms(context)):
        yield from made
        return
    found = list(options_named(context))
    reason = "the instruction does not say what to change"
    done, idle = False, ""
    for area, source, node in found:
        anchor = Anchor(area, node)
        spot = place(context, anchor)
        old = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        doubts = (*area.doubts, *((f"{len(found)} options are called that",) if len(found) > 1 else ()))
        lost = lost_parts(context, node)
        idle = idle or next((f"{context.text('name')} has no {one}" for one in lost if one not in old), "")
        if "required" not in old and says("options", "optional", context.beside_slots()):
            idle = idle or f"{context.text('name')} is not required"
        changes = {
            name: value
            for name, value in (
                *dict.fromkeys(lost, "").items(),
                *_changes(context, source, anchor, old, lost),
            )
            if (not value and name in old) or (value and not (name in old and _same(old[name], value)))
        }
        if _is_positional(node):
            if changes.pop("required", "") and not changes:
                raise Unresolved("an argument without dashes is already required", nothing=True)
            may_be_left_out = changes.get("default") or says("options", "optional", context.beside_slots())
            if may_be_left_out and "nargs" not in old:
                changes["nargs"] = literal("?", source)
        if not changes:
            continue
        done = True
        if "default" in lost and "required" not in (old | changes):
            doubts += ("it is None where the option is not given",)
        new = _rewritten(source, node, changes)
        edit = call("replace_expression", place=spot, old=source.segment(node), new=new)
        yield Built((edit,), 0.95 * area.weight / len(found), (*doubts, *_misfits(new)))
    if not done:
        told = any(context.has(item) for item in ("default", "type", "text"))
        raise Unresolved(idle or ("the option is already like that" if told else reason), bool(idle) or told)


def _misfits(code: str) -> Iterator[str]:
    """What of an option does not fit the rest of it: a default that is no choice or of another type."""
    tree = parsed(code)
    made = {keyword.arg: keyword.value for keyword in tree.keywords} if isinstance(tree, ast.Call) else {}
    kind = ast.unparse(made["type"]) if "type" in made else "str"
    choices, default = made.get("choices"), made.get("default")
    items = choices.elts if isinstance(choices, ast.List | ast.Tuple | ast.Set) else []
    for item in (*items, *([default] if default is not None else [])):
        value = item.value if isinstance(item, ast.Constant) else None
        if value is not None and kind in (*_NUMBERS, "str"):
            fits = isinstance(value, str) if kind == "str" else isinstance(value, int | float)
            if not fits and "action" not in made and not _takes_type_of_default(tree):
                yield f"{ast.unparse(item)} is not of type {kind}"
                return
    given = ast.unparse(default) if isinstance(default, ast.Constant) and default.value is not None else ""
    if len(items) == 1:
        yield f"{ast.unparse(items[0])} is the only choice"
    if items and given and not any(_same(one, given) for one in items):
        yield f"{given} is none of the choices"
    action = made.get("action")
    stores = isinstance(action, ast.Constant) and str(action.value).startswith("store_")
    if stores and ("required" in made or "type" in made or not _is_flag(default)):
        yield "it is an option without a value"


def _takes_type_of_default(node: ast.AST | None) -> bool:
    """Whether the values of an option are of the type of its default, as those of `click.option` are."""
    return isinstance(node, ast.Call) and called_name(node) == "option"


def _is_flag(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and (node.value is None or node.value in (0, 1)))


def _is_positional(node: ast.Call) -> bool:
    """Whether the argument has no dashes: it is required, and has a default only where it may be left out."""
    first = node.args[0] if node.args else None
    name = first.value if isinstance(first, ast.Constant) else None
    made = called_name(node)
    return made == "add_argument" and isinstance(name, str) and not name.startswith("-")


def _rewritten(source: Source, node: ast.Call, changes: Mapping[str, str]) -> str:
    """The call with other keywords, each where it usually stands."""
    low, text = source.span(node)[0], source.segment(node)
    items = sorted([*node.args, *node.keywords], key=source.span)
    spans = [(source.span(item)[0] - low, source.span(item)[1] - low) for item in items]
    names = [item.arg or "" if isinstance(item, ast.keyword) else "" for item in items]
    gone = {at for at, name in enumerate(names) if changes.get(name) == ""}
    last = max(at for at in range(len(items)) if at not in gone)
    edits = [(spans[at][0], spans[at + 1][0], "") for at in gone if at < last]
    edits += [(spans[last][1], spans[-1][1], "")] if last < len(items) - 1 else []
    for name, value in changes.items():
        if name in names and value:
            one = items[names.index(name)]
            assert isinstance(one, ast.keyword)
            edits.append((source.span(one.value)[0] - low, source.span(one.value)[1] - low, value))
        elif value:
            later = _ORDER[_ORDER.index(name) + 1 :] if name in _ORDER else ()
            at = next((at for at, one in enumerate(names) if one in later and at not in gone), 0)
            gap = text[spans[-2][1] : spans[-1][0]] if len(spans) > 1 else ", "
            gap = ", " if "#" in gap else gap
            new = f"{name}={value}{gap}" if at else f"{gap}{name}={value}"
            place = spans[at][0] if at else spans[last][1]
            edits.append((place, place, new))
    for start, end, new in sorted(edits, key=lambda item: item[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _same(old: ast.expr, value: str) -> bool:
    tree = parsed(value)
    return tree is not None and ast.dump(tree) == ast.dump(old)


def _changes(
    context: Context, source: Source, anchor: Anchor, old: dict[str, ast.expr], lost: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The keywords that change with their new values; without a value a keyword goes."""
    beside = context.beside_slots()
    type_text = context.text("type")
    kind = phrases.type_code(type_text) if type_text else None
    span = context.span("default")
    span = span if span is not None and not _OPTION.fullmatch(span.text) else None
    named, items = named_choices(context, source), said_choices(context)
    if span is not None and span.text in re.findall(r"\w+", named):
        span, items = None, []
    if items:
        typed_as = ast.unparse(old["type"]) if "type" in old else ""
        shown = [item if typed_as in _NUMBERS else literal(unquoted(item), source) for item in items]
        yield "choices", f"[{', '.join(shown)}]"
    elif span is not None:
        hint = kind or (ast.unparse(old["type"]) if "type" in old else "str")
        for option in read_typed(context, span, anchor, old.get("default"), hint, context.text("name"))[:1]:
            value = parsed(option.text)
            number = type(value.value).__name__ if isinstance(value, ast.Constant) else ""
            yield "default", option.text
            typed = "type" in old or "action" in old or _takes_type_of_default(anchor.node)
            if number in _NUMBERS and not typed and kind is None:
                yield "type", number
            if "required" in old:
                yield "required", ""
    if type_text and (says("options", "flag", type_text) or kind == "bool"):
        yield from (
            ("type", ""),
            ("default", ""),
            ("required", ""),
            ("action", literal("store_true", source)),
        )
    elif kind:
        yield "type", "" if kind == "str" else kind
        if "action" in old:
            yield "action", ""
    if named:
        yield "choices", named
    helped = filled(context, "{text:text}", anchor)
    text = helped[0].text if helped else ""
    if text and not (named or items or _OPTION.fullmatch(text)):
        yield "help", literal(text, source)
    if says("options", "optional", beside):
        yield "required", ""
    elif says("options", "required", beside) and [*lost] != ["required"]:
        yield "required", "True"
        yield "default", ""


@builder("remove_option")
def remove_option(context: Context) -> Iterator[Built]:
    if set(re.findall(r"(?<!\w)--[a-z][\w-]*", context.beside_slots())):
        raise Unresolved("another option is named beside the one that is to go")
    found = list(options_named(context))
    for area, source, node in found:
        if lost := lost_parts(context, node):
            raise Unresolved(f"only the {lost[0]} of the option is named")
        statement = source.statement(node)
        if not isinstance(statement, ast.Expr | ast.Assign) or _is_decorator(source, node):
            raise Unresolved("the function takes the option as a parameter: that would have to go too")
        uses = uses_of(source, node)
        doubts = [f"{area.path}:{use.lineno} {ast.unparse(use)} still uses it" for use in uses]
        if len(found) > 1:
            doubts.append(f"{len(found)} options are called that")
        if not uses and re.search(r"\bvars\(|\.__dict__\b", source.text):
            doubts.append("all options are used as one dictionary there")
        edit = call("delete_statements", place=place(context, Anchor(area, statement)))
        yield Built((edit,), 0.95 * area.weight / len(found), (*area.doubts, *doubts))


def _is_decorator(source: Source, node: ast.Call) -> bool:
    outer = source.parents.get(node)
    return node in getattr(outer, "decorator_list", ())


def uses_of(source: Source, node: ast.Call) -> list[ast.Attribute]:
    """Where the value of an option is read, if no other option has the same."""
    given = destination(node)
    others = [
        inner
        for inner in find_nodes(source.tree or node, ast.Call)
        if inner is not node and called_name(inner) in OPTION_CALLS
    ]
    if any(destination(other) == given for other in others):
        return []
    return [
        inner
        for inner in find_nodes(source.tree or node, ast.Attribute)
        if inner.attr == given
        and isinstance(inner.value, ast.Name)
        and re.match(r"(?:arg|opt|ns|namespace|param|parsed|cli)", inner.value.id)
    ]


def destination(node: ast.Call) -> str:
    """The attribute in which the value of an option is kept."""
    dest = next((keyword.value for keyword in node.keywords if keyword.arg == "dest"), None)
    if isinstance(dest, ast.Constant):
        return str(dest.value)
    names = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
    long = [name for name in names if name.startswith("--")] or names
    return long[0].lstrip("-").replace("-", "_") if long else ""

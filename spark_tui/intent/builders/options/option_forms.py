"""An option of a command line gets a short form beside its long one, another one, or loses one of both."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.names.option_words import form_said, is_short, options_shown, removed_forms
from spark_tui.intent.names.options_named import OPTION_CALLS, called
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import drafted
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_Option = tuple[Area, Source, ast.Call]
_NAMED_BY_FORM = ("option", "argument")
"""The calls that give a parameter the value: it has the name of the long form, or the one without dashes."""


def with_other_forms(context: Context) -> Iterator[Built]:
    """The calls of an order about a short or long form, or one that only shows the forms of one option."""
    text = context.situation.instruction
    shown, kind = options_shown(text), form_said(text)
    if not kind and len(set(shown)) != 2:
        return
    try:
        every = list(_options(context))
    except Unresolved:
        return  # what is named as a function is a command
    gone = removed_forms(text, kind)
    for area, source, node in _meant(context, every, shown, kind):
        beside = [item[2] for item in every if _parser_of(item) is _parser_of((area, source, node))]
        taken = {name: other for other in beside for name in _forms(other)}
        own, new = _forms(node), [one for one in shown if one not in taken]
        if gone is not None:
            of_kind = [one for one in own if kind and is_short(one) == (kind == "short")]
            lost = [one for one in gone if one in own] or of_kind
            yield from _without(context, area, source, node, lost, kind)
        elif len(new) == 1 and is_short(new[0]):
            replaced = [
                one for one in own if is_short(one) and (one in shown or (kind and not _is_added(text)))
            ]
            forms = [new[0] if one in replaced[:1] else one for one in own] if replaced else [new[0], *own]
            yield _with_forms(context, area, source, node, forms)
        elif kind == "short" and not new and _is_added(text):
            yield _with_free_form(context, area, source, node, shown, taken)


def _is_added(text: str) -> bool:
    low = text.lower()
    words = (*phrases.table()["config_lists"]["adding"], *phrases.table()["option_forms"]["giving"])
    return phrases.any_stands_in(words, low)


def _options(context: Context) -> Iterator[_Option]:
    for area, source, root in context.trees():
        for node in find_nodes(root, ast.Call):
            if called_name(node) in OPTION_CALLS and _forms(node):
                yield area, source, node


def _parser_of(option: _Option) -> object:
    """What the option is made for: no two options of one have the same form."""
    area, source, node = option
    outer = source.parents.get(node)
    if node in getattr(outer, "decorator_list", ()):
        return outer
    parser = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return sys.intern(f"{area.path}:{ast.unparse(parser)}")


def _forms(node: ast.Call) -> list[str]:
    """The names of an option with their dashes."""
    texts = (arg.value for arg in node.args if isinstance(arg, ast.Constant))
    return [text for text in texts if isinstance(text, str) and text.startswith("-")]


def _meant(context: Context, every: Sequence[_Option], shown: Sequence[str], kind: str) -> list[_Option]:
    """The option that is shown, by its other form if that is said too, or named in words."""
    other = [one for one in shown if is_short(one) != (kind == "short")]
    for names in (other, shown) if kind else (shown,):
        if found := [item for item in every if set(names) & set(_forms(item[2]))]:
            return found if len(found) == 1 else []
    name = key(context.text("name").strip("`'\"").lstrip("-"))
    found = [item for item in every if name and name in called(item[2])]
    return found if kind and len(found) == 1 else []


def _without(
    context: Context, area: Area, source: Source, node: ast.Call, lost: Sequence[str], kind: str
) -> Iterator[Built]:
    own = _forms(node)
    if kind and not lost:
        raise Unresolved(f"{own[0]} has no {kind} form", nothing=True)
    if not set(own) - set(lost):
        raise Unresolved(f"{own[0]} has no other form")
    if lost:
        yield _with_forms(context, area, source, node, [one for one in own if one not in lost])


def _with_free_form(
    context: Context,
    area: Area,
    source: Source,
    node: ast.Call,
    shown: Sequence[str],
    taken: Mapping[str, ast.Call],
) -> Built:
    """The option with a short form that no other has: what is shown, or the first letter of its name."""
    own = _forms(node)
    letters = [one for one in shown if is_short(one)] or [f"-{own[0].lstrip('-')[0]}"]
    if there := next(
        (one for one in own if is_short(one) and (one in letters or letters[0] not in shown)), ""
    ):
        raise Unresolved(f"{own[-1]} has the short form {there}", nothing=True)
    if letters[0] in taken:
        owner = _forms(taken[letters[0]])
        raise Unresolved(f"{letters[0]} is a form of {max(owner, key=len)} already")
    doubts = () if letters[0] in shown else (drafted(f"the short form {letters[0]} was made from the name"),)
    return _with_forms(context, area, source, node, [letters[0], *own], doubts)


def _with_forms(
    context: Context,
    area: Area,
    source: Source,
    node: ast.Call,
    forms: Sequence[str],
    doubts: tuple[str, ...] = (),
) -> Built:
    """The call with these forms in place of its own; its value is kept under the name that it has."""
    own, text = _forms(node), source.segment(node)
    args = [arg for arg in node.args if isinstance(arg, ast.Constant) and arg.value in own]
    low = source.span(node)[0]
    start, end = source.span(args[0])[0] - low, source.span(args[-1])[1] - low
    gap = text[source.span(args[0])[1] - low : source.span(args[1])[0] - low] if len(args) > 1 else ", "
    gap = ", " if "#" in gap else gap
    said = {str(arg.value): source.segment(arg) for arg in args}
    shown = [said.get(one) or literal(one, source) for one in forms]
    shown += _kept_name(source, node, forms)
    made = replace_code(context, Anchor(area, node), text[:start] + gap.join(shown) + text[end:])
    used = (_doubts_of(context, area, form) for form in own if form not in forms)
    return build_at(area, made, doubts=(*doubts, *(doubt for found in used for doubt in found)))


def _doubts_of(context: Context, area: Area, form: str) -> Iterator[str]:
    """Where a form that goes is given to the command: in the files that name its module."""
    module = area.path.rpartition("/")[2].removesuffix(".py")
    for path in sorted({area.path, *context.repo.index.files_with(module)}):
        lines = (context.repo.index.text(path) or "").splitlines()
        uses = [at for at, line in enumerate(lines, 1) if f'"{form}"' in line or f"'{form}'" in line]
        uses = uses[1:] if path == area.path else uses
        yield from (f"{path}:{at} has {form}" for at in uses[:1])


def _kept_name(source: Source, node: ast.Call, forms: Sequence[str]) -> list[str]:
    """What keeps the name of the value where the form goes that gave it."""
    before, after = (_name_of(items) for items in (_forms(node), forms))
    others = [arg for arg in node.args if not (isinstance(arg, ast.Constant) and arg.value in _forms(node))]
    named = any(keyword.arg == "dest" for keyword in node.keywords)
    if before == after or named or called_name(node) == "Option":
        return []
    if called_name(node) in _NAMED_BY_FORM:
        return [] if others else [literal(before, source)]
    return [f"dest={literal(before, source)}"]


def _name_of(forms: Sequence[str]) -> str:
    long = [one for one in forms if one.startswith("--")] or list(forms)
    return long[0].lstrip("-").replace("-", "_")

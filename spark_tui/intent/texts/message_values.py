"""The values that the words of an instruction want in a message: by their names, or by what it is about."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import key, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.texts.message_subjects import Subject, Surroundings, both_sides
from spark_tui.intent.texts.shown_in_texts import ShownValue
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.phrases import singular
from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in

JOINERS = re.compile(
    r"\s*(?:[,，、/]|(?<!\w)(?:and|und|et|y|plus|sowie)(?!\w)|和|以及)\s*(?:(?:also|auch|aussi|también)\s+)?",
    re.I,
)
_SHOWN_WELL = (str, bytes, int, float, Decimal, datetime, timedelta, Path, list, dict, set)
"""Types whose objects are shown with what they hold."""
_CLASS = re.compile(r"[A-Z]\w*[a-z]\w*")
_ASKED = re.compile(r"[\w'’]+", re.UNICODE)
_MOST = 3
_LEAST = 0.6
"""How much of the words and of a name have to be the same."""


@dataclass(frozen=True)
class WantedValues:
    """Values that are meant together, how likely that is, and what was guessed."""

    values: tuple[ShownValue, ...]
    weight: float
    doubts: tuple[str, ...] = ()
    guessed: bool = False
    """Whether no name in the words tells it."""


def find_wanted_values(context: Context, anchor: Anchor, node: ast.expr) -> list[WantedValues]:
    """The values that a message is to show, the likeliest first."""
    source = context.source(anchor.path)
    around = Surroundings(source, node)
    subjects = around.subjects()
    told = ", ".join(item.text for item in context.reading.slots.get("value", ()))
    other_words = told or context.beside_slots()
    pieces = (
        [part for part in JOINERS.split(other_words.strip("` ")) if part.strip()] if told else [other_words]
    )
    whole: list[ShownValue] = []
    weight = 1.0
    doubts: tuple[str, ...] = ()
    for piece in pieces:
        found = _value(context, anchor, source, piece, around, subjects, bool(told))
        if found is None or any(_CLASS.fullmatch(value.code) for value in found.values):
            doubts = (*doubts, f"{piece.strip()} was not found there")
            continue
        whole += [value for value in found.values if value not in whole]
        weight, doubts = weight * found.weight, (*doubts, *found.doubts)
    if whole:
        styled = (replace(value, code=_styled(source, value.code)) for value in whole)
        return [WantedValues(tuple(styled), weight, doubts)]
    asked = bool(split_name_words(told)) or says("said_values", "count", told)
    return _about(source, subjects, bool(told) and asked)


def _about(source: Source, subjects: list[Subject], named: bool) -> list[WantedValues]:
    """What the message is about, where no name is said or known."""
    subjects = [item for item in subjects if not _is_object(source, item.node)]
    best = subjects[0].weight if subjects else 0.0
    near = [subject for subject in subjects if subject.weight > 0.7 * best][:_MOST]
    out = []
    for item in near:
        doubts = (
            ()
            if best >= 0.75 and len(near) == 1 and not named
            else (Doubt(f"{item.code} was assumed to be meant", DoubtKind.MEANT),)
        )
        out.append(
            WantedValues(
                (ShownValue(_styled(source, item.code)),), (0.6 if named else 0.9) / len(near), doubts, True
            )
        )
    return out


def _is_object(source: Source, node: ast.expr) -> bool:
    """Whether methods are called on a name, so that it would be shown as an object at an address."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    shown = ast.unparse(node)
    functions = [one for one in source.functions if any(shown == each.arg for each in parameters(one))]
    inside = functions if isinstance(node, ast.Name) else [source.tree]
    calls = (one.func for root in inside for one in find_nodes(root, ast.Call))
    called = (one for one in calls if isinstance(one, ast.Attribute) and ast.unparse(one.value) == shown)
    return any(not any(hasattr(kind, one.attr) for kind in _SHOWN_WELL) for one in called)


def _styled(source: Source, code: str) -> str:
    """Code in the quotes of the file."""
    quote = quote_of(source)
    return code.replace("'", quote) if quote not in code and "\\" not in code else code


def _value(
    context: Context,
    anchor: Anchor,
    source: Source,
    piece: str,
    around: Surroundings,
    subjects: list[Subject],
    told: bool,
) -> WantedValues | None:
    """The value that a piece of the instruction names."""
    plain = piece.strip().strip("`").strip(" ,.;:!?")
    tree = parsed(plain) if told else None
    if tree is not None and not isinstance(tree, ast.Constant) and _is_usable(tree, around, context, anchor):
        return WantedValues((ShownValue(plain),), 1.0)
    words = split_name_words(plain)
    counted = _expression(context, anchor, around, plain) if told else ""
    if "(" in counted:
        return WantedValues((ShownValue(counted),), 0.8, (assumed(f"{counted} was assumed to be {plain}"),))
    limits = both_sides(source, anchor.node) if told and anchor.node is not None else []
    if len(limits) == 2 and says("said_values", "bounds", plain):
        shown = tuple(ShownValue(source.segment(limit)) for limit in limits)
        return WantedValues(
            shown, 0.8, tuple(assumed(f"{item.code} was assumed to be {plain}") for item in shown)
        )
    if found := find_named_expression(words, subjects, around, phrases.without_articles(plain).lower()):
        code, score = found
        if code not in plain and _is_object(source, ast.parse(code, mode="eval").body):
            return None
        if (one := _one_of_them(source, anchor.node, code)) and code not in plain:
            doubt = assumed(f"{one} was assumed to be {plain}")
            return WantedValues((ShownValue(one),), 0.8, (doubt,))
        doubts = (
            ()
            if score >= 1.5
            else (assumed(f"{code} was assumed to be {plain if told else 'what is meant'}"),)
        )
        return WantedValues((ShownValue(code),), min(1.0, 0.5 + score / 4), doubts)
    if counted:
        exact = counted == phrases.without_articles(plain)
        return WantedValues(
            (ShownValue(counted),), 0.8, () if exact else (assumed(f"{counted} was assumed to be {plain}"),)
        )
    sizes = [f"len({subject.code})" for subject in subjects if around.is_counted(subject.code)]
    if told and sizes and says("said_values", "count", plain):
        return WantedValues((ShownValue(sizes[0]),), 0.9)
    return None


def _one_of_them(source: Source, node: ast.AST | None, code: str) -> str:
    """What a loop around a message calls one of the things that it goes through, `sensor` of `sensors`; or
    what is looked for among them: `sku not in products`."""
    for outer in source.ancestors(node) if node is not None else ():
        if isinstance(outer, ast.For) and isinstance(outer.target, ast.Name):
            if source.segment(outer.iter) == code:
                return source.segment(outer.target)
        elif isinstance(outer, ast.If) and isinstance(outer.test, ast.Compare):
            inside = isinstance(outer.test.ops[0], ast.In | ast.NotIn)
            if inside and source.segment(outer.test.comparators[0]) == code:
                return source.segment(outer.test.left)
    return ""


def _expression(context: Context, anchor: Anchor, around: Surroundings, text: str) -> str:
    """The code that words mean there, such as `len(rows)` for the number of rows; or nothing."""
    visible = context.visible(anchor.path, anchor.node)
    for item in (text, _question().sub("", phrases.without_articles(text))):
        made = visible.expression(item) if len(item) > 2 else None
        shown = parsed(made) if made is not None else None
        if made and shown is not None and not isinstance(shown, ast.Constant):
            counted = re.fullmatch(r"len\((\w+)\)", made)
            made = counted[1] if counted and around.is_number(counted[1]) else made
            return made if _is_usable(shown, around, context, anchor) else ""
    return ""


def _is_usable(tree: ast.expr, around: Surroundings, context: Context, anchor: Anchor) -> bool:
    """Whether the names of an expression have values at the message."""
    visible = context.visible(anchor.path, anchor.node)
    names = names_in(tree)
    inner = {
        node.id for node in around.inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    own = {name for name in names if name in around.bound or (name not in inner and visible.knows(name))}
    # A bare name of the module is one of a value where it is spelled like one.
    called = isinstance(tree, ast.Name) and tree.id not in around.bound and not tree.id.isupper()
    return bool(names) and own == names and not called and not isinstance(tree, ast.Tuple)


def is_question(text: str) -> bool:
    """Whether words ask for a value: *which one*, *how many there were*."""
    return bool(_question().match(f"{text.strip()} ")) and not text.rstrip().endswith("?")


def _question() -> re.Pattern[str]:
    pattern = "|".join(map(re.escape, sorted(phrases.words("questions"), key=len, reverse=True)))
    return re.compile(rf"\A(?:{pattern})\s+", re.IGNORECASE)


def split_name_words(text: str) -> list[str]:
    """The words of a text that may be those of a name."""
    plain = (
        set(phrases.table()["said_values"]["plain"])
        | set(phrases.words("questions"))
        | set(phrases.words("articles"))
    )
    out = []
    for item in _ASKED.findall(text):
        bare = re.sub(r"['’]s\Z", "", item)
        if bare.lower() not in plain:
            out += [singular(word).lower() for word in split_name(bare)]
    return out


def find_named_expression(
    words: list[str], subjects: list[Subject], around: Surroundings, whole: str = ""
) -> tuple[str, float] | None:
    """The expression whose name matches most of the words, at least in its last part. `whole` is the phrase
    as one string, which a name may abbreviate: `lineno`."""
    nouns = [word for word in words if not phrases.is_said("value_nouns", word)]
    exact = any(_parts(inner)[0] == words for inner in around.expressions())
    if not exact and (own_name := around.own_name(words)) is not None:
        return own_name
    likely, empty = {subject.code: subject.weight for subject in subjects}, around.missing()
    for listed, same in ((words, same_word), (nouns, same_word), (words, is_form_of)):
        best: tuple[str, float] | None = None
        for node in around.expressions():
            last, rest = _parts(node)
            own = [item for item in listed if any(same(item, text.lower()) for text in last)]
            if not own and len(last) == 1 and last[0] not in whole.split() and _shortens(last[0], key(whole)):
                own = list(listed)
            parts = {text.lower() for text in last}
            shortened = same is same_word and not any(key(item) in map(key, parts) for item in own)
            if not own or (shortened and len(own) < len(parts)):
                continue  # `dry_run` is no directory
            both = {
                item
                for item in listed
                if item in own or any(same(item, text.lower()) for text in (*last, *rest))
            }
            code = ast.unparse(node)
            score = len(own) / len(set(last)) + len(both) / len(set(listed)) + 0.6 * likely.get(code, 0.0)
            score -= 1.0 * (code in empty) + 0.5 * (same is not same_word)
            score += 0.1 * isinstance(node, ast.Name) + 0.2 * (listed[-1] in own)
            if best is None or score > best[1]:
                best = code, score
        if best is not None and best[1] >= _LEAST:
            return best
    return None


def _parts(node: ast.expr) -> tuple[list[str], list[str]]:
    """The words of the last part of an expression, and those of what is in front of it."""
    if isinstance(node, ast.Attribute):
        return split_name(node.attr), [] if ast.unparse(node.value) == "self" else _all_words(node.value)
    if isinstance(node, ast.Subscript):
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        own = _all_words(node.value)
        return (
            (split_name(index), own)
            if isinstance(index, str)
            else ([singular(word) for word in own[-1:]], own)
        )
    return (split_name(node.id) if isinstance(node, ast.Name) else []), []


def _shortens(name: str, text: str) -> bool:
    """Whether a name is short for a text: `lineno`, `linenr`."""
    return is_short_for(name, text) or re.sub(r"no\Z", "number", name) == text


def _all_words(node: ast.expr) -> list[str]:
    last, rest = _parts(node)
    return [*rest, *last]


def same_word(text: str, own: str) -> bool:
    own = own.lower()
    return text in (own, singular(own)) or (len(own) > 2 and is_short_for(own, text)) or key(text) == key(own)

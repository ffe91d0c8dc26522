"""Conditions about the rounds of a loop: `blank lines`, `rows without a comma`, `anything but .csv`."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.builders.control_flow.round_names import (
    names_rounds,
    of_pair,
    shortened,
    words_for_rounds,
)
from spark_tui.intent.conditions import worded
from spark_tui.intent.conditions.condition_subjects import CodeAt, locate_code
from spark_tui.intent.conditions.condition_words import condition_words, plain_text
from spark_tui.intent.conditions.guard_places import changed_in
from spark_tui.intent.conditions.operands import fields_of_classes
from spark_tui.intent.conditions.text_comparisons import are_texts_known
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.facts.held_resources import is_file
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import taken_for
from spark_tui.intent.words.phrases import any_stands_in
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_ROWS = {"reader", "DictReader", "rows", "fetchall", "values", "items"}
_OF_ANY_KIND = ("isinstance", "str", "repr", "hasattr", "callable", "type")
_LONG = 5
_SUFFIX = re.compile(r"[`'\"]?\*?(\.\w+)[`'\"]?(?:\s|\Z)")
_MARK = re.compile(r"[`'\"]?([^\w\s`'\"]{1,3})[`'\"]?[\s-]")
_LACKS = re.compile(
    r"(?:without|(?:that |which |who )?(?:has|have|with) no|lacking|with an? (?:empty|blank|missing))"
    r"\s+(?:an?\s+|any\s+)?(\w+)"
)
_COUNTED = re.compile(r"(?:with|have|has|having|of)\s+((?:less|fewer|more) than .+)")
_WHOSE = re.compile(r"(?:whose|where|in which)\s+(?:the\s+|their\s+|its\s+)?(\w+)\s+")
_STATE = re.compile(
    r"(?i)(?:(?:are|is|were|sind|ist|sont|est|son|están|está)\s+)?(not\s+|nicht\s+|pas\s+)?([^\W\d_]+)"
)
"""Words that tell the state of an item: *is closed*, *not active*."""
_LONG_TEXT = re.compile(r"(\w+ than \S+)\s+(?:characters|chars|letters|signs|zeichen|caractères|caracteres)")
_WHICH = re.compile(r"\b(?:that|which|who|die|der|das|qui|que)\s+", re.IGNORECASE)
_TURNED = (
    (re.compile(r"\A(?:without|ohne|sans|sin)\s+", re.IGNORECASE), "{x} has no "),
    (re.compile(r"\A(?:with|containing|mit|avec|con)\s+", re.IGNORECASE), "{x} contains "),
    (re.compile(r"\A(?:starting|beginning) with\s+", re.IGNORECASE), "{x} starts with "),
    (re.compile(r"\Aending (?:with|in|on)\s+", re.IGNORECASE), "{x} ends with "),
    (re.compile(r"\Ahave\s+", re.IGNORECASE), "{x} has "),
    (re.compile(r"\A(?:are|sind|sont|son|están|estén)\s+", re.IGNORECASE), "{x} is "),
    (re.compile(r"\A(?:start|begin) with\s+", re.IGNORECASE), "{x} starts with "),
    (re.compile(r"\Aend (?:with|in)\s+", re.IGNORECASE), "{x} ends with "),
)


def of_rounds(context: Context, anchor: Anchor) -> list[Option]:
    """What all the words of a condition mean of the things that a loop goes through; several mean any."""
    loop = anchor.node
    at = locate_code(context, anchor)
    if isinstance(loop, ast.While):
        return _of_read_lines(context, loop)
    if at is None or not isinstance(loop, ast.For | ast.AsyncFor):
        return []
    items = of_pair(loop, context.text("condition")) or [
        node.id for node in find_nodes(loop.target, ast.Name)
    ]
    spans = context.reading.slots.get("condition", ())
    if len(items) != 1 or ast.unparse(loop.iter).startswith("range("):
        return []  # of what only counts the rounds nothing is said
    joins = "|".join(
        re.escape(word) for kind in ("and", "or") for word in phrases.words(kind) if len(word) > 1
    )
    found: list[str] = []
    for span in spans:
        whole = _of_one(at, loop, items, span)
        parts = re.split(rf"\s+(?:{joins})\s+|\s*,\s*", span.text)
        each = (
            [_of_one(at, loop, items, replace(span, text=part)) for part in parts] if len(parts) > 1 else []
        )
        found += each if each and all(each) else [whole]
    said = context.text("condition")
    sure = context.named or names_rounds(at.source, loop, items[0], said)
    doubts = () if sure else (taken_for(items[0], repr(said)),)
    return [Option(" or ".join(dict.fromkeys(found)), doubts=doubts)] if found and all(found) else []


def _of_read_lines(context: Context, loop: ast.While) -> list[Option]:
    """That a line which each round reads has no text in it: *blank lines*."""
    text = plain_text(context.text("condition"))
    read = [
        ast.unparse(stmt.targets[0])
        for stmt in loop.body
        if isinstance(stmt, ast.Assign)
        and any(called_name(node) in ("readline", "input") for node in find_nodes(stmt.value, ast.Call))
    ]
    known = condition_words()["rounds"]
    lines = not {*known["any"], *known["plain"]}.isdisjoint(text.split())
    return [Option(f"not {read[0]}.strip()")] if len(read) == 1 and lines and _is_blank(text) else []


def _of_one(at: CodeAt, loop: ast.For | ast.AsyncFor, items: list[str], span: Span) -> str:
    """The condition of one piece of words about a round; empty where it names no round."""
    text, item = span.text.strip().strip("`").strip(), items[0]
    if value := _of_value(at, loop, item, text):
        return value
    low = plain_text(text)
    round_words = condition_words()["rounds"]
    if (exempt := next((one for one in round_words["but"] if low.startswith(one)), None)) is not None:
        suffix = _SUFFIX.search(text)
        shown = literal(suffix[1], at.source) if suffix is not None else ""
        return f"not {item}.endswith({shown})" if exempt and shown else ""
    rounds = words_for_rounds(loop, item)
    if any_stands_in(round_words["comments"], low) and not _has_more(low):
        mark = _MARK.match(text)
        return f"{item}.startswith({literal(mark[1] if mark else '#', at.source)})"
    named = next((one for one in re.findall(r"[^\W\d_]+", low) if one in rounds), "")
    named = named or next((one for one in sorted(rounds) if phrases.has_cjk(one) and one in low), "")
    named = named or shortened(low, item)
    if not named:
        return ""
    if _is_blank(low) and not _has_more(low):
        return _blank(at.source, loop, item, named)
    return _said_of(at, item, text, named)


def _of_value(at: CodeAt, loop: ast.For | ast.AsyncFor, item: str, text: str) -> str:
    """A condition on the value of a key in a loop over keys: *the price is None* for `prices[item]`."""
    held = ast.unparse(loop.iter)
    one, shown = without_s(held.rpartition(".")[2]), f"{held}[{item}]"
    asked = any(ast.unparse(node) == shown for node in find_nodes(loop, ast.Subscript))
    if not asked or one == held or not re.search(rf"(?<!\w){one}(?!\w)", text):
        return ""
    visible = at.context.visible(at.source.path, at.root)

    def named(words: str) -> str | None:
        return shown if phrases.without_articles(words) in (one, shown) else visible.expression(words)

    found = worded.parse_condition(text, named)
    return next((each.code for each in found if shown in each.code), "")


def _is_blank(text: str) -> bool:
    """Whether a word says that there is nothing, also with two letters in the wrong order."""
    known = condition_words()["rounds"]["blank"]
    words = [item for item in re.findall(r"[^\W\d_]+", text) if len(item) == _LONG]
    return any_stands_in(known, text) or any(
        sorted(item) == sorted(wanted) and edit_distance(item, wanted, 1) == 1
        for item in words
        for wanted in known
    )


def _has_more(text: str) -> bool:
    """Whether words say more of a round than that it is blank or a comment: a clause of their own."""
    return any_stands_in(("with", "whose", "after", "before", "mit", "avec", "con"), text)


def _blank(source: Source, loop: ast.For | ast.AsyncFor, item: str, named: str) -> str:
    """That a line has no text; a row has no items. Of an object nothing is known."""
    members = {one.attr for one in find_nodes(loop, ast.Attribute) if ast.unparse(one.value) == item}
    if not all(any(hasattr(kind, member) for kind in (str, dict, list)) for member in members):
        return ""
    stripped = any(
        isinstance(stmt, ast.Assign)
        and ast.unparse(stmt.targets[0]) == item
        and "strip" in ast.unparse(stmt.value)
        for stmt in loop.body[:2]
    )
    asked = {node.attr for node in find_nodes(loop.iter, ast.Attribute)}
    rows = asked | names_in(loop.iter)
    used = any(isinstance(node, ast.Subscript) and ast.unparse(node.value) == item for node in walk(loop))
    if (
        stripped
        or used
        or _is_no_text_yet(loop, item)
        or rows & _ROWS
        or any(not hasattr(str, member) for member in members)
        or (named == item.lower() and not asked and not is_file(source, loop, loop.iter))
    ):
        return f"not {item}"
    return f"not {item}.strip()"


def _is_no_text_yet(loop: ast.For | ast.AsyncFor, item: str) -> bool:
    """Whether a round asks what kind of object its item is, or makes a text of it."""
    calls = (node for node in find_nodes(loop, ast.Call) if node.args and called_name(node) in _OF_ANY_KIND)
    return any(ast.unparse(node.args[0]) == item for node in calls)


def _said_of(at: CodeAt, item: str, text: str, named: str) -> str:
    """What is said of the rounds under another name, said of the loop's variable."""
    parts = re.split(rf"(?<!\w){re.escape(named)}(?!\w)", text, maxsplit=1, flags=re.IGNORECASE)
    if len(parts) != 2:
        return ""
    front, rest = phrases.without_articles(parts[0].strip()), _WHICH.sub("", parts[1].strip(), count=1)
    front = "" if phrases.is_said("articles", front) else front
    condition = rest
    for form, plainly in _TURNED:
        if form.match(rest):
            condition = form.sub(plainly.format(x=item), rest)
            break
    else:
        condition = f"{item}{rest}" if rest.startswith((".", "[", "(")) else f"{item} {rest}"
    if front and not rest:
        condition = f"{item} is {front}"
    elif front:
        return ""
    state = _STATE.fullmatch(front if front and not rest else rest)
    if state is not None and (part := _part_of(at, item, state[2])):
        return f"not {part}" if state[1] else part
    if (lacked := _LACKS.fullmatch(rest)) is not None and (part := _part_of(at, item, lacked[1])):
        return f"not {part}"
    if (counted := _COUNTED.fullmatch(rest)) is not None:
        signs = _LONG_TEXT.fullmatch(counted[1])
        condition = f"length of {item} is {signs[1]}" if signs is not None else counted[1]
    if (owned := _WHOSE.match(rest)) is not None:
        part = _part_of(at, item, owned[1])
        if not part:
            return ""
        condition = f"{part} {rest[owned.end() :]}"
    visible = at.context.visible(at.source.path, at.root)
    found = worded.parse_condition(condition, visible.expression)
    known = [
        one.code for one in found if are_texts_known(one.code, text, at.source) and _is_sound(one.code, item)
    ]
    bound = changed_in(at.root)
    return next((one for one in known if item in _names(one) or _names(one) & bound), "")


def _part_of(at: CodeAt, item: str, word: str) -> str:
    """The attribute or entry of the loop's variable that a word names, as the loop asks for it, or as the
    class has it that the variable is called after."""
    for node in walk(at.root):
        if (
            isinstance(node, ast.Attribute)
            and ast.unparse(node.value) == item
            and key(node.attr) == key(word)
        ):
            return ast.unparse(node)
        index = node.slice if isinstance(node, ast.Subscript) and ast.unparse(node.value) == item else None
        if isinstance(index, ast.Constant) and isinstance(index.value, str) and key(index.value) == key(word):
            return f'{item}["{index.value}"]'
    keys = _keys_of_file(at.source, item) if item in _entries_read(at.root) else set()
    if (own_key := next((one for one in keys if key(one) == key(word)), None)) is not None:
        return f'{item}["{own_key}"]'
    if _is_read_by_names(at, item) and word.isidentifier():
        return f'{item}["{word}"]'
    classes = fields_of_classes(at.source.tree) if at.source.tree is not None else {}
    own = (field for name, fields in classes.items() if name.lower() == item.lower() for field in fields)
    return next((f"{item}.{field}" for field in own if key(field.removesuffix("()")) == key(word)), "")


def _entries_read(root: ast.AST) -> set[str]:
    """The names whose entries are looked up by texts."""
    rows = (node for node in find_nodes(root, ast.Subscript) if is_text(node.slice))
    return {node.value.id for node in rows if isinstance(node.value, ast.Name)}


def _keys_of_file(source: Source, item: str) -> set[str]:
    """The keys that a file looks up in a variable of that name."""
    rows = find_nodes(source.tree, ast.Subscript) if source.tree is not None else ()
    keys = (node.slice for node in rows if ast.unparse(node.value) == item)
    return {one.value for one in keys if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def _is_read_by_names(at: CodeAt, item: str) -> bool:
    """Whether a round is a row of a `csv.DictReader`, which has each column."""
    loops = (one for one in walk(at.root) if isinstance(one, ast.For) and ast.unparse(one.target) == item)
    over = {ast.unparse(one.iter) for one in loops}
    made = {
        ast.unparse(target)
        for stmt in find_nodes(at.source.tree, ast.Assign)
        if called_name(stmt.value) == "DictReader"
        for target in stmt.targets
    }
    return bool(over & made) or any("DictReader(" in one for one in over)


def _is_sound(code: str, item: str) -> bool:
    """Whether a condition looks into the variable of a loop only for a text."""
    test = parsed(code)
    inside = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn)
    if not isinstance(test, ast.Compare) or not inside or ast.unparse(test.comparators[0]) != item:
        return True
    return isinstance(test.left, ast.Constant)


def _names(code: str) -> set[str]:
    return names_in(ast.parse(code))

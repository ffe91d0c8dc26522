"""Conditions whose subject has to be found in the code: *that many*, *only 0 to 9*, *it's one of SIZES*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions import worded
from spark_tui.intent.conditions.by_failure import find_filled_collections
from spark_tui.intent.conditions.condition_subjects import CodeAt, locate_code, make_name_reader
from spark_tui.intent.conditions.said_words import condition_kinds_said, condition_words, plain_text, stems
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import any_stands_in
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import ORDERED, walk

_LIMIT = re.compile(r"max|limit|cap(?:acity)?\Z|most|upper", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_FROM_TO = re.compile(
    r"(?:(?P<x>.+?) )??(?:(?:is|are|be|ist|sind|est|es|lies|within) )?"
    r"(?:between|from|zwischen|von|entre|de) (?P<low>\S+) (?:and|to|und|bis|et|à|y|a) (?P<high>\S+)\Z",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:\w+ )?(?:between|zwischen|entre) \Z", re.IGNORECASE)
_SAID_OF = re.compile(
    r"(?:(?:the|a|an|any|every|this|der|die|das|eine?|le|la|une?|el|los|las) )?(?P<x>\w+)"
    r" (?:(?:that|which|who|die|der|das|qui|que) )?"
    r"(?P<is>isnt|arent|wasnt|werent|is not|are not|was not|is|are|was|were|ist nicht|ist|sind|nest pas|est"
    r"|sont|no est[aá]|est[aá]|están) (?:already |not |schon |déjà |ya )?(?P<flag>\w+)\Z"
)


def find_unnamed_subjects(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """What a condition means that does not name what it tests, marked with what was found."""
    at = locate_code(context, anchor)
    if short := _without_arguments(context, span.text, anchor.path):
        return [Option(short)]
    if at is None or not isinstance(anchor.node, Function | ast.For | ast.AsyncFor | ast.While):
        return []
    before = _BETWEEN.search(context.situation.instruction[: max(span.start, 0)])
    text = f"{before[0] if before is not None else ''}{span.text.strip().strip('`')}".strip(" .,;")
    for way in (_sizes_differ, _at_limit, _range, _flag, _of_pronoun, _of_parameter):
        found = dict.fromkeys(way(at, text))
        if found:
            doubts = (f"{text} was assumed to be {next(iter(found))}",)
            return [Option(item, 0.9 / len(found), doubts) for item in found]
    return []


def _without_arguments(context: Context, text: str, path: str) -> str:
    """That a program is started with fewer arguments than it takes by number."""
    tree = context.source(path).tree if path in context.repo.index.paths else None
    started = _says("program", text) and condition_kinds_said(text) & {"absent", "empty"}
    taken = [
        node.slice.value
        for node in (walk(tree) if tree is not None and started else ())
        if isinstance(node, ast.Subscript)
        and ast.unparse(node.value) == "sys.argv"
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    ]
    return f"len(sys.argv) < {max(taken) + 1}" if taken else ""


def _own(at: CodeAt) -> list[str]:
    """The parameters of the function at hand."""
    function = at.root if isinstance(at.root, Function) else at.source.function_of(at.root)
    given = [parameter.arg for parameter in parameters(function)] if function is not None else []
    return [item for item in given if item not in ("self", "cls")]


def _says(kind: str, text: str) -> bool:
    return any_stands_in(condition_words()["sizes"][kind], plain_text(text))


def _named(at: CodeAt, text: str) -> list[str]:
    """The variables and attributes that are named in a text, as code, in their order."""
    visible = at.context.visible(at.source.path, at.root)
    found = (
        visible.inner.get(key(item)) or (item if item in visible.bound else None)
        for item in _WORD.findall(text)
    )
    return [item for item in dict.fromkeys(found) if item is not None]


# -- sizes ---------------------------------------------------------------------------------------------


def _sizes_differ(at: CodeAt, text: str) -> Iterator[str]:
    """Two sequences have not the same length: those that are named, or that are gone through together."""
    if not _says("different", text):
        return
    pair = _named(at, text)
    for node in walk(at.root) if len(pair) != 2 else ():
        zipped = isinstance(node, ast.Call) and ast.unparse(node.func) == "zip" and len(node.args) == 2
        if zipped and isinstance(node, ast.Call):
            pair = [ast.unparse(arg) for arg in node.args]
            break
    pair = pair if len(pair) == 2 else _own(at)
    if len(pair) == 2 and all(re.fullmatch(r"[\w.]+", item) for item in pair):
        yield f"len({pair[0]}) != len({pair[1]})"


def _at_limit(at: CodeAt, text: str) -> Iterator[str]:
    """Something has as many items, or is as big, as a limit that is named elsewhere: *it is that long*."""
    if not _says("limit", text):
        return
    named = _named(at, text)
    instruction = at.context.situation.instruction
    limits = [item for item in _named(at, instruction) if _LIMIT.search(item.rpartition(".")[2])]
    counted = [item for item in named if item not in limits] or list(find_filled_collections(at))
    if len(limits) != 1 or not counted:
        return
    for one in counted[:1]:
        shown = one if _is_number(at, one) else f"len({one})"
        yield f"{shown} >= {limits[0]}"


def _is_number(at: CodeAt, name: str) -> bool:
    """Whether a variable or attribute is reckoned with in the file."""
    for node in walk(at.source.tree):
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == name:
            return not isinstance(node.value, ast.List | ast.Tuple | ast.Set | ast.Dict)
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == name for target in node.targets):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                return True
            if isinstance(value, ast.Call) and ast.unparse(value.func) in ("int", "float", "len", "sum"):
                return True
    return False


# -- subjects ------------------------------------------------------------------------------------------


def _range(at: CodeAt, text: str) -> Iterator[str]:
    """*between 0 and 100*, of what is named or of the only parameter; *only* of it: where it is not so."""
    text, turned = _without_only(text)
    found = _FROM_TO.fullmatch(text)
    if found is None:
        return
    expression = make_name_reader(at, at.context.visible(at.source.path, at.root).expression)
    front = re.sub(r"\b(?:not|nicht|pas|no|n't)\Z", "", (found["x"] or "").strip()).strip()
    turned ^= front != (found["x"] or "").strip()
    subject = (
        expression(front) or expression(front.removesuffix("s"))
        if front
        else next(iter(_own(at)), None)
        if len(_own(at)) == 1
        else None
    )
    low, high = (phrases.number(found[item]) or expression(found[item]) for item in ("low", "high"))
    if subject and low and high:
        yield f"not {low} <= {subject} <= {high}" if turned else f"{low} <= {subject} <= {high}"


def _flag(at: CodeAt, text: str) -> Iterator[str]:
    """*a bike that isn't out*: the entry or attribute of that name, where the file tests it or sets it."""
    low = plain_text(text)
    found = _SAID_OF.fullmatch(low)
    if found is None or at.source.tree is None:
        return
    owners = _named(at, found["x"])
    told = {part for node in walk(at.source.tree) for inner in _tested(node) if (part := _part(inner))}
    for owner in owners:
        for shown, name in told:
            if key(name) == key(found["flag"]):
                denied = re.search(r"nt\b|\b(?:not|nicht|pas|no)\b", low) is not None
                yield f"not {shown.format(owner)}" if denied else shown.format(owner)


def _tested(node: ast.AST) -> list[ast.expr]:
    """What a node tests by itself, or sets to true or false."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
        return node.targets if isinstance(node.value.value, bool) else []
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


def _part(node: ast.expr) -> tuple[str, str] | None:
    """How an entry or attribute of a variable is asked for, and its name."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "self":
        return "{}." + node.attr, node.attr
    index = node.slice if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) else None
    if isinstance(index, ast.Constant) and isinstance(index.value, str) and re.fullmatch(r"\w+", index.value):
        return '{}["' + index.value + '"]', index.value
    return None


def _of_pronoun(at: CodeAt, text: str) -> Iterator[str]:
    """A condition about *it*: the parameter that is named like the others there, or in front of it."""
    found = re.match(
        r"(?P<unless>unless |wenn |if )?(?P<it>it|they|that|es|er|sie|il|elle)(?P<is>['’]s|['’]re)?\b", text
    )
    if found is None:
        return
    others = stems(text[found.end() :])
    like = [item for item in _own(at) if others & stems(item)]
    told = at.context.situation.instruction
    before = [item for item in _named(at, told[: max(told.find(text), 0)]) if item in _own(at)]
    subject = (like if len(like) == 1 else before)[-1:]
    for name in subject:
        rest = (" is" if found["is"] else "") + text[found.end() :]
        yield from _parsed(at, f"{found['unless'] or ''}{name}{rest}")


def _of_parameter(at: CodeAt, text: str) -> Iterator[str]:
    """A condition that only compares (*more than 3*, *negative*) is about the only parameter."""
    own = _own(at)
    if len(own) != 1:
        return
    text, turned = _without_only(text)
    for code in _parsed(at, f"{own[0]} is {text}"):
        test = ast.parse(code, mode="eval").body
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ORDERED):
            yield negate_code(code) if turned else code


def _without_only(text: str) -> tuple[str, bool]:
    """The text without *only* and *unless*, which say what is allowed."""
    words, turned = text.split(), False
    while words and words[0].lower() in (*condition_words()["sizes"]["only"], *phrases.words("unless")):
        words, turned = words[1:], True
    return " ".join(words), turned


def _parsed(at: CodeAt, text: str) -> Iterator[str]:
    found = worded.parse_condition(
        text, make_name_reader(at, at.context.visible(at.source.path, at.root).expression)
    )
    yield from (item.code for item in found[:1])

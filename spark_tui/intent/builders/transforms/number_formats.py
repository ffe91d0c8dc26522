"""Calls that show a number with so many digits, as a percentage, or with leading zeros."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.intent.builders.transforms.whole_numbers import (
    digits_of_rest,
    is_any_number,
    returned_by,
    score_whole_number,
)
from spark_tui.intent.building.building import Built, build_at, builder
from spark_tui.intent.building.rewritten import Rewritten, make_replacement, replace_within
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.lookup import key, plain_name, split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.texts.text_parts import TextField, as_field, split_text
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import not_said
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.shared_ends import same_ends

_COLLECTIONS = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.DictComp, ast.ListComp, ast.SetComp)


def _is_same_name(goal: ast.expr, value: ast.expr) -> bool:
    return isinstance(goal, ast.Name) and isinstance(value, ast.Name) and goal.id == value.id


@dataclass(frozen=True)
class _Form:
    """How the number is shown: an ending of the format, and what was guessed."""

    spec: str
    percent: bool = False
    doubts: tuple[str, ...] = ()

    @property
    def zeros(self) -> bool:
        """Whether zeros are put in front of it: it is a whole number."""
        return self.spec.startswith("0") and self.spec.endswith("d")


@builder("format_number")
def format_number(context: Context) -> Iterator[Built]:
    form = _form(context)
    found: list[Anchor] = []
    done = 0
    for area, source, root in context.trees():
        for node, value, spec in _shown(source, root):
            fit = _fits(context, area.path, source, value, spec)
            if form.zeros:
                fit = score_whole_number(value, spec, fit)
            if not fit:
                continue
            own = form if context.has("count") else replace(form, spec=digits_of_rest(value) or form.spec)
            new = _new(source, node, value, replace(own, spec=_kept(spec, own.spec)))
            done += new == source.segment(node)
            if new and new != source.segment(node):
                found.append(Anchor(area, node, 0.95 * fit * area.weight, area.doubts, {"new": new}))
    best = max((anchor.weight for anchor in found), default=0.0)
    found = [anchor for anchor in found if anchor.weight > 0.99 * best]
    if not found:
        raise Unresolved("it is already so" if done else "no number becomes text there", bool(done))
    nodes = {anchor.node for anchor in found}
    rows = sorted(
        found, key=lambda item: (-getattr(item.node, "lineno", 0), -getattr(item.node, "col_offset", 0))
    )
    calls = [make_replacement(context, _rewritten(row)) for row in rows]
    yield from _in_one_text(context, found, form) if not context.has("variable") else ()
    if len(nodes) == len(found) > 1 and len({anchor.path for anchor in found}) == 1 and not context.lines():
        yield Built(tuple(calls), 0.8 * best, (f"all {len(calls)} places where it is shown", *form.doubts))
    for one in weighted(context, found):
        guessed = ("another number may be meant",) if best < 0.7 and context.has("variable") else ()
        yield build_at(one, make_replacement(context, _rewritten(one)), doubts=(*guessed, *form.doubts))


def _kept(old: str, new: str) -> str:
    """A format with the width of the old one; with its digits where only the thousands are said."""
    known = re.fullmatch(r"([-+ 0<>^]*\d*),?((?:\.\d+)?f)", old)
    if known is None or not re.fullmatch(r",?(?:\.\d+f)?", new):
        return new
    return known[1] + ("," if new[:1] == "," else "") + (new.removeprefix(",") or known[2])


def _in_one_text(context: Context, found: list[Anchor], form: _Form) -> Iterator[Built]:
    """All numbers of the one text that shows several."""
    if len(found) < 2 or len({anchor.node for anchor in found}) > 1:
        return
    first = found[0]
    old = context.source(first.path).segment(first.node) if first.node is not None else ""
    edits = sorted(_change(old, anchor.words["new"]) for anchor in found)
    new = old
    for low, high, text in reversed(edits):
        new = new[:low] + text + new[high:]
    doubt = f"all {len(found)} numbers of the text"
    whole = replace(first, words={"new": new})
    yield build_at(first, make_replacement(context, _rewritten(whole)), doubts=(doubt, *form.doubts))


def _change(old: str, new: str) -> tuple[int, int, str]:
    """Where two texts differ, from the first to the last sign, and what stands there in the new one."""
    low, same = same_ends(old, new)
    return low, len(old) - same, new[low : len(new) - same]


def _rewritten(anchor: Anchor) -> Rewritten:
    assert isinstance(anchor.node, ast.expr)
    return Rewritten(anchor.area, anchor.node, anchor.words["new"])


def _form(context: Context) -> _Form:
    """What the words ask for."""
    instruction = context.situation.instruction
    shown = re.search(r"(?<![\w.])[:%]?(0?\d*,?(?:\.\d+)?[f%d])(?!\w)", context.text("count"))
    count = _digits(context.text("count"))
    if shown is not None and shown[1] not in ("f", "d", "%"):
        return _Form(shown[1], shown[1].endswith("%"))
    if says("number_forms", "zeros", instruction) or re.fullmatch(r"0\d+d?", context.text("count")):
        width = count.lstrip("0") if count not in ("0", "1") else ""
        return _Form(
            f"0{width or 2}d", doubts=() if width else (not_said("the number of digits was not given"),)
        )
    if says("number_forms", "percent", instruction):
        return _Form(
            f".{count or 0}%", True, () if count else (not_said("the number of digits was not given"),)
        )
    thousands = "," if says("number_forms", "thousands", instruction) else ""
    if thousands and not count:
        return _Form(",")
    guessed = () if count else (not_said("the number of digits was not given"),)
    return _Form(f"{thousands}.{count or 2}f", doubts=guessed)


def _digits(text: str) -> str:
    """How many digits a text says, or shows: `two`, `3.50`, `no decimals`."""
    like = re.fullmatch(r"[^\d]*\d+[.,](\d+)[^\d]*", text)
    if like is not None:
        return str(len(like[1]))
    if says("number_forms", "none", text):
        return "0"
    bare = text.lower()
    for kind in ("percent", "zeros", "thousands"):
        for item in sorted(phrases.table()["number_forms"][kind], key=len, reverse=True):
            bare = bare.replace(item, " ")
    words = [bare.strip(), *re.findall(r"\w+", bare)]
    return next((found for word in words if (found := phrases.number(word))), "")


def _shown(source: Source, root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Where a value becomes text: the expression that makes the text, the value, and its format so far."""
    inner: set[ast.AST] = set()
    for node in walk(root):
        if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Call) and node not in inner:
            parts = split_text(source, node)
            if parts is not None:
                inner |= set(walk(node)) - {node}
                yield from ((node, part.value, part.spec) for part in parts if isinstance(part, TextField))
                continue
        if not isinstance(node, ast.Call) or node in inner:
            continue
        name = called_name(node)
        if name == "str" and len(node.args) == 1:
            yield node, node.args[0], ""
        elif name in ("print", "echo"):
            for arg in node.args:
                if (
                    not isinstance(arg, ast.Constant | ast.JoinedStr | ast.Starred)
                    and split_text(source, arg) is None
                ):
                    yield arg, arg, ""


def _fits(context: Context, path: str, source: Source, value: ast.expr, spec: str) -> float:
    """How well a value fits what is named; without a name whether it looks like a number that is computed."""
    text = _bare(value)
    inside = source.function_of(value)
    sets = [stmt.value for stmt in find_nodes(inside, ast.Assign) if _is_same_name(stmt.targets[0], text)]
    if any(isinstance(one, _COLLECTIONS) for one in sets):
        return 0.0
    if not context.has("variable"):
        return 0.9 if spec[-1:] in ("f", "%") and spec else 0.8 if _is_computed(source, value) else 0.0
    variable_text = context.text("variable").strip("`'\"")
    wanted = key(plain_name(variable_text))
    shown = ast.unparse(text)
    last = (
        text.slice.value if isinstance(text, ast.Subscript) and isinstance(text.slice, ast.Constant) else ""
    )
    called = text.func if isinstance(text, ast.Call) else text
    names = [shown, str(last), getattr(called, "attr", ""), getattr(called, "id", "")]
    if {wanted, without_s(wanted)} & set(map(key, filter(None, names))):
        return 1.0
    known = context.visible(path, source.function_of(value)).expression(variable_text)
    if known is not None and known == shown:
        return 1.0
    if len(shown) == 1 and context.has("function") and variable_text.lower().startswith(shown.lower()):
        return 0.5
    words = set(split_name(phrases.without_articles(variable_text)))
    own = set(split_name(str(last) or getattr(called, "attr", "") or getattr(called, "id", "") or shown))
    if not words or not own:
        return 0.0
    if is_any_number(variable_text) and not words & own:
        return 0.4 if _is_computed(source, value) else 0.0
    return 0.7 if words <= own else 0.5 if own <= words and _is_computed(source, value) else 0.0


def _bare(value: ast.expr) -> ast.expr:
    """A value without rounding, or times 100."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("round", "str", "float") and value.args:
        return _bare(value.args[0])
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        for one, other in ((value.left, value.right), (value.right, value.left)):
            if ast.unparse(one) in ("100", "100.0"):
                return _bare(other)
    return value


def _is_computed(source: Source, value: ast.expr) -> bool:
    """Whether a value is divided, rounded or multiplied, itself or where it is set."""
    nodes = [value]
    inside = source.function_of(value) or source.tree
    if isinstance(value, ast.Name) and inside is not None:
        nodes += [
            node.value for node in find_nodes(inside, ast.Assign) if ast.unparse(node.targets[0]) == value.id
        ]
    nodes += [node for call in nodes for node in returned_by(source, call)]
    return any(
        any(isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div | ast.Mult) for inner in walk(node))
        or (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("round", "float", "statistics.mean", "mean")
        )
        for node in nodes
    )


def _new(source: Source, node: ast.expr, value: ast.expr, form: _Form) -> str:
    """The expression with the value in the new format; empty where it cannot be written."""
    inner = value
    while isinstance(inner, ast.Call) and ast.unparse(inner.func) in ("round", "str") and inner.args:
        inner = inner.args[0]
    if form.percent and _bare(inner) is not inner and not _signed(source, node, value):
        # It is a percentage already, and its sign is a word or none.
        form = replace(form, spec=form.spec.replace("%", "f"), percent=False)
    inner = _bare(inner) if form.percent else inner
    field = replace(TextField(inner), spec=form.spec)
    quote, shown = quote_of(source), as_field(source, field)
    other = "'" if quote == '"' else '"'
    quote = other if quote in shown and other not in shown else quote  # that of a key in it
    if isinstance(node, ast.JoinedStr):
        low, high = source.span(value)
        start, end = source.span(node)
        rest = re.match(r"\s*(?:![rsa])?(?::[^{}]*)?\s*\}(%?)", source.text[high:end]) if low >= 0 else None
        if rest is None:
            return ""
        more = "" if form.percent and rest[1] else rest[1]
        before = source.text[start : source.text.rindex("{", start, low)]
        return before + shown + more + source.text[high + rest.end() : end]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _in_percent(source, node, value, form, inner)
    if isinstance(node, ast.BinOp):
        held = source.parents.get(value)
        old = held if isinstance(held, ast.Call) and ast.unparse(held.func) == "str" else value
        return replace_within(source, node, old, f"f{quote}{shown}{quote}")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _in_format(source, node, value, form, inner)
    return f"f{quote}{shown}{quote}"


def _signed(source: Source, node: ast.expr, value: ast.expr) -> bool:
    """Whether `%` stands directly after a value in an f-string."""
    high = source.span(value)[1]
    return isinstance(node, ast.JoinedStr) and re.match(r"\)*[^{}\"']*\}%", source.text[high:]) is not None


def _in_percent(source: Source, node: ast.BinOp, value: ast.expr, form: _Form, inner: ast.expr) -> str:
    """A text that is filled by `%`, with another placeholder for the value."""
    values = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]
    if value not in values or form.percent or "," in form.spec:  # `%` knows no thousands
        return ""
    text = source.segment(node.left)
    places = [
        match for match in re.finditer(r"%(?:[-0+ ]*\d*(?:\.\d+)?[srdifxXeEgG]|%)", text) if match[0] != "%%"
    ]
    one = places[values.index(value)] if len(places) == len(values) else None
    if one is None:
        return ""
    text = text[: one.start()] + f"%{form.spec}" + text[one.end() :]
    right = (
        replace_within(source, node.right, value, source.segment(inner))
        if inner is not value
        else source.segment(node.right)
    )
    between = source.text[source.span(node.left)[1] : source.span(node.right)[0]]
    return text + between + right


def _in_format(source: Source, node: ast.Call, value: ast.expr, form: _Form, inner: ast.expr) -> str:
    """A text that is filled by `.format`, with another format for the value."""
    assert isinstance(node.func, ast.Attribute)
    text = source.segment(node.func.value)
    places = list(re.finditer(r"(?<!\{)\{(\w*)(?:![rsa])?(?::[^{}]*)?\}", text))
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    for at, one in enumerate(places):
        place = int(one[1]) if one[1].isdigit() else at if not one[1] else -1
        if (node.args[place] if 0 <= place < len(node.args) else named.get(one[1])) is value:
            new = text[: one.start()] + "{" + one[1] + f":{form.spec}" + "}" + text[one.end() :]
            made = replace_within(source, node, value, source.segment(inner))
            return new + made[len(text) :]
    return ""

"""Conditions about values that the program lists, and about what may become too small: *unknown plans* beside
a constant `PLANS`, *below zero* where `stock -= quantity` is to come."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.conditions.condition_subjects import locate_code
from spark_tui.intent.conditions.condition_words import condition_kinds_said
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import taken_for
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.inference.known_types import COLLECTIONS
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)
_BELOW = re.compile(
    r"(?:(?P<x>.+?)\s+)?(?:would\s+)?(?:is |be |gets? |becomes? |go |goes |going |drops? |falls? )*"
    r"(?:below|under|less than|unter|sous|bajo|por debajo de)\s+(?:0|zero|null|zéro|cero)|"
    r"(?:(?P<y>.+?)\s+)?(?:would\s+)?(?:is |be |get |gets |become |becomes |go |goes |going )*"
    r"(?:negative|negativ|négatif|negativo)",
    re.IGNORECASE,
)


def find_unlisted(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """That a parameter is in none of what the file lists under the plural of its name: *unknown plans*."""
    at = locate_code(context, anchor)
    function = at.root if at is not None else None
    refused = phrases.any_stands_in(phrases.words("refused"), span.text.lower())
    absent = "absent" in condition_kinds_said(span.text)
    if at is None or not isinstance(function, Function) or not (absent or refused):
        return []
    said = {form for word in re.findall(r"\w+", span.text) for form in _singulars(word.lower())}
    owner = at.source.class_of(function)
    for body, holder in ((getattr(owner, "body", []), "self."), (getattr(at.source.tree, "body", []), "")):
        for stmt in body:
            target = stmt.targets[0] if isinstance(stmt, ast.Assign) else getattr(stmt, "target", None)
            value = getattr(stmt, "value", None)
            if not isinstance(target, ast.Name) or not isinstance(stmt, ast.Assign | ast.AnnAssign):
                continue
            if not isinstance(value, _DISPLAYS) and called_name(value) not in COLLECTIONS:
                continue
            last = said & _singulars(target.id.rpartition("_")[2].lower())
            for parameter in parameters(function):
                if key(parameter.arg) in last:
                    code = f"{parameter.arg} not in {holder}{target.id}"
                    return [Option(code, 0.9, (taken_for(code, repr(span.text)),))]
    for parameter in parameters(function):
        if key(parameter.arg) in said and len(values := _values_told(at.source, function, parameter.arg)) > 1:
            code = f"{parameter.arg} not in ({', '.join(values)})"
            return [Option(code, 0.85, (taken_for(code, repr(span.text)),))]
    return []


def _values_told(source: Source, function: Function, name: str) -> list[str]:
    """The texts that a parameter may be: as the docstring lists them, or as the file compares them."""
    told = re.search(rf"\b{name}\b[^.\n]*", ast.get_docstring(function) or "")
    listed = re.finditer(r"(?<!\w)([\"'])\w[\w -]*\1(?!\w)", told[0] if told else "")
    if len(values := list(dict.fromkeys(one[0] for one in listed))) > 1:
        return values
    forms = re.compile(rf"(?:.*\.)?{name}|.*\[{name!r}\]")
    equal = (one for one in find_nodes(source.tree, ast.Compare) if isinstance(one.ops[0], ast.Eq))
    compared = [
        one for one in equal if is_text(one.comparators[0]) and forms.fullmatch(ast.unparse(one.left))
    ]
    return list(dict.fromkeys(source.segment(one.comparators[0]) for one in compared))


def _singulars(word: str) -> set[str]:
    """What a word may be in the singular: *priorities*, *statuses*, *plans*."""
    ends = (("ies", "y"), ("es", ""))
    return {without_s(word), *(word.removesuffix(end) + new for end, new in ends if word.endswith(end))}


def find_overdrawn(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """That more is taken away than there is, where what is left is not to be negative."""
    at = locate_code(context, anchor)
    found = _BELOW.fullmatch(phrases.without_articles(span.text.strip(" .,`")))
    if at is None or found is None or not isinstance(at.root, Function):
        return []
    subject = key(re.sub(r"\W+", "", found["x"] or found["y"] or ""))
    taken = [one for one in find_nodes(at.root, ast.AugAssign) if isinstance(one.op, ast.Sub)]
    given = {parameter.arg for parameter in parameters(at.root)}
    if len(taken) != 1 or not isinstance(taken[0].value, ast.Name) or taken[0].value.id not in given:
        return []
    left = ast.unparse(taken[0].target)
    names = {key(left.rpartition(".")[2]), key(left), key(at.root.name), "it", ""}
    return [Option(f"{taken[0].value.id} > {left}", 0.95)] if subject in names else []

"""Messages about a condition that an edit wrote: another one in its place, one more beside it, the same in a
stricter form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.conditions.assertions import as_failing
from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.conditions.without_subject import (
    VERBS,
    begins_with_sign,
    complete_condition,
    negate_options,
    strip_negation,
)
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.followups.written.condition_forms import (
    end_of_range,
    of_items,
    of_other_name,
    other_form_of,
)
from spark_tui.intent.followups.written.second_guards import joining, says_or, second_guard
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_FIRST = 0.9
_INCLUDING = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
"""Comparisons with the other way to take their boundary."""
_COMPARED = re.compile(r"(?:long|short|larg|bigg|small|great|high|low)er than \S+\Z", re.IGNORECASE)
_IDLE = ("allowing", "denials", "also", "rest", "flag_words")


def tests_in(node: ast.AST) -> Iterator[ast.expr]:
    """The conditions that a node holds."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield node.test
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        yield from (test for generator in node.generators for test in generator.ifs)
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp):
        yield node.value


def _tests(written: WrittenSyntax) -> list[ast.expr]:
    """The conditions in which something was written, the last first: those that are named, if any is."""
    nodes = set(written.nodes)
    found = [inner for node in reversed(written.nodes) for inner in tests_in(node) if inner in nodes]
    return list(filter(written.is_old, found)) or found


def _means(written: WrittenSyntax, node: ast.AST) -> list[Option]:
    """What the words of the condition mean where another one stands."""
    text = written.said("condition")
    source, visible = written.source, written.visible(node)
    if begins_with_sign(text):
        return complete_condition(source, node, text, visible.expression)
    classes = {one.name for one in source.definitions if isinstance(one, ast.ClassDef)}
    text = phrases.spelled(text)
    about = _of_what_is_used(written, node, text) if isinstance(node, ast.stmt) else []
    told = written if text == written.said("condition") else written.saying("condition", text)
    found = about or [
        one for one in told.read("condition", "condition", node) if not _is_of(classes, one.text)
    ]
    return (
        of_items(written, node, found)
        or _of_what_is_used(written, node, text)
        or complete_condition(source, node, text, visible.expression)
        or written.guessed("condition", node)
    )


def _of_what_is_used(written: WrittenSyntax, node: ast.AST, text: str) -> list[Option]:
    """What the words mean of what a written test looks at, or a statement uses: *it is empty*, *empty*."""
    first, _, rest = text.partition(" ")
    pronoun = phrases.is_said("pronouns", first.partition("'")[0])
    bare = (
        not rest
        or _COMPARED.match(text) is not None
        or any(phrases.is_said(kind, first) for kind in ("denying", "articles"))
    )
    if pronoun:
        said = f"is {rest}" if "'" in first else rest
    elif bare and not isinstance(node, ast.stmt) and VERBS.isdisjoint(rest.split()):
        said = f"is {text}"
    else:
        return []
    for code in used_things(node):
        if found := written.saying("condition", f"{code} {said}").read("condition", "condition", node):
            return found
    return []


def used_things(node: ast.AST) -> list[str]:
    """What words without a subject may be about: the only name of a test; of a statement what it sets, or
    what it gives to calls, and what these are called on."""
    if isinstance(node, ast.expr):
        held = [*walk(node)]
        names = {one.id for one in held if isinstance(one, ast.Name)}
        alone = not any(isinstance(one, ast.Attribute | ast.Subscript | ast.Call) for one in held)
        return [*names] if len(names) == 1 and alone else []
    calls = find_nodes(node, ast.Call)
    found = [*getattr(node, "targets", [])]
    found += [item for call in calls for item in (*call.args, *(one.value for one in call.keywords))]
    found += [call.func.value for call in calls if isinstance(call.func, ast.Attribute)]
    plain = ast.Name | ast.Attribute | ast.Subscript
    return list(dict.fromkeys(ast.unparse(item) for item in found if isinstance(item, plain)))


def _is_of(classes: set[str], code: str) -> bool:
    """Whether a test compares a class with something: an object of it is meant."""
    tree = parsed(code)
    sides = (tree.left, *tree.comparators) if isinstance(tree, ast.Compare) else ()
    is_type = any(isinstance(side, ast.Call) for side in sides)
    return not is_type and any(isinstance(side, ast.Name) and side.id in classes for side in sides)


def other_condition(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """Another condition; of several that are joined, in the place of the one that was written, or of the one
    that looks at the same."""
    weight, tests = _FIRST, _tests(written)
    if not tests and _adds(written):
        yield from run_if(written)
    for node in tests:
        made = [
            one
            for option in _of_boundary(written, node)
            or of_other_name(written, node)
            or _means(written, node)[:2]
            if (one := _in_place(written, node, option, weight)) is not None
        ]
        yield from made
        weight *= SECOND if made else 1.0


def _of_boundary(written: WrittenSyntax, node: ast.expr) -> list[Option]:
    """A comparison with or without its boundary, where only that is said: *zero is fine*."""
    words = written.said("condition").split()
    idle = {word for kind in _IDLE for item in phrases.words(kind) for word in item.split()}
    rest = " ".join(word for word in words if word.lower().removesuffix("n't") not in idle)
    number, equal = phrases.number(rest), phrases.is_said("equality", rest)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or (number is None and not equal):
        return []
    at, sign = node.comparators[0], _INCLUDING.get(type(node.ops[0]))
    left, right = map(written.source.segment, (node.left, at))
    return [Option(f"{left} {sign} {right}")] if sign and (equal or right == number) else []


def _in_place(written: WrittenSyntax, node: ast.expr, option: Option, weight: float) -> NodeRewrite | None:
    """A condition in the place of one, or of the part of it that looks at the same."""
    code = other_form_of(option.text, written.source.segment(node))
    bound = end_of_range(node, code)
    if bound is not None:
        return NodeRewrite(*bound, weight * option.weight, option.doubts)
    part = _same_part(written, node, code)
    if part is None and _is_joined_elsewhere(written, node):
        return None
    place = part or node
    doubts = option.doubts
    own = written.source.segment(place)
    if _adds(written) and not _names(code) & _names(own):
        code = f"{_operand(own, 'and')} and {_operand(code, 'and')}"  # *only if* comes to another one
    return NodeRewrite(place, _bracketed(written, place, code), weight * option.weight, doubts)


def _adds(written: WrittenSyntax) -> bool:
    """Whether the words in front of a condition may say that it comes to another one: *only if*."""
    start = written.start("condition")
    before = written.instruction[: max(start, 0)].lower()
    return any(
        phrases.stands_in(word, before) for kind in ("only", "and", "or") for word in phrases.words(kind)
    )


def _names(code: str) -> set[str]:
    """The names in an expression, without those of the object that others belong to."""
    tree = parsed(code)
    found = {node.attr for node in find_nodes(tree, ast.Attribute)} if tree is not None else set()
    names = (node.id for node in find_nodes(tree, ast.Name)) if tree is not None else ()
    return found or {name for name in names if name != "len"}


def _same_part(written: WrittenSyntax, node: ast.expr, code: str) -> ast.expr | None:
    """The one of several joined conditions that looks at what another one looks at."""
    tree = parsed(code)
    if not isinstance(node, ast.BoolOp) or not isinstance(tree, ast.Compare):
        return None
    left = ast.unparse(tree.left)
    found = [
        value for value in node.values if isinstance(value, ast.Compare) and ast.unparse(value.left) == left
    ]
    return found[0] if len(found) == 1 and found[0] in written.nodes else None


def _is_joined_elsewhere(written: WrittenSyntax, node: ast.expr) -> bool:
    """Whether only a part of a condition was written, or this is a part of one that was written whole."""
    joined = written.source.parents.get(node)
    if (
        isinstance(node, ast.BoolOp)
        and any(map(written.is_whole, node.values))
        and not written.is_whole(node)
    ):
        return True
    return isinstance(joined, ast.BoolOp) and (not written.is_whole(node) or written.is_whole(joined))


def _bracketed(written: WrittenSyntax, node: ast.expr, code: str) -> str:
    """The code as it stands in the place of a condition that may be joined with others."""
    joined, tree = written.source.parents.get(node), parsed(code)
    if not isinstance(joined, ast.BoolOp) or not isinstance(tree, ast.BoolOp | ast.IfExp):
        return code
    return code if type(getattr(tree, "op", None)) is type(joined.op) else f"({code})"


def also_required(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    yield from _joined(written, "and")


def also_allowed(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    yield from _joined(written, "or")


def _joined(written: WrittenSyntax, operator: str) -> Iterator[NodeRewrite]:
    """One more condition beside one that was written."""
    start = written.start("condition")
    condition_text = written.said("condition")
    text, is_denied = strip_negation(condition_text, written.instruction[:start] if start >= 0 else "")
    told = written.saying("condition", text) if text != condition_text else written
    weight = _FIRST
    for node in _tests(told):
        if isinstance(told.source.parents.get(node), ast.BoolOp):
            continue
        parts = (
            [value for value in node.values if value in told.nodes]
            if isinstance(node, ast.BoolOp)
            else [node]
        )
        if isinstance(node, ast.expr) and (bounded := _of_boundary(told, node)):
            yield NodeRewrite(node, bounded[0].text, weight)
            weight *= SECOND
            continue
        found = next((each for part in reversed(parts) if (each := _means(told, part))), [])
        for option in negate_options(found[:1]) if is_denied else found[:1]:
            sign = joining(told, node, operator, option.text)
            other = not _names(option.text) & _names(told.source.segment(node))
            apart = other or not says_or(written.instruction)
            if sign == "or" and apart and (guard := second_guard(told, node, option, weight)) is not None:
                yield guard
                continue
            own, added = (_operand(item, sign) for item in (told.source.segment(node), option.text))
            if option.text not in own:
                first = sign == "and" and any(find_nodes(parsed(added), ast.IsNot))  # before its use
                code = f" {sign} ".join((added, own) if first else (own, added))
                code = added if sign == "or" and added == f"{own}.strip()" else code
                yield NodeRewrite(node, code, weight * option.weight, option.doubts)
        weight *= SECOND


def _operand(code: str, operator: str) -> str:
    """Code as an operand of `and` or `or`."""
    tree = parsed(code)
    looser = isinstance(tree, ast.IfExp | ast.Lambda | ast.NamedExpr)
    looser = looser or (operator == "and" and isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or))
    return f"({code})" if looser else code


def skipped_items(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """What a written comprehension goes through, without the items for which a condition holds."""
    made = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    for node in (node for node in written.nodes if isinstance(node, made)):
        last = node.generators[-1]
        items = names_in(last.target)
        for option in negate_options(_means(written, last.iter)[:1]):
            if not items & names_in(parsed(option.text)):
                continue  # that is no test of an item
            test = last.ifs[-1] if last.ifs else None
            code = (
                f"if {_operand(option.text, 'and')}"
                if test is None
                else f"and {_operand(option.text, 'and')}"
            )
            end = test or last.iter
            yield NodeRewrite(
                end, f"{written.source.segment(end)} {code}", _FIRST * option.weight, option.doubts
            )


def run_if(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The statement that was written, or the one of them that is named, under a condition."""
    reading = as_failing(written.reading, written.instruction)
    text, unless = reading.text("condition"), phrases.words("unless")[0]
    is_denied = text.startswith(f"{unless} ") and not written.said("condition").startswith(unless)
    found = [node for node in written.nodes if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    named = stems(written.said("code"))
    words = {node: stems(ast.unparse(node)) for node in found}
    found = [one for one in found if not named or any(word.startswith((*named,)) for word in words[one])]
    if len(found) != 1:
        return
    one = found[0]
    code, indent = written.source.segment(one), " " * 4
    options = _means(written, one)[:1]
    unset = _set_only_by(written, one)
    doubts = (Doubt(f"{unset} may not be set after it", DoubtKind.UNSET),) if unset else ()
    for option in negate_options(options) if is_denied else options:
        shifted = code.replace("\n", f"\n{indent}") if '"""' not in code and "'''" not in code else code
        column = " " * one.col_offset
        branch = f"if {option.text}:\n{indent}{column}{shifted}"
        if was := written.replaced(one):
            branch += (
                f"\n{column}{was}"
                if isinstance(one, ast.Return)
                else f"\n{column}else:\n{indent}{column}{was}"
            )
        yield NodeRewrite(one, branch, _FIRST * option.weight, (*option.doubts, *doubts))


def _set_only_by(written: WrittenSyntax, statement: ast.stmt) -> str:
    """A local name that nothing in front of a statement sets."""
    source, function = written.source, written.source.function_of(statement)
    stored = [node for node in find_nodes(statement, ast.Name) if isinstance(node.ctx, ast.Store)]
    start = source.span(statement)[0]
    known = {parameter.arg for parameter in parameters(function)} if function is not None else set()
    for inner in find_nodes(function, ast.Name):
        if isinstance(inner.ctx, ast.Store) and source.span(inner)[0] < start:
            known.add(inner.id)
    return next((node.id for node in stored if node.id not in known), "")

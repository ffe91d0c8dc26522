"""What a condition means whose words no rule reads: the tests that a small network takes for likeliest."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.conditions.candidates import CandidateTest, ConditionPlace
from spark_tui.intent.conditions.condition_phrases import Phrase
from spark_tui.intent.conditions.condition_words import opposite_states
from spark_tui.intent.conditions.predicates import Predicate, predicate_of
from spark_tui.intent.conditions.ranking import rank_tests
from spark_tui.intent.conditions.sensible_tests import is_senseless
from spark_tui.intent.conditions.unsaid_parts import are_positive, words_denying
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import taken_for
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in, walk

ACTIONS = {
    "guard_raise": "raise",
    "guard_return": "return",
    "guard_message": "return",
    "skip_in_loop": "continue",
    "stop_loop": "break",
}
_BESIDE = frozenset(("also_allow", "also_require", "change_condition"))
_LEAST, _CLEAR, _SURE, _SURER = 0.3, 0.7, 0.99, 0.997
"""How likely a test is at least to be offered, to be the one that is offered, to need no mark where its words
name what it looks at, and where they do not."""
_RATHER = 0.95
"""The same to be offered in front of another one that a rule reads."""
_ABSENT = {"false", "none", "zero"}
_COMPARED = {"negative", "not_positive", "positive", "zero", "lt", "le", "gt", "ge"}
"""Tests of a number by its size, of which a rule reads the right one."""
_NEAR, _NEXT, _MOST = 0.15, 0.9, 3
_OF_SAME = 4.0
"""How much likelier a test is about what the test beside it looks at."""
_JOINED = re.compile(r"\s+(?:or|and|oder|und|ou|o|y)\s+|\s*,\s*")


def find_likely_tests(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """The tests that a text may mean where a function is named: one that is sure, one that is marked, or some
    to choose from. Of several orders each is done in one way, and what comes after an edit."""
    if not context.situation.guessing or not (context.named or "old" in anchor.extra):
        return []
    if context.quote(span) == "`" and isinstance(parsed(span.text), ast.Compare | ast.BoolOp | ast.UnaryOp):
        return [Option(span.text)]  # what is shown as code is meant, whatever its names are
    whole = _of_text(context, span.text, anchor)
    parts = _JOINED.split(span.text.strip())
    if len(parts) != 2 or (whole and whole[0].weight > _CLEAR):
        return whole
    found = [_of_text(context, part, anchor) for part in parts]
    if not all(found):
        return whole
    one, two = (item[0] for item in found)
    if one.text == two.text or min(one.weight, two.weight) < (whole[0].weight if whole else 0.0):
        return whole
    return [Option(f"{one.text} or {two.text}", min(one.weight, two.weight), (*one.doubts, *two.doubts))]


def prefer_likely_test(context: Context, span: Span, anchor: Anchor, known: list[Option]) -> list[Option]:
    """In front of what a rule reads: a test of something else, where that is by far the likeliest."""
    first = context.situation.earlier is None and known and not known[0].doubts
    read = parsed(known[0].text) if first and parsed(span.text) is None else None
    test = predicate_of(read) if read is not None else None
    found = _ranked_at(context, span.text, anchor) if test is not None else []
    if test is None or not found or found[0][0] < _RATHER:
        return known
    (odds, one), code = found[0], _written(found[0][1].test, context.source(anchor.path).tree)
    said = set(re.findall(r"\w+", span.text))
    if _spelled(read) & said and said.isdisjoint(_spelled(parsed(code))):
        return known  # it is about what the words name as it is spelled
    kinds = {one.test.kind, test.kind}
    same = one.test == test or (one.test.left == test.left and (kinds <= _ABSENT or kinds <= _COMPARED))
    # A length that a rule reads, *shorter than 8*, is none of the thing itself.
    if same or code in (known[0].text, re.sub(r"\Alen\(([\w.]+)\)", r"\1", known[0].text)):
        return known
    if _is_sure(odds, one, span.text) and not context.situation.several:
        return [Option(code, odds)]
    doubts = (taken_for(code, repr(span.text)),)
    return [Option(code, odds, doubts), Option(known[0].text, _LEAST, doubts)]


def _spelled(test: ast.expr | None) -> set[str]:
    """The names and the attributes in a test."""
    return names_in(test) | {node.attr for node in find_nodes(test, ast.Attribute)}


def _of_text(context: Context, text: str, anchor: Anchor) -> list[Option]:
    found = _ranked_at(context, text, anchor)
    best, tree = found[0][0] if found else 0.0, context.source(anchor.path).tree
    alone = context.situation.earlier is None and not context.situation.several
    if best < (_LEAST if alone else _CLEAR):
        return []
    if found and alone and _is_sure(best, found[0][1], text):
        return [Option(_written(found[0][1].test, tree), best)]
    near = [(odds, _written(one.test, tree)) for odds, one in found[:_MOST] if odds >= _NEAR * best]
    # Of tests to choose from, none stands out.
    weights = [odds if best >= _CLEAR else best * _NEXT**at for at, (odds, _) in enumerate(near)]
    shown = zip(weights, near, strict=True)
    return [Option(code, weight, (taken_for(code, repr(text)),)) for weight, (_, code) in shown]


def _is_sure(odds: float, candidate: CandidateTest, text: str) -> bool:
    """Whether a test needs no mark: by far the likeliest, and of what the text names."""
    return odds > (_SURE if Phrase(text).names(candidate.left.words) else _SURER)


def _ranked_at(context: Context, text: str, anchor: Anchor) -> list[tuple[float, CandidateTest]]:
    """The tests that a text may mean at an anchor; besides one that stands there, where it is changed."""
    source, root = context.source(anchor.path), anchor.node
    function = root if isinstance(root, Function) else source.function_of(root) if root is not None else None
    place = function or (root if isinstance(root, LOOPS) else None)
    if source.tree is None or root is None or place is None:
        return []
    owner = source.class_of(function) if function is not None else None
    action = ACTIONS.get(context.reading.intent, "other")
    found = rank_tests(text, context.situation.instruction, action, ConditionPlace.of(place, source, owner))
    found = _as_said([item for item in found if not _is_senseless(item[1].test, root, source)], text)
    found = _as_refused(_as_opposite(found, text), context)
    if "old" in anchor.extra:
        found = _of_named(found, text)
    found = _as_flags(found, text, context.situation.instruction, flag_names(source.tree))
    return _unlike(found, ast.unparse(root)) if context.reading.intent in _BESIDE else found


def _of_named(found: list[tuple[float, CandidateTest]], text: str) -> list[tuple[float, CandidateTest]]:
    """The tests of what a text names, if it names something: for what is there, unless the text denies it.
    The network has seen tests of what is refused."""
    phrase = Phrase(text)
    named = [item for item in found if phrase.names(item[1].left.words) and item[0] >= _NEAR**2]
    whole = sum(odds for odds, _ in named)
    if are_positive(text):
        named = [
            (odds, replace(one, test=Predicate("true", one.test.left)) if one.test.kind == "false" else one)
            for odds, one in named
        ]
    alone = found if found and found[0][0] >= _NEXT else []
    return [(odds / max(whole, 0.5), one) for odds, one in named] or alone


def _as_said(found: list[tuple[float, CandidateTest]], text: str) -> list[tuple[float, CandidateTest]]:
    """The tests for None alone, each with the odds of all tests of the same thing, where the words have
    `None`."""
    said, phrase = re.search(r"\b(?:not )?None\b", text), Phrase(text)
    named = [item for item in found if said is not None and phrase.names(item[1].left.words)]
    exact = [one for _, one in named if said is not None and f"is {said[0]}" in one.test.code]
    of_left = [sum(odds for odds, other in named if other.test.left == one.test.left) for one in exact]
    return sorted(zip(of_left, exact, strict=True), key=lambda item: -item[0]) or found


def _as_opposite(found: list[tuple[float, CandidateTest]], text: str) -> list[tuple[float, CandidateTest]]:
    """The tests, turned where the words say the opposite of what a thing is called: *closed* of `opened`."""
    said = set(Phrase(text).words)
    others = {other for word in said for other in opposite_states(word)} - said
    turned = {"true": "false", "false": "true"}
    return [
        (odds, replace(one, test=replace(one.test, kind=turned[one.test.kind])))
        if one.test.kind in turned and others & set(one.left.words)
        else (odds, one)
        for odds, one in found
    ]


def _as_refused(
    found: list[tuple[float, CandidateTest]], context: Context
) -> list[tuple[float, CandidateTest]]:
    """The tests, where something of a kind is not to be accepted: for that kind, and not for all others."""
    if not refuses_kind(context):
        return found
    return [
        (odds, replace(one, test=replace(one.test, kind="is_a")) if one.test.kind == "no_a" else one)
        for odds, one in found
    ]


def refuses_kind(context: Context) -> bool:
    """Whether an error is asked for by what is not to be accepted: *should not take strings*."""
    text = context.beside_slots().lower()
    denied = [*phrases.words("negations"), *phrases.words("denials")]
    refused = phrases.any_stands_in(phrases.words("allowing"), text) and phrases.any_stands_in(denied, text)
    return refused and not phrases.any_stands_in(phrases.words("restricting"), text)


def _is_senseless(test: Predicate, root: ast.AST, source: Source) -> bool:
    code = parsed(test.code)
    return code is None or is_senseless(code, root, source)


def _as_flags(
    found: list[tuple[float, CandidateTest]], text: str, instruction: str, known: set[str]
) -> list[tuple[float, CandidateTest]]:
    """What is only True or False is tested for that alone; where it is said and not denied, for True."""
    phrase, out = Phrase(text), dict[Predicate, tuple[float, CandidateTest]]()
    denied = words_denying(text) or "only" in instruction.lower().split()
    for odds, one in found:
        if one.left.code.rpartition(".")[2] in known:
            if one.test.kind not in ("true", "false"):
                continue
            if not denied and phrase.names(one.left.words):
                one = replace(one, test=Predicate("true", one.test.left))
        before = out.get(one.test, (0.0, one))[0]
        out[one.test] = before + odds, one
    return sorted(out.values(), key=lambda item: -item[0])


def _unlike(found: list[tuple[float, CandidateTest]], beside: str) -> list[tuple[float, CandidateTest]]:
    """The tests besides the one that stands there; those of the same things are likelier."""
    other = [
        (odds * _OF_SAME if one.test.left in beside else odds, one)
        for odds, one in found
        if one.test.code != beside
    ]
    whole = max(sum(odds for odds, _ in other), 1.0)
    return sorted(((odds / whole, one) for odds, one in other), key=lambda item: -item[0])


def _written(test: Predicate, tree: ast.AST | None) -> str:
    """The test as the file would write it: a path is asked by its own method."""
    if test.kind in ("exists", "not_exists") and _is_path(test.left, tree):
        return f"{'not ' * (test.kind == 'not_exists')}{test.left}.exists()"
    shown = replace(test, right=_quoted(test.right)).code
    return shown if parsed(shown) is not None else test.code


def _quoted(right: str) -> str:
    return f'"{right[1:-1]}"' if right[:1] == "'" and '"' not in right else right


def _is_path(code: str, tree: ast.AST | None) -> bool:
    methods = ("exists", "open", "read_text", "write_text", "is_file", "unlink", "mkdir", "stat")
    used = (node for node in find_nodes(tree, ast.Attribute) if node.attr in methods)
    return any(ast.unparse(node.value) == code for node in used)


def flag_names(tree: ast.AST | None) -> set[str]:
    """The last names of a file that are set to True or False and to no other constant."""
    values: dict[str, set[bool]] = {}
    for node in walk(tree):
        pairs = []
        if isinstance(node, ast.Assign):
            pairs = [(ast.unparse(target), node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(ast.unparse(node.target), node.value)]
        elif isinstance(node, Function):
            pairs = list(defaults(node).items())
        for code, value in pairs:
            if isinstance(value, ast.Constant):
                values.setdefault(code.rpartition(".")[2], set()).add(isinstance(value.value, bool))
    return {name for name, kinds in values.items() if kinds == {True}}

"""Calls that add guards, skip rounds of loops, and end loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.comprehensions import left_out
from spark_tui.intent.builders.control_flow.field_guards import guarded_fields
from spark_tui.intent.builders.control_flow.first_round import says_first, without_first
from spark_tui.intent.builders.control_flow.guard_errors import (
    leave_otherwise,
    raise_options,
    raised_as_said,
    raised_where_said,
)
from spark_tui.intent.builders.control_flow.guard_examples import of_example
from spark_tui.intent.builders.control_flow.guard_spots import (
    bound_result,
    doubts_of_branch,
    guard_spot,
    is_given_outside,
    is_unset,
    names_tested,
)
from spark_tui.intent.builders.control_flow.loop_conditions import of_rounds
from spark_tui.intent.builders.control_flow.raised_alike import raised_statuses
from spark_tui.intent.builders.control_flow.returned_early import printed_first, return_options, turned_round
from spark_tui.intent.builders.control_flow.searches import at_end_of_search
from spark_tui.intent.building.building import Built, build_at, builder, call, found, place, word
from spark_tui.intent.building.forms_here import end_of_body
from spark_tui.intent.conditions.by_failure import (
    find_by_failure,
    find_for_error,
    find_for_object,
    prefer_presence_test,
)
from spark_tui.intent.conditions.condition_subjects import find_result_variable
from spark_tui.intent.conditions.condition_words import errors_said
from spark_tui.intent.conditions.empty_results import find_empty_result
from spark_tui.intent.conditions.guard_places import (
    SETS,
    changed_in,
    end_behind_opposite,
    given_by,
    given_names,
    is_created_by,
    last_needed_assignment,
    same_test,
    sets_name,
)
from spark_tui.intent.conditions.known_values import find_overdrawn, find_unlisted
from spark_tui.intent.conditions.likely_tests import prefer_likely_test
from spark_tui.intent.conditions.none_defaults import doubts_of_default, exclude_none_defaults
from spark_tui.intent.conditions.sensible_tests import keep_sensible
from spark_tui.intent.conditions.told_states import find_state
from spark_tui.intent.conditions.without_subject import with_parameter
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.facts.expression_types import returns_alike
from spark_tui.intent.facts.http_statuses import AS_ELSEWHERE, failing_like, status_said
from spark_tui.intent.values.converters.of_slots import CONVERTERS, SlotWords
from spark_tui.intent.values.literals.moments import find_moment_condition
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import unused
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import LEAVING, walk

_IN_INNER = 0.2
"""How likely a function is meant beside the one that has it inside, and was given what is tested."""
_OTHER_LOOP = 0.2
"""How likely a loop is meant beside one whose items are called as in the words."""


def conditions_of(context: Context, anchor: Anchor) -> list[Option]:
    """What the words of the condition mean; of several pieces the longest, doubted if more mean something."""
    spans = context.reading.slots.get("condition", ())
    if not spans:
        return find_for_error(context, anchor)
    longest = [with_parameter(one, anchor.node) for one in sorted(spans, key=lambda span: -len(span.text))]
    unset: list[Option] = []
    tests_of = cache(lambda span: CONVERTERS["condition"](SlotWords(context, span, anchor)))
    for one in longest:
        if found := (
            of_example(context, one, anchor)
            or find_empty_result(context, one, anchor)
            or find_moment_condition(context, one, anchor)
            or find_overdrawn(context, one, anchor)
            or tests_of(one)
        ):
            found = find_result_variable(context, anchor, find_for_object(context, anchor, found))
            found = prefer_presence_test(context, one, anchor, found)
            found = keep_sensible(context, one, anchor, prefer_likely_test(context, one, anchor, found))
            others = [each for each in spans if (each.start, each.end) != (one.start, one.end)]
            doubts = [unused(each.text) for each in others if _means_more(tests_of(each), found)]
            found = [replace(option, doubts=(*option.doubts, *doubts)) for option in found]
            known = [item for item in found if not is_unset(context, anchor, item.text)]
            if known or not found:
                return known
            unset = unset or found
    told = (
        found
        for span in longest
        if (found := keep_sensible(context, span, anchor, find_by_failure(context, span, anchor)))
        or (found := find_unlisted(context, span, anchor))
    )
    return next(told, unset)


def _means_more(meant: list[Option], known: list[Option]) -> bool:
    """Whether words mean a test, and none of those that are known."""
    return bool(meant) and {option.text for option in meant}.isdisjoint(option.text for option in known)


def find_functions_to_guard(context: Context) -> list[tuple[Anchor, list[Option]]]:
    """The functions in which the condition means something. Those whose own names it uses count."""
    if not context.has("condition") and not errors_said(context):
        raise Unresolved("the instruction names no condition")
    out = []
    every = found(context, "function") + anchors(context, "function")[6:]
    for anchor in [replace(item, weight=item.area.weight) for item in every if _makes(item)] or every:
        options = conditions_of(context, anchor)
        if options:
            # Where the attribute is set that is tested, a guard on it is meant.
            node = anchor.node or ast.Pass()
            tested = names_tested(options[0].text)
            tested |= {f"self.{item}" for item in tested}
            fields = {item for item in tested if is_created_by(node, item)}
            setting = [inner for inner in walk(node) if isinstance(inner, SETS)]
            here = 4.0 if any(sets_name(inner, name) for inner in setting for name in fields) else 1.0
            here *= _IN_INNER if is_given_outside(context, anchor, options[0].text) else 1.0
            out.append((replace(anchor, weight=here * anchor.weight * options[0].weight), options))
    if not out:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")
    whole = sum(anchor.weight for anchor, _ in out)
    best = max(anchor.weight for anchor, _ in out)
    if len(out) > 1 and not context.named:
        scale = max(0.9, best)
        out = [(replace(anchor, weight=scale * anchor.weight / whole), options) for anchor, options in out]
    elif not context.named:
        out = [(replace(out[0][0], weight=0.9, doubts=()), out[0][1])]
    out.sort(key=lambda item: -item[0].weight)
    return out[:4]


def _makes(anchor: Anchor) -> bool:
    """Whether a function makes the objects of a class that is named in the place of a function."""
    node, owner = anchor.node, anchor.area.node
    return (
        isinstance(owner, ast.ClassDef)
        and isinstance(node, Function)
        and node.name == "__init__"
        and node in owner.body
    )


def _is_allowed(context: Context) -> bool:
    """Whether an instruction allows something, and forbids nothing."""
    text = context.beside_slots().lower()
    against = (word for kind in ("negations", "denials", "restricting") for word in phrases.words(kind))
    return phrases.any_stands_in(phrases.words("allowing"), text) and not phrases.any_stands_in(against, text)


@builder("guard_raise")
def guard_raise(context: Context) -> Iterator[Built]:
    if not context.has("exception") and _is_allowed(context):
        raise Unresolved("what is to be allowed is no error")
    if raised := list(at_end_of_search(context, raise_options)) or list(raised_statuses(context)):
        yield from raised
        return
    if elsewhere := guarded_fields(context, of_class=True) or raised_as_said(context):
        yield from elsewhere
        return
    try:
        guarded = find_functions_to_guard(context)
    except Unresolved:
        if not (elsewhere := guarded_fields(context) or raised_where_said(context)):
            raise
        yield from elsewhere
        return
    tested = re.findall(r"self\.\w", "".join(option.text for _, options in guarded for option in options[:1]))
    if tested and not context.placed and (of_field := guarded_fields(context)):
        yield from of_field
        return
    for anchor, options in guarded:
        for condition in options:
            for action in raise_options(context, anchor, condition.text):
                made = _guard(context, anchor, condition.text, action.text)
                weight = anchor.weight * (condition.weight / options[0].weight) * action.weight
                unasked = [*doubts_of_default(anchor.node, condition.text)]
                unasked += doubts_of_branch(context, anchor, condition.text)
                yield Built((made,), weight, (*anchor.doubts, *condition.doubts, *action.doubts, *unasked))


@builder("guard_return")
def guard_return(context: Context) -> Iterator[Built]:
    if context.has("result") and (ended := list(at_end_of_search(context, _returns))):
        yield from ended
        return
    status = status_said(context.text("result"))
    every = [
        (anchor, options, return_options(context, anchor, status))
        for anchor, options in find_functions_to_guard(context)
    ]
    if not any(results for _, _, results in every):
        raise Unresolved(f"{context.text('result')!r} was not understood as a value")
    for anchor, options, results in every:
        first, source = printed_first(context, anchor), context.source(anchor.path)
        for condition in options:
            if (turned := turned_round(context, anchor, condition)) is not None:
                yield turned
                continue
            bound = [] if context.has("result") else bound_result(context, anchor, condition.text)
            for result in (*bound, *results):
                alike = failing_like(source, status)
                action = alike or f"{first}\nreturn {result.text}".strip()
                made = _guard(context, anchor, condition.text, action)
                weight = anchor.weight * (condition.weight / options[0].weight) * result.weight
                weight *= 1.0 if context.named else returns_alike(anchor.node, parsed(result.text), source)
                doubts = (AS_ELSEWHERE,) if alike and alike not in source.text else ()
                doubts = (*doubts, *(() if alike else result.doubts))
                doubts = (*doubts, *doubts_of_branch(context, anchor, condition.text))
                yield Built((made,), weight, (*anchor.doubts, *condition.doubts, *doubts))


def _returns(context: Context, anchor: Anchor, _condition: str) -> list[Option]:
    return [replace(item, text=f"return {item.text}".strip()) for item in return_options(context, anchor)]


@builder("skip_in_loop")
def skip_in_loop(context: Context) -> Iterator[Built]:
    if says_first(context):
        yield from without_first(context)
        return
    if not anchors(context, "loop") and (made := list(left_out(context))):
        yield from made
        return
    yield from _in_loops(context, "continue")


@builder("stop_loop")
def stop_loop(context: Context) -> Iterator[Built]:
    if context.has("condition"):
        yield from _in_loops(context, "break")
        return
    for anchor in found(context, "loop", "loop"):
        inside = [stmt for stmt in getattr(anchor.node, "body", ()) if isinstance(stmt, ast.If)]
        for inner in inside[:2]:
            last = inner.body[-1]
            if isinstance(last, ast.Break | ast.Return | ast.Continue | ast.Raise):
                continue
            spot = place(context, replace(anchor, node=last))
            made = call("insert_statements", place=spot, code="break", side="after")
            yield build_at(anchor, made, weight=1 / len(inside))


def _in_loops(context: Context, action: str) -> Iterator[Built]:
    count = 0
    loops = found(context, "loop", "loop")
    said = {without_s(key(text)) for text in re.findall(r"\w+", context.text("condition"))}
    called = [said & {without_s(key(name)) for name in given_names(item.node)} for item in loops if item.node]
    for anchor in loops:
        loop = anchor.node
        assert loop is not None
        given = given_by(loop)
        bound = changed_in(loop)
        later = set[str]().union(*map(given_by, walk(loop))) - given
        span = context.span("condition")
        states = find_state(context, span, anchor) if span is not None else []
        rounds = states or of_rounds(context, anchor)
        rounds = keep_sensible(context, span, anchor, rounds) if span is not None else rounds
        for condition in rounds or conditions_of(context, anchor):
            names = names_tested(condition.text)
            if names & later:
                continue
            inside = 0.5 if given else 0.9
            fits = 1.0 if names & given else inside if names & bound else 0.25
            weight = anchor.weight * condition.weight * fits
            if any(called) and not said & {without_s(key(name)) for name in given}:
                weight *= _OTHER_LOOP
            count += 1
            doubts = (*anchor.doubts, *condition.doubts)
            yield Built((_guard(context, anchor, condition.text, action),), weight, doubts)
    if not count:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")


def _guard(context: Context, anchor: Anchor, condition: str, action: str) -> Operation:
    """The call that puts a guard in front of what needs it: at the start of a function or round, after what
    sets its names, or before the expression that fails without it."""
    assert anchor.node is not None
    condition = exclude_none_defaults(anchor.node, condition)
    there = same_test(anchor.node, condition)
    if there is not None:
        return leave_otherwise(context, anchor, there.body, action)
    last = end_behind_opposite(anchor.node, condition) if action.strip() != "return" else None
    if last is not None:
        return leave_otherwise(context, anchor, [last], action)
    lines = "".join(f"\n    {line}" for line in action.splitlines())
    beside, side = guard_spot(context, anchor, condition)
    end = end_of_body(context) if isinstance(anchor.node, Function) else ""
    if end == "end":
        spot = word(context, "in", anchor)
        return call("insert_statements", place=spot, code=f"if {condition}:{lines}", side=end)
    needed = last_needed_assignment(anchor.node, names_tested(condition))
    if beside is None or (end and needed is None):
        spot = word(context, "in" if isinstance(anchor.node, Function) else "line", anchor)
        if not isinstance(ast.parse(action).body[-1], LEAVING):  # abort(404)
            return call("insert_statements", place=spot, code=f"if {condition}:{lines}", side="start")
        return call("add_guard", place=spot, condition=condition, action=action)
    spot = place(context, replace(anchor, node=beside))
    return call("insert_statements", place=spot, code=f"if {condition}:{lines}", side=side)

"""What is raised: another exception, one where an assertion, a print or a log call was, with or without its
cause."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.builders.control_flow.guard_errors import raise_options
from spark_tui.intent.builders.control_flow.raised_alike import with_message
from spark_tui.intent.builders.texts.said_values import keep_fitting
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, place, word
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.condition_messages import write_condition_message
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.shown_messages import is_exit
from spark_tui.intent.texts.printed_texts import words_of_call
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.values.converters.replaced_statements import raise_for_assert
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed, not_said
from spark_tui.intent.words.kinds_of_words import kind_said, says

_CAUSE_MEANT = Doubt("the caught error was assumed to be meant as the cause", DoubtKind.MEANT)


@builder("change_raised")
def change_raised(context: Context) -> Iterator[Built]:
    for anchor in found(context, "raise:old", "raise"):
        if isinstance(anchor.node, ast.Assert):
            yield from _raised_for(context, anchor, anchor.node)
        else:
            yield from raised_otherwise(context, anchor)


def raised_otherwise(context: Context, anchor: Anchor) -> Iterator[Built]:
    """A `raise` of another exception, with the same arguments where none are given."""
    node, source = anchor.node, context.source(anchor.path)
    assert isinstance(node, ast.Raise)
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    assert kind is not None
    given = message_given(context)
    old: ast.expr | None = node.exc if given else kind
    assert old is not None
    args = [*node.exc.args, *node.exc.keywords] if isinstance(node.exc, ast.Call) and not given else []
    for option in filled(context, "{exception:exception}", anchor) or ():
        new = f"{option.text}({given})" if given else option.text
        if new == source.segment(old):
            continue
        own = len(args) > 1 and hasattr(builtins, new) and not hasattr(builtins, ast.unparse(kind))
        kept = (assumed(f"{new} was assumed to take what {ast.unparse(kind)} does"),) if own else ()
        made = replace_code(context, replace(anchor, node=old), new)
        yield build_at(anchor, made, option=option, doubts=kept)


def _raised_for(context: Context, anchor: Anchor, node: ast.Assert) -> Iterator[Built]:
    """An exception that is raised where an assert failed, with its message."""
    message_text = filled(context, "{message:message}", anchor)
    text = message_text[0].text if message_text else message_given(context)
    source = context.source(anchor.path)
    for option in filled(context, "{exception:exception}", anchor) or ():
        made_up = literal(write_condition_message(negate_code(ast.unparse(node.test))), source)
        error = with_message(context, anchor, option.text, text or made_up, node.lineno)
        raised = f"raise {error if text or ',' in error else option.text}"
        code = raise_for_assert(source, node, raised)
        made = call("replace_statements", place=place(context, anchor), code=code)
        yield build_at(anchor, made, option=option)


def message_given(context: Context) -> str:
    """The arguments that stand after the exception in the instruction: `raise Exit(1)`."""
    span = context.span("exception")
    text = context.situation.instruction
    shown = re.match(r"[\w.]+", text[span.start :]) if span is not None and span.start >= 0 else None
    if span is None or shown is None:
        return ""
    ends = (span.start + match.end() for match in re.finditer(r"\)", text[span.start :]))
    code = next((text[span.start : end] for end in ends if parsed(text[span.start : end]) is not None), "")
    inner = code[len(shown[0]) + 1 : -1]
    called = code.startswith(f"{shown[0]}(") and isinstance(parsed(code), ast.Call)
    return inner if called and inner != "..." else ""


def without_cause(context: Context) -> bool:
    """Whether `from None` is said, and not as one of two ways."""
    text = context.situation.instruction.lower()
    return bool(re.search(r"\bfrom\s+none\b", text)) and not re.search(
        r"\bfrom\s+(?!none\b)\w+`\s*\w+\s*`", text
    )


@builder("raise_from")
def raise_from(context: Context) -> Iterator[Built]:
    """Chain raises to the caught error, or to `None` where the instruction says so."""
    for anchor in found(context, "raise_in_handler:exception", "raise in an except"):
        bare = isinstance(anchor.node, ast.Raise) and anchor.node.cause is None
        if not bare and not without_cause(context):
            continue
        cause = "None" if bare and without_cause(context) else ""
        doubts = () if phrases.mentions("causes", context.beside_slots()) else (_CAUSE_MEANT,)
        made = call("raise_from", place=place(context, anchor), cause=cause)
        yield build_at(anchor, *_named_cause(context, anchor, cause), made, doubts=doubts)


def _named_cause(context: Context, anchor: Anchor, cause: str) -> Iterator[Operation]:
    """What gives the caught error the name that is said: *from err*."""
    said = re.search(r"(?<!\w)from\s+`?(e|err|error|exc|ex|exception)`?(?!\w)", context.situation.instruction)
    source = context.source(anchor.path)
    around = source.ancestors(anchor.node) if anchor.node is not None else ()
    handler = next((one for one in around if isinstance(one, ast.ExceptHandler)), None)
    if said is not None and handler is not None and handler.name is None and not cause:
        yield call("name_exception", place=word(context, "line", replace(anchor, node=handler)), name=said[1])


@builder("raise_for_print")
def raise_for_print(context: Context) -> Iterator[Built]:
    spots = _said(context)
    if not spots:
        yield from _for_return(context)
        return
    for anchor in spots[: context.most_places]:
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        behind = source.following(node)
        doubts = anchor.doubts
        if behind and not _leaves(behind[0]):
            doubts = (*doubts, "the code after it is no longer reached")
        errors = filled(context, "{exception:exception}", anchor)
        if not errors:
            errors, doubts = [Option("ValueError")], (*doubts, not_said("the error was not given"))
        told = filled(context, "{message:message}", anchor)
        text = told[0].text if told and told[0].text else words_of_call(source, node.value)
        handler = next(
            (ancestor for ancestor in source.ancestors(node) if isinstance(ancestor, ast.ExceptHandler)), None
        )
        cause = f" from {handler.name}" if handler is not None and handler.name else ""
        last = behind[0] if behind and _leaves(behind[0]) else None
        spot = place(context, Anchor(anchor.area, node, last=last))
        for error in errors[:2]:
            code = f"raise {error.text}({text}){cause}"
            edit = call("replace_statements", place=spot, code=code)
            yield Built((edit,), anchor.weight * error.weight, (*doubts, *error.doubts))


def _for_return(context: Context) -> Iterator[Built]:
    """An error in the place of the one `return` of a constant that is named: *rather than return None*."""
    words = re.findall(r"[\w.'\"-]+", context.text("old"))
    spots = [
        anchor
        for anchor in anchors(context, "return")
        if isinstance(anchor.node, ast.Return)
        and isinstance(anchor.node.value, ast.Constant)
        and ast.unparse(anchor.node.value) in words
    ]
    if len(spots) != 1:
        raise Unresolved("nothing is printed there")
    source, node = context.source(spots[0].path), spots[0].node
    around = source.parents.get(node) if node is not None else None
    test = ast.unparse(around.test) if isinstance(around, ast.If) and node in around.body else ""
    for action in raise_options(context, spots[0], test):
        code = action.text if test else re.sub(r"\(.*\)\Z", "", action.text)
        edit = call("replace_statements", place=place(context, spots[0]), code=code)
        yield build_at(spots[0], edit, option=action)


def _said(context: Context) -> list[Anchor]:
    """The prints, log calls and exits that are meant, the nearest first."""
    old_text = unquoted(context.text("old"))
    words = {word for word in split_name(old_text) if len(word) > 2}
    every = anchors(context, "written_out")
    exact = [anchor for anchor in every if old_text and old_text in anchor.words["text"]]
    alike = [anchor for anchor in every if words & set(split_name(anchor.words["text"]))]
    beside = context.beside_slots()
    kind = kind_said("message_kinds", beside)
    of_kind = [anchor for anchor in every if anchor.words["kind"] == kind]
    if says("leaving", "exit", beside):
        of_kind = [anchor for anchor in every if anchor.words["leaves"]] or of_kind
    found = exact or alike or of_kind or every
    told = re.findall(r"\w+", context.situation.instruction)
    found = [anchor for anchor in found if anchor.words["returns"] in told] or found
    return keep_fitting(found, every) if len(found) < len(every) else every


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement only leaves: a return of nothing much, an exit, the next round."""
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant | ast.UnaryOp)
    return is_exit(node) or isinstance(node, ast.Continue | ast.Break | ast.Pass)

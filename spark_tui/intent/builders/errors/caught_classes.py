"""What a handler catches in place of what it catches now."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, of_table, word
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.finders.blocks import class_name, exceptions_of
from spark_tui.intent.words.doubts import not_said

_UNSAID = not_said("the error to catch was not given")


@builder("set_except")
def set_except(context: Context) -> Iterator[Built]:
    """What is caught instead of all that a handler catches, or of the one of its classes that is named."""
    for anchor in _handlers(context):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        old = key(class_name(context.text("old"))).rpartition(".")[2]
        now = exceptions_of(node.type)
        for option in filled(context, "{exception:exception}", anchor) or _unsaid(now):
            new = option.text.strip("()").split(", ")
            if old in [key(text.rpartition(".")[2]) for text in now]:
                each = [new if key(text.rpartition(".")[2]) == old else [text] for text in now]
                new = list(dict.fromkeys(item for part in each for item in part))
            elif set(now) <= set(new):
                new = list(dict.fromkeys((*now, *new)))  # no more than added
            made = call(
                "set_except",
                place=word(context, "line", anchor),
                new=f"({', '.join(new)})" if len(new) > 1 else new[0],
            )
            doubts = (*anchor.doubts, *option.doubts, *([] if old else _unlike(now, new)))
            yield Built((made,), anchor.weight * option.weight, doubts)


@builder("unwrap_try")
def unwrap_try(context: Context) -> Iterator[Built]:
    """A class that is named and caught with others is caught no more; else the `try` goes."""
    named = key(class_name(context.text("exception"))).rpartition(".")[2]
    for anchor in anchors(context, "handler:exception") if named else ():
        now = exceptions_of(anchor.node.type) if isinstance(anchor.node, ast.ExceptHandler) else []
        left = [text for text in now if key(text.rpartition(".")[2]) != named]
        if left and len(left) < len(now):
            new = f"({', '.join(left)})" if len(left) > 1 else left[0]
            yield build_at(anchor, call("set_except", place=word(context, "line", anchor), new=new))
            return
    yield from of_table(context, "unwrap_try")


def _unlike(now: list[str], new: list[str]) -> Iterator[str]:
    """A doubt where builtin classes would be caught that have nothing to do with those caught now."""
    old, kinds = (
        [kind for name in names if isinstance(kind := getattr(builtins, name, None), type)]
        for names in (now, new)
    )
    related = any(issubclass(kind, item) or issubclass(item, kind) for kind in kinds for item in old)
    if len(old) == len(now) > 0 and len(kinds) == len(new) and not related:
        yield f"{', '.join(now)} would not be caught any more"


def _handlers(context: Context) -> list[Anchor]:
    """The handlers that are meant: those on a line whose number is said, and bare ones where no class is."""
    known = found(context, "handler:old", "except")
    rows = {int(item) for item in re.findall(r"(?<![\w.])\d+", context.situation.instruction)}
    here = [item for item in known if getattr(item.node, "lineno", 0) in rows]
    bare = [item for item in known if isinstance(item.node, ast.ExceptHandler) and item.node.type is None]
    return here or (known if context.has("exception") else bare)


def _unsaid(now: list[str]) -> list[Option]:
    """What a bare `except` of which a linter tells catches from then on: all but an end of the program."""
    return [] if now else [Option("Exception", 0.9, (_UNSAID,))]

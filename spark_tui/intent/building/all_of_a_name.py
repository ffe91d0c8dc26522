"""*Everywhere*, said of a name that several classes, functions or modules define: all of them are meant."""

from __future__ import annotations

import re

from spark_tui.codemods.families.names.rename import Rename, RenameAll
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import NewName, Symbol
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.matches import INNER
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.symbol_kinds import is_member
from spark_tui.intent.words import phrases


def may_mean_all(context: Context, found: int) -> bool:
    """Whether all variables of one name in the file may be meant by a rename: all were found, and neither a
    place nor a number is said."""
    if context.reading.intent != "rename" or found >= context.most_places:
        return False
    if context.placed or context.situation.focused:
        return False
    other_words = re.findall(r"\w+", context.beside_slots().lower())
    return not any(phrases.is_said("both", word) or phrases.lookup("numbers", word) for word in other_words)


def is_here(rename: Operation, context: Context) -> bool:
    """Whether what is renamed stands in the file in view."""
    return str(getattr(rename, "target", "")).partition("::")[0] == context.situation.path


def outer_symbols(symbols: set[str], context: Context) -> set[str]:
    """The symbols, as they are written, that are neither a parameter nor a local."""
    inner = context.names.find(context.text("symbol"), INNER, everywhere=context.reading.everywhere)
    return symbols - {item.symbol for item in inner}


def all_of_a_name(likeliest: Operation, outer: set[str], context: Context) -> RenameAll | None:
    """The rename of everything of one name; None where the only such symbol is one of a module, whose name a
    local does not share for a reason, and where a place, a class or an exception is named."""
    reading, old = context.reading, plain_name(context.text("symbol"))
    names = [Symbol.parse(item).name.rpartition(".") for item in outer]
    several = len(outer) > 1 or bool(names[0][0])
    exact = all(last == old for *_, last in names)
    bounded = reading.left_out or context.placed or context.named or is_member(context.text("symbol"))
    if not (several and exact and reading.everywhere) or bounded or not isinstance(likeliest, Rename):
        return None
    return RenameAll(NewName(old), likeliest.new)

"""Entries and defaults that a value for a variable seldom means: with a new key, or where there was none."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.families.values.items import SetEntry
from spark_tui.codemods.families.values.replacement import VARIABLES
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function


def is_no_key(context: Context, made: Built) -> bool:
    """Whether an entry gets a key that no one quoted and that only describes what there is: words, a pronoun,
    a word in other letters than the code, or a variable that no key of the file is called like."""
    span, entry = context.span("variable"), made.calls[0]
    if not isinstance(entry, SetEntry) or span is None or span.quoted:
        return False
    text = span.text.strip()
    told = " " in text or not text.isascii() or phrases.is_said("pronouns", text)
    told = told or (_is_variable(context, text) and not re.search(rf"([\"']){text}\1", _text(context)))
    name = parsed(entry.key)
    return told and isinstance(name, ast.Constant) and name.value == text


def is_first_default(context: Context, made: Built) -> bool:
    """Whether a parameter that is only called alike gets a default that it did not have."""
    given = made.calls[0]
    if not isinstance(given, SetDefault) or key(str(given.name)) == key(plain_name(context.text("variable"))):
        return False
    found = find_symbol(context.repo, given.target)
    node = getattr(found, "node", None)
    return isinstance(node, Function) and default_of(node, str(given.name)) is None


def explain_lost_value(context: Context) -> str:
    """Why a variable gets no value: nothing is called so, or what is said is no value of its kind."""
    name = context.text("variable")
    known = context.has("value") and _is_variable(context, plain_name(name))
    told = f"{context.text('value')} was not understood as a value of {name}"
    return told if known else f"nothing called {name} is set to a value"


def _is_variable(context: Context, name: str) -> bool:
    return any(one.target.name == name for one in context.names.find(name, VARIABLES))


def _text(context: Context) -> str:
    return context.repo.index.text(context.situation.path) or ""

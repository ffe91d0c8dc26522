"""Messages that take away an argument of a function that has no parameter like it. Its calls that pass it are
what is left; what else has that name there is not meant: *drop the strict argument of load*."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from keyword import iskeyword

from spark_tui.codemods.slots import CALLABLE, SymbolKind
from spark_tui.intent.context.lookup import key, names_of, plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.symbol_kinds import kinds_said
from spark_tui.intent.names.options_named import OPTION_CALLS, called
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.planning.words_unheard import TAKES_AWAY
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_LIKELY = 0.05
"""How likely a reading has to be that takes an argument away."""
_PASSED = 0.9
"""How likely the calls are meant that pass what no parameter takes."""
_SLOTS = {"remove_parameter": ("parameter", "function"), "remove_argument": ("argument", "call")}


def missing_parameter_answer(order: Order, situation: Situation) -> Answer | None:
    """That there is nothing to do, where no call passes the argument either."""
    found = _named(order, situation)
    if found is None or _is_passed(found, situation, anywhere=True):
        return None
    name = plain_name(found[0].text)
    reason = f"{plain_name(found[1].text)} has no parameter {name}, and no call passes it"
    sentence = decision_settings()["sentences"]["nothing"].format(reason=reason)
    return Answer("nothing", reason=sentence, idle=reason)


def with_passed_argument(order: Order, situation: Situation) -> Order:
    """The order, as one about the calls where only they have the argument."""
    found = _named(order, situation)
    if found is None or not _is_passed(found, situation):
        return order
    slots = {"argument": (found[0],), "call": (found[1],)}
    return order.preferring(Reading("remove_argument", _PASSED, slots))


def _named(order: Order, situation: Situation) -> tuple[Span, Span] | None:
    """The argument and the function that an order names as such, if the function lacks it."""
    if situation.earlier is not None or not order.readings[0].intent.startswith(TAKES_AWAY):
        return None
    for reading in order.readings:
        if reading.intent not in _SLOTS or reading.probability < _LIKELY:
            continue
        name, owner = (reading.slots.get(slot, ()) for slot in _SLOTS[reading.intent])
        if len(name) != 1 or len(owner) != 1 or not _is_name(plain_name(name[0].text)):
            continue
        if kinds_said(name[0], situation.instruction) != {SymbolKind.PARAMETER}:
            continue
        functions = list(_functions(owner[0].text, situation))
        if functions and not any(_may_take(one, name[0].text) for one in functions):
            return name[0], owner[0]
    return None


def _is_name(text: str) -> bool:
    """Whether a word may be the name of a parameter, and does not only say which: *the second*."""
    told = phrases.lookup("ordinals", text) is not None or phrases.is_said("argument_kinds", text)
    return text.isidentifier() and not iskeyword(text) and not told


def _functions(text: str, situation: Situation) -> Iterator[Function]:
    name = plain_name(text)
    for one in names_of(situation.repo, situation.path).find(name, CALLABLE):
        if f".{one.target.qualname}".endswith(f".{name}") and isinstance(one.target.node, Function):
            yield one.target.node


def _may_take(function: Function, text: str) -> bool:
    """Whether something in a function has a parameter or an option that the word may mean, or takes any
    keyword."""
    wanted = key(plain_name(text))
    inner = [node for node in walk(function) if isinstance(node, Function)]
    known = [key(one.arg) for item in inner for one in parameters(item)]
    texts = [node.value for node in find_nodes(function, ast.Constant) if isinstance(node.value, str)]
    options = (
        item
        for node in find_nodes(function, ast.Call)
        if called_name(node) in OPTION_CALLS
        for item in called(node)
    )
    known += [key(text) for text in texts if text.startswith("-")]
    known += options
    return function.args.kwarg is not None or any(one and (wanted in one or one in wanted) for one in known)


def _is_passed(found: tuple[Span, Span], situation: Situation, anywhere: bool = False) -> bool:
    """Whether a call of the function is given a keyword of that name; `anywhere`: any of the file."""
    wanted, owner = (plain_name(one.text).rpartition(".")[2] for one in found)
    index = situation.repo.index
    for path in {*index.files_with_member(wanted), situation.path} & {*index.paths}:
        for call in find_nodes(index.source(path).tree, ast.Call):
            if any(given.arg and key(given.arg) == key(wanted) for given in call.keywords) and (
                called_name(call) == owner or (anywhere and path == situation.path)
            ):
                return True
    return False

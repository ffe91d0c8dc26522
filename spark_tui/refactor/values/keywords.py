# ruff: noqa: E501 - tables of words and forms read better unbroken
"""Keyword arguments that are spelled, and the calls that take them: *timeout=5 on every urlopen*, *allow delta=2*.

Comes in: an `Order`. Goes out: one edit of all calls that are meant. Must not know: how plain it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Change, parameters
from spark_tui.refactor.taken import TAKEN
from spark_tui.refactor.values.calls import as_the_file_quotes
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in

_GIVEN = re.compile(r"(?<![\w.`\"'])`?(?P<name>[A-Za-z_]\w*) ?= ?(?![=~])")
_VALUE = re.compile(r"(?:\"[^\"]*\"|'[^']*'|-?[\w.]+(?:\([^()]*\))?|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\})`?(?![\w(.\[])")
_FLAGS = re.compile(
    r"^(?:,? and|,) `?(?P<name>[a-z]+_[a-z_]+)`?(?![\w=.(])|(?:^|\s)`?(?P<front>[a-z]+_[a-z_]+)`? and $"
)
_EVERY = re.compile(r"\b(?:every|all|each|everywhere|both|any|always)\b", re.I)
_STOP = re.compile(
    r"\b(?:instead|rather|replace|def|signature|parameter|function|field|attribute|decorator|import|variable|default|without|remove|drop|constructor|constant|not|only|if|when|unless|assign\w*|store\w*|stored|set up|config\w*|top|bottom|end of|start of|before|after|above|below)\b",
    re.I,
)
_NOTHING = frozenset(
    words(
        "pass give hand add allow specify put include call calls use set with explicit explicitly keyword keywords argument arguments kwarg kwargs option options flag turn on every each everywhere always both too as well same missing should must needs get gets take takes pretty readable"
    )
)


_FOR = {"indent": "pretty print printed readable nicely format", "flush": "flush", "daemon": "daemon thread"}
"""What else people say for them."""
_SAID = re.compile(r"\b(?P<name>[a-z]+(?:_[a-z]+|[A-Z])\w*) (?:to|of|as) (?=\S)")
"""*Set backupCount to 5*: the name alone tells what it is."""


def _given(text: str) -> tuple[list[tuple[str, str]], str]:
    """Names with values, and the text without them; a flag beside them is true."""
    out: list[tuple[str, str]] = []
    rest, done = "", 0
    for match in _GIVEN.finditer(text):
        value = _VALUE.match(text, match.end())
        if value is None or match.start() < done or _not_code(value[0]):
            return [], text
        gap, done = text[done : match.start()], value.end()
        front = _FLAGS.search(gap)
        if front is not None and front["front"]:
            out.append((front["front"], "True"))
            gap = gap[: front.start()]
        rest += f"{gap} "
        out.append((match["name"], value[0].strip("`")))
        behind = _FLAGS.match(text[done:])
        if behind is not None and behind["name"]:
            out.append((behind["name"], "True"))
            done += behind.end()
    return out, f"{rest}{text[done:]}"


def _not_code(value: str) -> bool:
    try:
        ast.parse(value.strip("`"), mode="eval")
    except (SyntaxError, ValueError):
        return True
    return False


def _keywords(order: Order) -> Iterator[Edit]:
    spelled = _SAID.sub(
        lambda one: f"{one['name']}=" if one["name"] in TAKEN.keys() - order.identifiers else one[0], order.said
    )
    given, rest = _given(spelled)
    if not given or len({name for name, _ in given}) < len(given) or _STOP.search(rest):
        return
    src = order.src
    calls = [one for one in src.nodes if isinstance(one, ast.Call) and call_brackets(src, one) is not None]
    low, high = order.scope(rest)
    inside = [one for one in calls if low <= src.first_line(one) < high]
    places = {node.name for node in order.definitions(rest)}
    said = {one for one in re.findall(r"[\w.]+\w", rest) if one not in places}
    named = [one for one in inside if said & _ways_to_name(ast.unparse(one.func))]
    meant = named or [one for one in inside if all(_takes(order, one, name) for name, _ in given)]
    called = {ast.unparse(one.func).rpartition(".")[2] for one in meant}
    lacking = [one for one in meant if not any(have.arg in dict(given) or have.arg is None for have in one.keywords)]
    if len(called) != 1 and not (named and _EVERY.search(rest)) and not _one_kind(meant):
        return
    if not lacking or (len(lacking) < len(meant) and not _EVERY.search(rest)):
        return
    if len(lacking) > 1 and not _EVERY.search(rest):
        return
    if any(isinstance(arg, ast.GeneratorExp) for one in lacking if len(one.args) == 1 for arg in one.args):
        return
    changes: list[Change] = []
    for one in lacking:
        brackets = call_brackets(src, one)
        if brackets is not None:
            changes += put_in(
                src,
                brackets,
                arguments(src, one),
                [f"{name}={as_the_file_quotes(order, value)}" for name, value in given],
            )
    used = [
        *(ast.unparse(one.func) for one in meant),
        *places,
        *_NOTHING,
        *(f"{name} {value}" for name, value in given),
    ]
    yield order.edit(changes, *used, *(_FOR.get(name, "") for name, _ in given))


def _one_kind(calls: list[ast.Call]) -> bool:
    """`json.dump` and `json.dumps` are asked for in one breath."""
    return bool(calls) and len({ast.unparse(one.func).rstrip("s") for one in calls}) == 1


def _ways_to_name(called: str) -> set[str]:
    pieces = called.split(".")
    return {".".join(pieces[at:]) for at in range(len(pieces)) if len(pieces[-1]) > 2}


def _takes(order: Order, call: ast.Call, name: str) -> bool:
    """Whether a call is known to take a keyword: by its name, or by the function of the file that it calls."""
    called = ast.unparse(call.func)
    last = called.rpartition(".")[2]
    known = TAKEN.get(name, "").split()
    own = [one for one in order.src.functions if one.name == last]
    if own:
        return any(one.arg == name for function in own for one in parameters(function))
    return last in known or any("." in one and f".{called}".lower().endswith(f".{one}".lower()) for one in known)


RULES: tuple[Rule, ...] = (Rule(re.compile(rf"\w ?=(?!=)|{_SAID.pattern}"), _keywords),)

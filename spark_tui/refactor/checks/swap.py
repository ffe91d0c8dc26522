"""Exceptions that are there: another one is raised or caught, one more is caught, one is raised from another.

Comes in: an order. Goes out: edits of `raise` and `except` lines. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import text_literal
from spark_tui.refactor.checks.read import Reading, own_exceptions
from spark_tui.refactor.checks.roles import with_names
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source

_BUILTIN = frozenset(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)
)
_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_MENTION = re.compile(
    rf"(?<![\w.])\(\s*{_DOTTED}(?:\s*,\s*{_DOTTED})+\s*,?\s*\)|(?<![\w.])(?P<q>[`'\"]?){_DOTTED}(?P=q)(?![\w(]|\.\w)"
)
_SWAPPING = (
    "change changed replace replaced swap switch turn turned make use used instead of rather than not by with into to raise raises raised raising rase thrown throw throws catch catches caught catching except "
    "excepts exception exceptions handler handle handles handled clause block try type kind error errors wrong right correct correctly should better proper properly narrow narrower specific precise precisely "
    "expect expects expected callers caller library now can could happen happens happening what get gets got fix let lets through never uncaught nobody why would rather see be actual actually real must only just "
    "one looks come comes convert really prefer tighten restrict limit broad too bare everything anything all more less cathing excpet rasie cach here there it's its thing body in statement line that i'd tell"
)
_ADDING = "also catch handle too well as add another one more in addition besides additionally and extend widen tuple list except exception exceptions clause handler handlers same way block try to"
_ALSO = re.compile(r"\b(?:also|too|as well|in addition|additionally|besides|add\b|extend|another)\b", re.I)
_BARE = re.compile(r"\bbare[- ]except|\bexcept: |naked except|\bcatch(?:es|ing)? everything|\bexcept without", re.I)
_RAISING = re.compile(r"\b(?:rais\w*|rase|throw\w*)\b", re.I)
_CATCHING = re.compile(r"\b(?:catch\w*|caught|cathing|cach|except|excpet|handler?s?|try)\b", re.I)
_CONDITION = re.compile(r"\b(?:if|when(?! (?:you|u) )|unless|whenever|in case)\b", re.I)
_MEND = re.compile(r"\b(?:change|fix|adapt|adjust|update|mend) the (?:except|handler)", re.I)
_TOWARDS = (
    re.compile(r"(?P<new>@)\s*(?:instead of|rather than|,?\s*not|over)\s+(?:an?\s+|the\s+)?(?P<old>@)", re.I),
    re.compile(
        r"(?P<old>@)[^@]*?(?:->|=>|→|\bto\b|\binto\b|\bwith\b|\bby\b)\s+(?:an?\s+|the\s+)?(?:except )?(?P<new>@)", re.I
    ),
    re.compile(r"\bnot\s+(?P<old>@)[^@]*(?P<new>@)", re.I),
)


def is_exception(src: Source, name: str) -> bool:
    last = name.rpartition(".")[2]
    if not (last[:1].isupper() or "." in name):
        return False
    if name in _BUILTIN or last in own_exceptions(src) or re.search(r"(?:Error|Exception|Warning|Timeout)$", last):
        return True
    return re.search(rf"(?:\bexcept\s+\(?[^:\n]*|\braise\s+)(?<![\w.]){re.escape(name)}\b", src.text) is not None


class Mentions:
    """The exceptions that an order names, in its order, and the order with `@` in their places."""

    def __init__(self, reading: Reading) -> None:
        self.found: list[str] = []
        src = reading.src

        def mark(match: re.Match[str]) -> str:
            text = match[0].strip("`'\"")
            ones = re.findall(_DOTTED, text)
            quoted = bool(match["q"]) and re.fullmatch(r"[A-Z]\w*[a-z]\w*", text) is not None
            if (
                (all(is_exception(src, one) for one in ones) or quoted) and text not in ("Exception",)
            ) or text == "Exception":
                self.found.append(re.sub(r"\s*,\s*", ", ", text))
                return "@"
            return match[0]

        self.marked = _MENTION.sub(mark, reading.rest)

    def direction(self) -> tuple[str, str] | None:
        """Old and new, where the words tell."""
        for pattern in _TOWARDS:
            match = pattern.search(self.marked)
            if match is not None:
                old, new = (self.marked[: match.start(which)].count("@") for which in ("old", "new"))
                return self.found[old], self.found[new]
        return None


def _in_scope(reading: Reading, nodes: list[ast.AST]) -> list[ast.AST]:
    """Those in the functions and on the lines that are meant; those beside a line of code that is quoted come first."""
    src = reading.src
    functions = reading.functions()
    at = reading.line()
    if reading.named:
        spans = [(src.first_line(one), src.last_line(one)) for one in functions]
        nodes = [node for node in nodes if any(low <= src.first_line(node) < high for low, high in spans)]
    if at is not None:
        reading.take_line()
        exact = [node for node in nodes if src.first_line(node) <= at < src.last_line(node)]
        nodes = exact or [node for node in nodes if abs(src.first_line(node) - at) <= 2]
    if len(nodes) > 1:
        beside = re.search(
            r"\b(?:under|below|after|before|above|in|inside|within)\s+(?:the\s+)?`([^`]+)`", reading.rest
        )
        lines = [n for n, line in enumerate(src.lines) if beside and line.strip().startswith(beside[1].rstrip(":"))]
        if beside is not None and len(lines) == 1:
            near = min(abs(src.first_line(node) - lines[0]) for node in nodes)
            nodes = [node for node in nodes if abs(src.first_line(node) - lines[0]) == near]
    reading.take(
        re.compile(
            r"\b(?:right |just )?(?:under|below|after|before|above|near|on|in)\s+(?:the\s+)?`[^`]+`(?=\s|$|,)(?<!Error`)(?<!Exception`)"
        )
    )
    return nodes


def _raised(src: Source, node: ast.AST) -> str:
    """The exception that a `raise` names."""
    assert isinstance(node, ast.Raise)
    one = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return src.segment(one) if isinstance(one, ast.Name | ast.Attribute) else ""


def _caught(src: Source, node: ast.AST) -> list[str]:
    assert isinstance(node, ast.ExceptHandler)
    if node.type is None:
        return []
    ones = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return [src.segment(one) for one in ones]


def _swap(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    raises = _in_scope(reading, [node for node in src.nodes if isinstance(node, ast.Raise)])
    reading = Reading(order)
    handlers = _in_scope(reading, [node for node in src.nodes if isinstance(node, ast.ExceptHandler)])
    reading.rest, roles = with_names(src, reading.rest)
    reading.used += roles
    said = Mentions(reading)
    if not said.found or len(set(said.found)) > 2 or _CONDITION.search(said.marked):
        return
    raising, catching = _RAISING.search(said.marked), _CATCHING.search(said.marked)
    raising = None if _MEND.search(said.marked) else raising
    names = list(dict.fromkeys(said.found))
    used = (*reading.used, *names, _SWAPPING)
    if _BARE.search(order.said):
        for node in handlers:
            if isinstance(node, ast.ExceptHandler) and node.type is None and len(names) == 1:
                yield order.edit([_typed(src, node, names[0])], *used)
        return
    if len(names) == 2:
        toward = said.direction()
        pairs = [toward] if toward else [(names[0], names[1]), (names[1], names[0])]
        for old, new in pairs:
            in_raises = [node for node in raises if _raised(src, node) == old]
            in_handlers = [
                node for node in handlers if _spelled(_caught(src, node)) == _spelled(re.findall(_DOTTED, old))
            ]
            if toward is None and any(_raised(src, node) == new for node in raises) and in_raises:
                return
            if in_raises and in_handlers and bool(raising) is not bool(catching):
                in_raises, in_handlers = (in_raises, []) if raising else ([], in_handlers)
            if in_raises and not in_handlers and "," not in new:
                whole = (
                    len(in_raises) > 1
                    and reading.named
                    and re.search(r"\b(?:all|every|each|everywhere|them)\b", order.said, re.I)
                )
                edits = [[_other(src, node, new)] for node in in_raises]
                for changes in [[one for each in edits for one in each]] if whole else edits:
                    yield order.edit(changes, *used, "all every each everywhere")
            elif in_handlers:
                for node in in_handlers:
                    yield order.edit([_typed(src, node, new)], *used)
        return
    if _ALSO.search(said.marked + " " + order.instruction.partition(" ")[0]) and not raising:
        for node in handlers:
            have = _caught(src, node)
            if (
                have
                and not {"Exception", "BaseException"} & set(have)
                and not set(re.findall(_DOTTED, names[0])) & set(have)
            ):
                more = ", ".join([*have, *re.findall(_DOTTED, names[0])])
                yield order.edit([_typed(src, node, f"({more})")], *reading.used, *names, _ADDING)
    elif catching and not raising:
        if re.search(
            r"\bwrap|\baround\b|\bfrom\b|\breturn\b|\bpass\b|\blog\b|\bprint\b|\bignore\b|\badd\b", said.marked, re.I
        ):
            return
        for node in handlers:
            if _spelled(_caught(src, node)) != _spelled(re.findall(_DOTTED, names[0])):
                yield order.edit([_typed(src, node, names[0])], *used)
    elif raising and len(raises) == 1 and _raised(src, raises[0]) not in ("", names[0]) and "," not in names[0]:
        yield order.edit([_other(src, raises[0], names[0])], *used)


def _spelled(names: list[str]) -> list[str]:
    return sorted(names)


def _other(src: Source, node: ast.AST, new: str) -> Change:
    assert isinstance(node, ast.Raise) and node.exc is not None
    one = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return (*src.span(one), new)


def _typed(src: Source, node: ast.AST, new: str) -> Change:
    """The exceptions that a handler names become others."""
    assert isinstance(node, ast.ExceptHandler)
    if node.type is None:
        start = src.span(node)[0] + len("except")
        return start, start, f" {new}"
    start, end = src.span(node.type)
    if (
        src.text[start - 1 : start] == "("
        and isinstance(node.type, ast.Tuple)
        and not src.text[start:end].startswith("(")
    ):
        start, end = start - 1, end + 1
    return start, end, new


def _bare(order: Order) -> Iterator[Edit]:
    """*don't use a bare except*: what it should catch is not said."""
    reading = Reading(order)
    if Mentions(reading).found:
        return
    handlers = _in_scope(
        reading, [node for node in order.src.nodes if isinstance(node, ast.ExceptHandler) and node.type is None]
    )
    if handlers:
        words = "bare naked except no avoid don't dont do not use remove replace fix get rid of a the with without exception type clause change turn into proper real one catch everything handler"
        yield order.edit([_typed(order.src, node, "Exception") for node in handlers], *reading.used, words)


# -- raise from --------------------------------------------------------------------------------------------------------

_CHAINED = "raise raises raised from add chain chained exception exceptions error original cause keep preserve with the new e err exc should use proper properly link include context traceback too caught in except handler so we don't lose do not of to it as"


def _chain(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    none = re.search(
        r"\bfrom None\b|\b(?:hide|suppress|drop)\b.*\b(?:context|cause|original|traceback)\b", order.said, re.I
    )
    raises = [
        node
        for node in src.nodes
        if isinstance(node, ast.Raise)
        and node.exc is not None
        and node.cause is None
        and _handler(src, node) is not None
    ]
    found = _in_scope(reading, list(raises))
    names = [name for name in Mentions(reading).found if any(_raised(src, node) == name for node in found)]
    if names:
        found = [node for node in found if _raised(src, node) in names]
    for node in found:
        handler = _handler(src, node)
        assert handler is not None and isinstance(node, ast.Raise) and node.exc is not None
        if isinstance(node.exc, ast.Name) and node.exc.id == handler.name:
            continue
        spoken = re.search(r"\b(?:from|as)\s+`?(e|err|error|exc|ex|exception)\b(?!\s+(?:handler|clause))", order.said)
        name = handler.name or (spoken[1] if spoken else "e")
        end = src.span(node.exc)[1]
        changes: list[Change] = [(end, end, " from None" if none else f" from {name}")]
        if not none and handler.name is None:
            if handler.type is None:
                continue
            at = src.span(handler.type)[1]
            changes.append((at, at, f" as {name}"))
        yield order.edit(changes, *reading.used, *names, _CHAINED, name, "None hide suppress drop" if none else "")


def _handler(src: Source, node: ast.AST) -> ast.ExceptHandler | None:
    return next((one for one in src.ancestors(node) if isinstance(one, ast.ExceptHandler)), None)


# -- another message ---------------------------------------------------------------------------------------------------

_TOLD = "message text error exception change make say says should read raised raise the of to with be is instead set new it in wording use reads"


def _message(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    raises = _in_scope(reading, [node for node in src.nodes if isinstance(node, ast.Raise)])
    said = Mentions(reading)
    texts = re.findall(r"\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)", said.marked)
    about = re.search(r"\b(?:message|error|exception|rais\w*)\b", order.said, re.I) or said.found
    if len(texts) != 1 or len(said.found) > 1 or not about:
        return
    text = texts[0][0] or texts[0][1]
    for node in raises:
        assert isinstance(node, ast.Raise)
        if said.found and _raised(src, node) != said.found[0]:
            continue
        if (
            isinstance(node.exc, ast.Call)
            and len(node.exc.args) == 1
            and not node.exc.keywords
            and isinstance(node.exc.args[0], ast.Constant | ast.JoinedStr)
        ):
            yield order.edit(
                [(*src.span(node.exc.args[0]), text_literal(src, text))], *reading.used, *said.found, text, _TOLD
            )
        elif isinstance(node.exc, ast.Name | ast.Attribute) or (
            isinstance(node.exc, ast.Call) and not node.exc.args and not node.exc.keywords
        ):
            end = src.span(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)[1]
            yield order.edit(
                [(end, src.span(node.exc)[1], f"({text_literal(src, text)})")],
                *reading.used,
                *said.found,
                text,
                _TOLD + " add give",
            )


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"[A-Z]\w*(?:Error|Exception|Warning|Timeout|Iteration|Exit|Interrupt)\b|\b(?:rais|catch|caught|cath|cach|except|excpet|throw|rase)",
            re.I,
        ),
        _swap,
    ),
    Rule(re.compile(r"\b(?:bare|naked)\b.*\bexcept|\bexcept:", re.I), _bare),
    Rule(
        re.compile(
            r"\b(?:from (?:e|err|error|exc|ex|None|it|the (?:original|caught))\b|chain|raise from|cause|context)", re.I
        ),
        _chain,
    ),
    Rule(re.compile(r"\b(?:message|text|say|says|read|reads|wording)\b.*[\"']", re.I), _message),
)

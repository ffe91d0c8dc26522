"""How sure it is that a message was read rightly: by the way that read it, and by what of it is left over.

Comes in: the way, the message, the lines, what stood and what is wanted now. Goes out: how sure that is. Must
not know: how a message is read, engines, ids, what becomes of a mark.

Another thing in the place of one, and other places, are told by the words alone: where none of them is left
over, they were read rightly. Another form and an order are not: of those the model, which reads what was made
anyway, has to find nothing strange (`weighed`). What brings a name that nothing has was not understood.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Definition, Source, headers
from spark_tui.refactor.values.slots import alike, parts, stem
from spark_tui.steers.clauses import clauses, is_remark
from spark_tui.steers.corrected import applied
from spark_tui.steers.correction_words import OPENERS
from spark_tui.steers.terms import NUMBERS, STRAY

By = Literal["back", "places", "moved", "remark", "slot", "form", "order"]
"""What a message was read as: taken back, other places, another place, a remark on what was brought, another
thing for one of it, another way to write it, an order."""
SURE, PERHAPS, SHAKY = 1.0, 0.5, 0.3
"""No mark; the model has to say; a mark whatever it says. The last two are about the share of each that is
right."""
STRANGE = 0.01
"""What the model finds less likely than this, in what it reads, it finds strange."""
_MOST_LEFT = 1
_COUNTED = re.compile(r"\b(?:all|every\w*|each|others?|rest|remaining|first|second|third|last)\b", re.I)
"""Places that are meant without a word of theirs."""
_TALK = frozenset(
    re.findall(
        r"\w+",
        "well too enough plenty better meant sorry fine actually really says but full case way empty string",
    )
)
"""Words beside fillers that need not be seen in what was done."""
_HEAD = re.compile(r"\s*(?:async def|def|class)\b")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted in the end, and how sure that is by the words."""

    hunks: tuple[WindowHunk, ...]
    sure: float


def weighed(sure: float, least_likely: float) -> float:
    """How sure what was made is, behind a model that read it. `least_likely`: of its tokens, as a
    probability."""
    return SURE if sure == PERHAPS and least_likely >= STRANGE else sure


def sureness(
    by: Sequence[By],
    said: str,
    lines: Sequence[str],
    standing: Sequence[WindowHunk],
    hunks: Sequence[WindowHunk],
) -> float:
    if set(by) == {"back"}:
        return SURE
    now, made = applied(lines, standing), applied(lines, hunks)
    if set(_unbound(made)) - set(_unbound(now)):
        return SHAKY
    shown = frozenset(_shown(now, made))
    left = left_over(said, shown)
    if "form" in by or "order" in by:
        return SHAKY if len(left) > _MOST_LEFT else PERHAPS
    if "slot" in by and left:
        return SHAKY
    if "places" in by:
        named = _COUNTED.search(said) or any(_stands(word, shown) for word in words(said))
        return SURE if named and len(left) <= _MOST_LEFT else PERHAPS
    return SURE


def left_over(said: str, shown: frozenset[str]) -> list[str]:
    """What a message says, reasons aside, of which nothing is to be seen in what was done."""
    found = clauses(said)
    wanting = [clause for clause in found if not is_remark(clause)] or found
    every = [word for clause in wanting for word in words(OPENERS.sub("", clause))]
    return [
        word
        for word in every
        if word not in FILLERS | STRAY | _TALK | NUMBERS.keys() and not _stands(word, shown)
    ]


def _stands(word: str, shown: frozenset[str]) -> bool:
    return any(part in shown for part in (word, *parts(word))) or any(
        len(one) > 2 and (stem(word) == stem(one) or alike(word, one)) for one in shown
    )


def _shown(now: Sequence[str], made: Sequence[str]) -> Iterator[str]:
    """The words of the lines that are others now, and of the heads above them."""
    for code, a, b, c, d in SequenceMatcher(None, now, made, autojunk=False).get_opcodes():
        if code != "equal":
            for line in (*now[a:b], *_heads(now, a), *made[c:d], *_heads(made, c)):
                for word in re.findall(r"\w+", line):
                    yield from (word.lower(), *parts(word))


def _heads(text: Sequence[str], at: int) -> Iterator[str]:
    """The lines that begin the functions and classes around a line."""
    inside = len(text[at]) if at < len(text) else 0
    for line in reversed(text[:at]):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < inside:
            inside = indent
            if _HEAD.match(line):
                yield line


def _unbound(lines: Sequence[str]) -> Iterator[str]:
    """Names that are read where nothing binds them."""
    src = Source(lines, headers(lines))
    outermost = [node for node in src.functions if src.function_of(node) is None]
    inside = {one: node for node in outermost for one in ast.walk(node) if one is not node}
    everywhere = {*dir(builtins), *_bound([one for one in src.nodes if one not in inside])}
    for function in (None, *outermost):
        here = [one for one in src.nodes if inside.get(one) is function]
        yield from _read(here) - everywhere - set(_bound(here))


def _bound(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """What is given to a name out of itself does not bind it."""
    own = {
        id(one)
        for node in nodes
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for one in ast.walk(target)
        if isinstance(one, ast.Name)
        and (isinstance(node, ast.AugAssign) or one.id in _read(ast.walk(node.value)))
    }
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in own:
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, Definition | ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name


def _read(nodes: Iterable[ast.AST]) -> set[str]:
    """`x += 1` reads its `x`."""
    every = list(nodes)
    loaded = {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    return loaded | {
        one.target.id for one in every if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    }

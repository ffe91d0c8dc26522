"""Messages about several lists of configuration files, each part written out as an instruction of its own:
*add E501 to ignore and S to select* leaves out a verb, *drop black from dev and add furo to it* a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spark_tui.intent.answering.added_or_removed import CLEAR, odds_of
from spark_tui.intent.answering.said_items import is_told_to, said_of
from spark_tui.intent.context.config_lists import RULE_OR_GROUP, Named, named_lists, words_of
from spark_tui.intent.context.list_words import is_list_verb
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reads, Span, SymbolRoles
from spark_tui.pysource.repository import Repository

_Read = Callable[[str], tuple[Order, ...]]
_SIGNS = r"(?:[,;](?=\s)|[，；、。]|\.(?=\s))"
_JOINS = re.compile(rf"\s*{_SIGNS}\s*(?:{phrases.joining()}\s*)?|\s*{phrases.joining()}\s*")


@dataclass(frozen=True)
class _Part:
    """A clause with the verb that it leaves out, the lists that it names, and its items."""

    text: str
    named: tuple[Named, ...]
    items: tuple[str, ...]

    @property
    def lists(self) -> frozenset[tuple[str, str]]:
        return frozenset((one.found.path, one.found.key) for one in self.named)

    @property
    def where(self) -> str:
        """The words for the lists, as they stand in the text."""
        words = [word for word in words_of(self.text) if any(word in one.words for one in self.named)]
        return self.text[self.text.find(words[0]) : self.text.rfind(words[-1]) + len(words[-1])]

    @property
    def takes_in_front(self) -> bool:
        """Whether the items stand before the list: others may stand in front of them."""
        at = min(self.text.find(item) for item in self.items)
        return at < self.text.find(self.where)


def lists_apart(
    text: str, repo: Repository, reader: Reads, symbols: SymbolRoles
) -> tuple[str, tuple[Order, ...]] | None:
    """A message about several lists with its parts written out, and an order for each; None for others."""
    parts = _whole_parts(text, repo, lambda said: reader.read(said, symbols))
    if len({lists for _, lists in parts}) < 2 and not (len(parts) > 1 and _is_about_it(text)):
        return None
    orders: list[Order] = []
    said = ""
    for part, _ in parts:
        start = len(said)
        readings = reader.read(part, symbols)[0].readings
        moved = (
            replace(
                one,
                slots={slot: tuple(_moved(span, start) for span in own) for slot, own in one.slots.items()},
                left_out=tuple(_moved(span, start) for span in one.left_out),
            )
            for one in readings
        )
        orders.append(Order(start, start + len(part), tuple(moved)))
        said += f"{part}; "
    return said.rstrip("; "), tuple(orders)


def answer_as_list(
    orders: tuple[Order, ...], situation: Situation, answer: Callable[[Sequence[Order], Situation], Answer]
) -> Answer | None:
    """The answer to the orders of a message as to one, where they are items of one list: *add tox and black
    to dev*; None where they are not, or it is an edit of code."""
    whole = _as_one(orders, situation.instruction, situation.repo)
    found = answer(whole, situation) if whole is not None else None
    if found is None or found.kind == "write":
        return None
    paths = (path for way in found.ways for path in way.plan.paths)
    return None if any(path in situation.repo.index.modules.paths for path in paths) else found


def _as_one(orders: tuple[Order, ...], text: str, repo: Repository) -> tuple[Order, ...] | None:
    starts = [order.start for order in orders[1:]]
    clauses = [text[low:high] for low, high in pairwise((*starts, len(text)))]
    bare = [re.sub(rf"\A\s*(?:{phrases.joining()}|[,;+&])?\s*", "", clause) for clause in clauses]
    if not clauses or not orders[0].readings or any(map(_verb, bare)) or not _verb(text):
        return None
    whole = Order(0, len(text), orders[0].readings)
    named = tuple(named_lists(repo, text, []))
    lists = {(one.found.path, one.found.key) for one in named}
    said = said_of(whole, text, named) if len(lists) == 1 else None
    return (whole,) if said is not None and len(said.items) > len(clauses) else None


def _moved(span: Span, by: int) -> Span:
    return replace(span, start=span.start + by, end=span.end + by)


def _whole_parts(text: str, repo: Repository, read: _Read) -> list[tuple[str, frozenset[tuple[str, str]]]]:
    """The parts with their lists; none where some words are no part."""
    ends = [(0, 0), *((join.start(), join.end()) for join in _JOINS.finditer(text)), (len(text), len(text))]
    clauses = [text[low:high] for (_, low), (high, _) in pairwise(ends)]
    clauses = [clause for clause in clauses if clause.strip()]
    out: list[tuple[str, frozenset[tuple[str, str]]]] = []
    verb, before, left = "", None, list[str]()
    for clause in clauses if len(clauses) > 1 else ():
        own = _verb(clause)
        part = _part(clause if own else f"{verb} {clause}", repo, read)
        verb = own or verb
        if not verb:
            return []
        if not part.named and own and before is not None and _is_about_it(clause):
            part = _part(f"{clause} ({before.where})", repo, read)
        if part.named and part.items:
            if left and not part.takes_in_front:
                return []
            out.append((" ".join((*left, part.text)), part.lists))
            before, left = part, []
        elif not part.named and (own or before is None or left):
            left.append(f"{clause},")
        else:
            return []
    return out if not left else []


def _part(text: str, repo: Repository, read: _Read) -> _Part:
    named = tuple(named_lists(repo, text, []))
    said = said_of(read(text)[0], text, named) if named else None
    return _Part(text, named, said.items if said else ())


def _verb(clause: str) -> str:
    """The words up to the verb that a clause begins with; empty for none."""
    first = re.match(r"\W*(?:please\s+)?([^\W\d_]+)", clause)
    if first is None or RULE_OR_GROUP.match(first[1]):
        return ""
    told = is_told_to(first[1]) or is_list_verb(first[1]) or abs(odds_of(first[1])) >= CLEAR
    return first[0] if told else ""


def _is_about_it(clause: str) -> bool:
    words: Sequence[str] = [word.lower() for word in words_of(clause)]
    return any(phrases.is_said("pronouns", word) or word in ("there", "daraus", "dazu") for word in words)

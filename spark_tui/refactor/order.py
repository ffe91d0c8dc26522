"""One instruction about one piece of code, and what of the code its words mean.

Comes in: the lines that are shown, an instruction, where the person is. Goes out: definitions, names, lines that are
meant; and `Edit`s that rules make. Must not know: models, ids, which rules there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from spark_tui.refactor.naming import expression
from spark_tui.refactor.saying import FILLERS, QUIET, TURNING, order_in, words
from spark_tui.refactor.source import Change, Definition, Function, Source
from spark_tui.refactor.turns import narrowed, spared
from spark_tui.refactor.typos import mended

_LITERALLY = re.compile(r"\W*(?:replace|substitute) (?P<old>`[^`]+`|\S.*?) (?:with|by) \S", re.I)
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]*)\"|(?<!\w)'([^'\n]*)'(?!\w)")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NUMBERED = re.compile(
    r"\b(?:lines?|ln|l)\.?\s*#?(\d+)(?:\s*(?:-|–|\.\.|to|and|through|until)\s*(?:lines?\s*)?(\d+))?", re.I
)
_HERE = re.compile(r"\b(?:here|this|these|current|selected|selection|cursor)\b", re.I)


@dataclass(frozen=True, slots=True)
class Edit:
    """What a rule made: the text behind it, and the words of the instruction that it accounts for."""

    text: str
    used: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """`make` is only asked where `trigger` is found in the order: most orders are about something else."""

    trigger: re.Pattern[str]
    make: Callable[[Order], Iterable[Edit]]


@dataclass
class Order:
    """`selection` (half-open) and `cursor` are lines of the source, counted from 0; `first_line` is the number that the
    first of them has in the file."""

    src: Source
    instruction: str
    selection: tuple[int, int] | None = None
    cursor: int | None = None
    first_line: int = 1
    said: str = field(init=False)
    """The order without what is said around it, on one line."""
    spared: list[tuple[int, int]] = field(init=False, default_factory=list)
    """Lines that it keeps out, half-open: *except in main*."""

    def __post_init__(self) -> None:
        self.said = narrowed(mended(order_in(self.instruction), self.identifiers))
        rest, place = spared(self.said)
        if place and (kept_out := self._kept_out(place)):
            self.said, self.spared = rest, kept_out

    def _kept_out(self, place: str) -> list[tuple[int, int]]:
        """The definitions that a place names, if it names nothing else."""
        named = [node for node in [*self.src.functions, *self.src.classes] if node.name in _NAME.findall(place)]
        rest = set(words(place)) - {node.name.lower() for node in named} - FILLERS
        return (
            []
            if rest or re.search(r"\b(?:lines?|statements?|values?|arguments?|parameters?|names?)\b", place)
            else [(self.src.first_line(node), self.src.last_line(node)) for node in named]
        )

    # -- what a rule gives -------------------------------------------------------------------------------------------

    def edit(self, changes: Iterable[Change], *used: str) -> Edit:
        """`used`: pieces of the instruction, and names, that this edit accounts for."""
        return self.edit_text(self.src.changed(changes), *used)

    def edit_text(self, text: str, *used: str) -> Edit:
        return Edit(text, frozenset(word for piece in used for word in _with_parts(piece)))

    def left_over(self, edit: Edit) -> list[str]:
        """Words of the order that say something and that an edit does not account for."""
        silent = FILLERS - (TURNING - set(words(" ".join(QUIET.findall(self.said)))))
        return [word for word in words(self.said) if word not in silent and word not in edit.used]

    # -- what is meant -----------------------------------------------------------------------------------------------

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands in backticks or quotes, as it stands there."""
        return tuple(next((one for one in groups if one), "") for groups in _QUOTED.findall(self.said))

    @cached_property
    def is_literal(self) -> bool:
        """*replace time.sleep(1) with time.sleep(2)*: code that is spelled out is meant wherever it stands."""
        match = _LITERALLY.match(self.said)
        old = expression(match["old"].strip("`")) if match is not None else None
        return isinstance(old, ast.Attribute | ast.Call | ast.Subscript | ast.Compare | ast.BinOp)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Identifiers of the file that the order spells, in its order; plain short words only where they are quoted."""
        known = self.identifiers
        found = [name for match in _NAME.finditer(self.said) for name in (match[0], *match[0].split("."))]
        return tuple(dict.fromkeys(name for name in found if name in known))

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name that stands in the file."""
        return frozenset(re.findall(r"[^\W\d]\w*", self.src.text))

    def functions(self, phrase: str | None = None) -> list[Function]:
        """Functions that a phrase (else the whole order) names: spelled, as `Class.method`, or in words."""
        return [node for node in self.definitions(phrase) if isinstance(node, Function)]

    def classes(self, phrase: str | None = None) -> list[ast.ClassDef]:
        return [node for node in self.definitions(phrase) if isinstance(node, ast.ClassDef)]

    def definitions(self, phrase: str | None = None) -> list[Definition]:
        """Those that are spelled, the first named first; else those whose name is said in words."""
        text = self.said if phrase is None else phrase
        all_of_them: list[Definition] = [*self.src.functions, *self.src.classes]
        spelled: dict[Definition, int] = {}
        for match in _NAME.finditer(text):
            inside, _, last = match[0].rpartition(".")
            for node in all_of_them:
                if node.name == last and (not inside or self._inside(node, inside)):
                    spelled.setdefault(node, match.start())
        sure = [node for node in spelled if self._is_spelled(node.name, text)]
        if sure:
            return sorted(sure, key=lambda node: spelled[node])
        low = text.lower()
        if re.search(r"\bconstructor\b|\binitiali[sz]er\b|\binit\b", low):
            made = [node for node in self.src.functions if node.name == "__init__"]
            if made:
                return list(made)
        said = words(text)
        in_words = [node for node in all_of_them if _said_in_words(node.name, said)]
        longest = max((len(_parts(node.name)) for node in in_words), default=0)
        return [node for node in in_words if len(_parts(node.name)) == longest]

    def _inside(self, node: ast.AST, name: str) -> bool:
        return any(getattr(one, "name", "") == name.rpartition(".")[2] for one in self.src.ancestors(node))

    def _is_spelled(self, name: str, text: str) -> bool:
        """A plain word counts where it stands as code, or where a definition stands: *in load*, *the load function*."""
        if "_" in name.strip("_") or name.startswith("_") or re.search(r"[a-z][A-Z]|\d", name):
            return True
        one = re.escape(name)
        role = rf"`{one}|'{one}'|\"{one}\"|\b{one}\(|\.{one}\b|\b(?:in|of|inside|within|from|to|for|on|into|function|method|class|def|rename|delete|remove)\s+(?:the\s+)?{one}\b|\b{one}\b\s+(?:function|method|class|should|must|needs?|has|takes?|returns?|could|can|might|may)\b|^(?:the\s+)?{one}\s*:"
        return re.search(role, text) is not None or (
            name[0].isupper() and re.search(rf"(?<!^)\b{one}\b", text) is not None
        )

    @cached_property
    def here(self) -> tuple[int, int] | None:
        """The selected lines; else, where the order points at where the person is, the line of the cursor."""
        if self.selection is not None:
            return self.selection
        if self.cursor is not None and _HERE.search(self.said):
            return self.cursor, self.cursor + 1
        return None

    @cached_property
    def numbered(self) -> list[tuple[int, int]]:
        """Lines that the order numbers, half-open, as far as they are shown."""
        out = []
        for match in _NUMBERED.finditer(self.said):
            first = int(match[1]) - self.first_line
            last = int(match[2]) - self.first_line if match[2] else first
            if 0 <= first <= last < len(self.src.lines):
                out.append((first, last + 1))
        return out

    def scope(self, phrase: str | None = None) -> tuple[int, int]:
        """The lines to which the order keeps: numbered ones, what is selected, the one function or class that it names
        (or the one in which the cursor stands, where it says *this*), else everything that is shown."""
        if phrase is None and self.numbered:
            return self.numbered[0]
        if phrase is None and self.selection is not None:
            return self.selection
        named = self.definitions(phrase)
        if len(named) == 1:
            return self.src.first_line(named[0]), self.src.last_line(named[0])
        if len(named) == 2 and named[1] in self.src.parents and self._inside(named[0], named[1].name):
            return self.src.first_line(named[0]), self.src.last_line(named[0])
        if not named and phrase is None and self.here is not None:
            around = [
                node
                for node in self.src.functions
                if self.src.first_line(node) <= self.here[0] < self.src.last_line(node)
            ]
            if around:
                return self.src.first_line(around[-1]), self.src.last_line(around[-1])
        return 0, len(self.src.lines)

    def within(self, nodes: Iterable[ast.AST], phrase: str | None = None) -> Iterator[ast.AST]:
        """Of nodes, those that begin in the scope."""
        first, last = self.scope(phrase)
        for node in nodes:
            if hasattr(node, "lineno") and first <= self.src.first_line(node) < last:
                yield node


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)]


def _with_parts(piece: str) -> Iterator[str]:
    for word in words(piece):
        yield word
        yield from _parts(word)


def _said_in_words(name: str, said: Sequence[str]) -> bool:
    """Whether the parts of a name stand in a row: *the load config function* is `load_config`."""
    parts = _parts(name)
    if len(parts) < 2:
        return (
            bool(parts)
            and len(parts[0]) > 3
            and any(
                one == parts[0] and said[at + 1 : at + 2] in (["function"], ["method"], ["class"])
                for at, one in enumerate(said)
            )
        )
    return any(list(said[at : at + len(parts)]) == parts for at in range(len(said) - len(parts) + 1))

"""What was done in some places, wanted in more of them, in fewer, or in others.

Comes in: the text in which an answer stands, a message. Goes out: the hunks that are wanted. Must not know:
engines, ids, what was asked at first.

A message is cut into clauses, and each says of the places that its words point to: here as well, only here,
not here, or here in place of there. What only gives a reason is passed over. Nothing is made where a clause
is none of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.refactor.source import Definition
from spark_tui.steers.alike import Where
from spark_tui.steers.clauses import clauses, is_aside, is_remark
from spark_tui.steers.corrections import plain
from spark_tui.steers.learnt import Learnt
from spark_tui.steers.pointed import STOP, Spot, chosen, described, tokens
from spark_tui.steers.stands import Stands
from spark_tui.steers.terms import NUMBERS
from spark_tui.steers.written import Difference, differences

_NOT = re.compile(
    r"^(?:and |but |so |just |please |though |then |well )*(?:not(?! only| just)|except(?: for)?|leave|skip|spare|drop|exclude|omit|undo|revert|restore|keep|hands off|without|never|don'?t (?:touch|change|do|add|put|\w+)|do not \w+|no need (?:for|in)|remove|take)\b(?P<x>.*)"
    r"|(?P<y>.*?)\b(?:can (?:stay|wait|keep)|stays?(?! \w+ \w+ \w)|should stay|remains?|(?:is|are|was|were) (?:fine|ok|okay|right|good) (?:as|already|without|the way)|(?:doesn'?t|does not|don'?t|do not) need (?:it|that|one)|(?:obviously |certainly |definitely |of course |please )?not$|should(?:n't| not)\b|must(?:n't| not)\b).*",
    re.I,
)
_ONLY_IT = re.compile(
    r"^(?P<x>.+?) (?:alone )?(?:(?:is|are|would be) enough|will do|would do|suffices?|alone)$", re.I
)
_THAT_ONE = re.compile(
    r"^(?P<x>.*?)\b(?:so |and |but |please )*(?:not|leave|skip|spare|drop|exclude|keep) (?:it|that|this|them|those)(?: one)?(?: alone| out| as is)?$",
    re.I,
)
_ONLY = re.compile(
    r"\b(?:only|just|solely)\b(?! (?:as|like|use|make|return|raise|call|replace|print|log|if|when|once)\b)|\b(?:restrict|limit) (?:it|that|this) to\b",
    re.I,
)
_MORE = re.compile(
    r"\b(?:too|as well|also|same|likewise|both|all|every|everywhere|each|others?|rest|remaining|(?:needs?|gets?|wants?) (?:it|that|this|one)|plus|including|include|while you'?re at it|ditto|similarly)\b|^(?:and|plus|&|\+)\s|^(?:what|how) about\b|\b(?:do|fix|change) (?:that|those|these) (?:one|too)?",
    re.I,
)
_THERE = re.compile(
    r"^(?P<w>.*?),? (?:was|is) (?:the one|what)(?: i (?:meant?|wanted|said))?$|^(?:i (?:mean|meant) |rather |better |do (?:it|that|this) |put (?:it|that|this) |move (?:it|that|this) )*(?:in |into |on |to |for |at )(?P<x>.*)|^(?P<y>.*?)(?: is (?:the )?(?:better|right) (?:one|place|spot)| instead)$|^(?:i (?:mean|meant)|rather|wrong (?:one|place|function|method),?) (?P<z>.*)",
    re.I,
)
_SPLIT = re.compile(r"\s*(?:,|/|&|\+)\s*(?:and |or )?|\s+(?:and|or|nor|plus)\s+", re.I)
_BRACKETS = re.compile(r"\s*\(([^()]*[a-z][^()]*)\)")
_TALKED = re.compile(
    r"\s+(?:because|since|cause|cos|as (?:it|that|they|we|i)|so (?:that )?(?:we|i|it|the|they|nobody|people)|while you'?re at it|for now|if you can)\b.*$",
    re.I,
)
_ELIDED = re.compile(
    r"(?:i|we|you|they|he|she)\b(?! (?:need|want|mean|meant|said)(?! to (?:see|know|have|find|be)\b))|(?:gets?|is|was|has|isn'?t|breaks|takes|comes|uses|works|runs|goes|does|doesn'?t|can'?t|won'?t|already)\b(?! it (?:too|as well))|nobody\b|no one\b",
    re.I,
)
"""What begins a remark, and no words for places."""
_WRONG = re.compile(r"(?:that'?s |it'?s )?(?:the )?wrong (?:one|place|function|method|class|spot)", re.I)
_LIES = re.compile(
    r"(?:right |just |directly |only )?(?:before|after|above|below|behind|at the (?:very )?(?:top|end|start|bottom|beginning))\b",
    re.I,
)
"""What begins a place between statements."""
_COUNTED = re.compile(r"\b(?:all|the|other|both|these|those) \d\b", re.I)
_AGAIN = re.compile(
    r"(?:and |please |so |just )*(?:do|fix|change|add|put) (?:it|that|this|those|these|them|all)(?: ones?)?(?: there| too| as well| also| all)*|same (?:there|here)|fix all",
    re.I,
)
"""What only says once more that it is wanted."""
_PARTS = 6
_WORK = re.compile(
    r"^(?:and |also )*(?:call|name|rename|replace|return|raise|default|before|after|above|below|behind|if|unless|until|when (?!\w+ing\b))\b|\"[^\"]* [^\"]*\"|\b(?:instead of|rather than|before|after|above|below|behind|if|unless|until|when (?!\w+ing\b))\b|[=\[\]{}]|\w\(\w",
    re.I,
)


@dataclass(frozen=True)
class Said:
    """What a clause says of places: `more`, `only`, `not`, `there`."""

    mode: str
    phrases: tuple[str, ...]
    aside: bool = False
    """It may as well be a reason."""


def read(message: str) -> list[Said] | None:
    """The clauses that speak of places; None where one is about something else, or there is none."""
    aside = [found.strip() for found in _BRACKETS.findall(message)]
    parts = clauses(_BRACKETS.sub("", message))
    out: list[Said] = []
    remark = ""
    for clause in [*parts, *aside]:
        text = plain(clause) or clause
        begins = re.match(r"(?:and|also|plus)\b", clause.strip(), re.I)
        text = f"and {text}" if begins and not re.match(r"(?:and|also|plus)\b", text, re.I) else text
        if _LIES.match(text):
            return None
        one = None if _ELIDED.match(text) else _said(text, out, remark)
        if one is not None:
            out.append(replace(one, aside=is_aside(clause)))
        elif not (is_aside(clause) or clause in aside or _WRONG.fullmatch(text)):
            return None
        else:
            remark = text
    return out if 0 < len(out) <= _PARTS else None


def _said(clause: str, before: Sequence[Said], remark: str) -> Said | None:
    text = _TALKED.sub("", clause).strip(" .,!?")
    if not text or _WORK.search(text):
        return None
    if re.fullmatch(r"(?:leave|keep) (?:the )?(?:rest|others?|everything else)\b.*", text, re.I):
        return None
    match = _THAT_ONE.match(text)
    if match is not None:
        return Said("not", _phrases(match["x"] or remark)) if match["x"] or remark else None
    match = _NOT.match(text)
    if match is not None:
        phrase = match["x"] if match["x"] is not None else match["y"]
        if re.fullmatch(r"\s*(?:it|that|this|there|here|one|\s)*", phrase):
            # Said once more of what was just left out.
            return before[-1] if before and before[-1].mode == "not" else None
        if _ONLY.search(phrase):
            return None
        return Said("not", _phrases(phrase))
    match = _ONLY_IT.match(text)
    if match is not None:
        return Said("only", _phrases(match["x"]))
    if _ONLY.search(text):
        return Said("only", _phrases(_ONLY.sub(" ", text)))
    if _MORE.search(text):
        if re.search(r"\d", _COUNTED.sub("", text)):
            # A value besides.
            return None
        return Said("more", _phrases(text))
    match = _THERE.match(text)
    if match is not None and len(text.split()) < 9:
        return Said("there", _phrases(next(one for one in match.groups() if one is not None)))
    if before and before[-1].mode == "not" and len(text.split()) < 4 and not is_remark(text):
        return Said("there", _phrases(text))
    return None


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(one for one in _SPLIT.split(text.strip()) if re.search(r"\w", one))


def spread(text: Stands, message: str) -> list[WindowHunk] | None:
    """What stands in the end; None where the words do not tell."""
    said = read(message)
    if said is None or text.src.tree is None or text.was.tree is None:
        return None
    return _Spread(text, said).hunks()


@dataclass
class _Spread:
    text: Stands
    said: list[Said]

    def hunks(self) -> list[WindowHunk] | None:
        kept = list(range(len(self._groups)))
        added: list[Where] = []
        for one in self.said:
            if one.mode in ("not", "only"):
                found = self._standing(one)
                if found is None:
                    if one.mode == "only":
                        return None
                    if not self._spares():
                        return None
                    continue
                kept = [at for at in kept if (at in found) is (one.mode == "only")]
        for one in self.said:
            if one.mode in ("more", "there"):
                more = self._more(one)
                if more is None and one is not self.said[0] and (self._says_nothing(one) or one.aside):
                    continue
                if more is None:
                    return None
                added += more
                if one.mode == "there" and len(kept) == len(self._groups):
                    kept = []
        if not added and (not kept or len(kept) == len(self._groups)):
            return None
        hunks = self._of(kept)
        if not added:
            return hunks
        return self._with(hunks, added)

    # -- what stands
    # -------------------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> list[Difference]:
        return list(differences(self.text.lines, self.text.hunks))

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Differences that belong together: one makes a name that the other has, or they lie side by side."""
        words = set(re.findall(r"\w+", "\n".join(self.text.lines)))
        names = [set(re.findall(r"[A-Za-z_]\w*", "\n".join(one.new))) - words for one in self._parts]
        made = [
            {
                name
                for name in found
                if re.search(
                    rf"^\s*(?:self\.)?{name}\s*(?::[^=\n]*)?=[^=]|\b(?:def|class|import|as) {name}\b",
                    "\n".join(one.new),
                    re.M,
                )
            }
            for found, one in zip(names, self._parts, strict=True)
        ]
        out: list[list[int]] = []
        for at in range(len(self._parts)):
            near = [
                group
                for group in out
                if any(
                    made[at] & names[other] or made[other] & names[at] or self._side_by_side(other, at)
                    for other in group
                )
            ]
            out = [group for group in out if group not in near] + [
                sorted([at, *(item for group in near for item in group)])
            ]
        return sorted(out)

    def _side_by_side(self, one: int, two: int) -> bool:
        """Of one statement, and no two lines that are alike."""
        first, second = self._parts[one], self._parts[two]
        if first.last != second.first or (first.last - first.first == 1 and len(first.new) == 1):
            return False
        return second.first == second.last or not second.new

    @cached_property
    def _spots(self) -> list[Spot]:
        out: list[Spot] = []
        src, shift = self.text.src, 0
        starts = []
        for one in self._parts:
            starts.append(one.first + shift)
            shift += len(one.new) - (one.last - one.first)
        for group in self._groups:
            spot: Spot | None = None
            for at in group:
                part, line = self._parts[at], starts[at]
                here = src if part.new else self.text.was
                line = line if part.new else part.first
                node: ast.AST | None = next(
                    (item for item in here.statements if here.first_line(item) == line), None
                )
                if node is None:
                    node = next(
                        (
                            item
                            for item in here.nodes
                            if isinstance(getattr(item, "lineno", None), int)
                            and here.line_at(here.span(item)[0]) == line
                        ),
                        None,
                    )
                own = "\n".join([*self.text.lines[part.first : part.last], *part.new])
                more = described(here, None, [line], node, own, own=own)
                if spot is None:
                    spot = more
                    continue
                spot.exact |= more.exact
                spot.said = {
                    word: max(spot.said.get(word, 0), more.said.get(word, 0))
                    for word in spot.said.keys() | more.said.keys()
                }
            assert spot is not None
            spot.key = len(out)
            out.append(spot)
        return out

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(node.name for node in (*self.text.src.functions, *self.text.src.classes))

    def _standing(self, one: Said) -> set[int] | None:
        if len(self._groups) < 2:
            return None
        out: set[int] = set()
        for phrase in one.phrases:
            found = chosen(self._spots, phrase, self._known, plural=True)
            if found is None or len(found) == len(self._spots):
                if out and phrase is not one.phrases[0]:
                    continue
                return None
            out |= {int(str(spot.key)) for spot in found}
        return out if 0 < len(out) < len(self._groups) else None

    def _spares(self) -> bool:
        """What is not wanted somewhere, and was not done there, if something else is."""
        return any(other.mode in ("more", "there") for other in self.said)

    def _of(self, kept: Sequence[int]) -> list[WindowHunk]:
        wanted = sorted(at for group in kept for at in self._groups[group])
        parts = [self._parts[at] for at in wanted]
        gone = [self._parts[at] for at in range(len(self._parts)) if at not in wanted]
        if gone:
            text = "\n".join(
                line for one in parts for line in one.new if not re.match(r"\s*(?:import|from)\b", line)
            )
            parts = [one for one in parts if not self._unused(one, text)]
        return [WindowHunk(one.first, one.last, one.new) for one in parts]

    def _unused(self, one: Difference, text: str) -> bool:
        """An import that only what is gone needed."""
        if one.first != one.last or len(one.new) != 1:
            return False
        match = re.fullmatch(r"(?:import|from [\w.]+ import) (\w+)(?: as (\w+))?", one.new[0].strip())
        return match is not None and not re.search(rf"\b{match[2] or match[1]}\b", text)

    # -- what is more
    # ------------------------------------------------------------------------------------------------

    @cached_property
    def _where(self) -> list[Where]:
        return Learnt(self.text).where(self.text.src)

    @cached_property
    def _candidates(self) -> list[Spot]:
        src = self.text.src
        out = []
        for one in self._where:
            line = (
                src.line_at(one.changes[0][0])
                if not hasattr(one.node, "lineno")
                else src.first_line(one.node)
            )
            statement = src.statement(one.node)
            text = src.lines[line]
            if statement is not None:
                body = getattr(statement, "body", None)
                last = src.first_line(body[0]) if isinstance(body, list) else src.last_line(statement)
                text = "\n".join(
                    src.lines[src.first_line(statement) : max(last, src.first_line(statement) + 1)][:6]
                )
            own = "" if isinstance(one.node, Definition) else src.segment(one.node)[:400]
            out.append(described(src, one, [line], one.node, text, one.level, own))
        return out

    def _spared(self) -> list[str]:
        return [phrase for one in self.said if one.mode == "not" for phrase in one.phrases]

    def _more(self, one: Said) -> list[Where] | None:
        spots = self._candidates
        for phrase in self._spared():
            gone = chosen(spots, phrase, self._known, plural=True)
            if gone is not None:
                spots = [spot for spot in spots if all(spot is not other for other in gone)]
        out: list[Where] = []
        for phrase in one.phrases:
            if len(self.said) > 1 and one is not self.said[0] and _AGAIN.fullmatch(phrase.strip()):
                continue
            count = re.search(r"\b(?:all (two|three|four|five|six|\d)|both(?! of))\b", phrase, re.I)
            number = 0
            if count is not None:
                number = int(NUMBERS.get((count[1] or "two").lower(), count[1] or "2"))
                phrase = phrase.replace(count[0], "all")
            found = chosen(spots, phrase, self._known, home=self._home, strict=True)
            if found is None or (
                number
                and len(one.phrases) == 1
                and number not in (len(found), len(found) + len(self._groups))
            ):
                return None
            out += [spot.key for spot in found if isinstance(spot.key, Where) and spot.key not in out]
        return out

    @cached_property
    def _home(self) -> tuple[str, ...]:
        """Names of what is around all that stands."""
        around = {spot.around for spot in self._spots}
        return around.pop() if len(around) == 1 else ()

    def _says_nothing(self, one: Said) -> bool:
        """Said once more, or why: in words that the code has not."""
        words = [word for phrase in one.phrases for word in tokens(phrase) if word not in STOP]
        return not any(spot.hit(word) for word in words for spot in self._candidates)

    def _with(self, hunks: Sequence[WindowHunk], added: Sequence[Where]) -> list[WindowHunk] | None:
        changes = [change for one in added for change in one.changes]
        src = self.text.src
        if list(hunks) != self._of(range(len(self._groups))):
            # What is taken back as well: by the lines of the text as it stands.
            now = Stands(self.text.lines, hunks)
            shifted = [(start, end, new) for start, end, new in changes]
            back = [(one.first, one.last, one.new) for one in between(src.lines, now.src.lines)]
            for first, last, new in back:
                start, end = src.line_span(first, last)
                if any(low < end and start < high for low, high, _ in shifted):
                    return None
                changes.append((start, end, "".join(f"{line}\n" for line in new)))
        try:
            after = src.changed(dict.fromkeys(changes)).split("\n")[:-1]
        except ValueError:
            return None
        if not self.text.holds("\n".join([*after, ""])):
            return None
        return [WindowHunk(one.first, one.last, one.new) for one in between(self.text.lines, after)]

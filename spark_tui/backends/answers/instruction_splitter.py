"""Split an instruction that asks for two or three things into orders that can be run one after the other.

It yields several ways to split, the most obvious first, each with a score; the model decides whether the
parts make sense. Splits occur at list items, at the end of a sentence, at a word that introduces another
order (*then*, *also*, *while you're at it*), and at a mere *and* or comma with an order on both sides. Quoted
text, brackets and code are never split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.backends.answers import instruction_words

LIST, PLAIN, LOOSE, BARE = 3, 2, 1, 0
"""How plainly: items of a list; a sentence or a word that goes on; *and* or a comma between two orders; the
same between what only names two things."""
MOST_PARTS = 3
LEAST_WORDS = 2
MOST_CHARS = 1000
MOST_JOINTS = 12
"""What is longer, or has more joints, holds code or a story."""


@dataclass(frozen=True, slots=True)
class InstructionSplit:
    """Orders, in the turn in which they are to be done, and how plainly they are more than one."""

    parts: tuple[str, ...]
    plain: int


def instruction_splits(instruction: str) -> list[InstructionSplit]:
    """Ways to part an instruction, the plainest first; none where it is one order."""
    text = instruction.strip()
    if len(text) > MOST_CHARS or instruction_words.ERROR.search(text):
        return []
    lead = instruction_words.LEAD.match(text)
    told = bool(lead)
    text = text[lead.end() :] if lead else text
    veil = instruction_words.HIDDEN.sub(lambda found: "\x00" * len(found[0]), text)
    found: dict[tuple[str, ...], int] = {}
    for made, plain in (*_listed(text, veil), *_joined(text, veil, told)):
        parts = _whole(made)
        if parts:
            found.setdefault(parts, plain)
    return [InstructionSplit(parts, plain) for parts, plain in sorted(found.items(), key=_plainness)]


def _plainness(item: tuple[tuple[str, ...], int]) -> tuple[int, int, int]:
    parts, plain = item
    return -plain, -sum(is_order(part) for part in parts), -len(parts)


# -- lists
# -----------------------------------------------------------------------------------------------------------


def _listed(text: str, veil: str) -> Iterator[tuple[list[str], int]]:
    """Items that count up, or begin with the same sign."""
    items = list(instruction_words.ITEM.finditer(veil))
    for name, start in (("number", "1"), ("letter", "a"), ("dash", "")):
        marks = [item for item in items if item[name]]
        if start:
            marks = _counted(marks, name, start)
        elif (
            marks
            and text[: marks[0].start()].strip(" :\n")
            and not re.search(r"[:\n]\s*$", text[: marks[0].start()])
        ):
            continue
        if 2 <= len(marks) <= MOST_PARTS:
            front = text[: marks[0].start()].strip()
            ends = [*(mark.start() for mark in marks[1:]), len(text)]
            made = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
            place = instruction_words.PLACE.match(front.rstrip(":, ") + ": ") if front else None
            yield ([f"{front.rstrip(': ')}: {part.strip()}" for part in made] if place else made), LIST
    marks = list(instruction_words.ORDINAL.finditer(veil))
    if len(marks) in (2, 3) and marks[0]["word"].lower().startswith(("first", "the first", "one")):
        front = veil[: marks[0].start()].strip()
        if not front or front[-1] in ":.":
            ends = [*(mark.start() for mark in marks[1:]), len(text)]
            yield [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)], LIST


def _counted(marks: Sequence[re.Match[str]], name: str, start: str) -> list[re.Match[str]]:
    out: list[re.Match[str]] = []
    for mark in marks:
        if ord(mark[name]) == ord(start) + len(out):
            out.append(mark)
    return out


# -- joints
# ----------------------------------------------------------------------------------------------------------


def _joined(text: str, veil: str, told: bool) -> Iterator[tuple[list[str], int]]:
    """At one joint, and at all the plain ones together."""
    plain: list[tuple[int, int]] = []
    loose: list[tuple[int, int]] = []
    for joint in instruction_words.JOINT.finditer(veil):
        if (
            joint["end"] is not None
            and joint[0].strip().startswith(".")
            and instruction_words.ABBREVIATED.search(veil[: joint.start()])
        ):
            continue
        if joint["loose"] is None:
            plain.append(joint.span())
        elif not (
            instruction_words.MODAL.search(veil[: joint.start()])
            and re.search(r"also|then|plus", joint[0], re.IGNORECASE)
        ):
            loose.append(joint.span())
    if len(plain) + len(loose) > MOST_JOINTS:
        return
    backwards = list(_backwards(veil))
    for first, last in backwards:
        yield [text[last:], text[:first]], LIST + 1
    said = [(_says(text[:first]), _says(text[last:])) for first, last in plain]
    for (first, last), both in zip(plain, said, strict=True):
        new = "\n" not in text[first:last] or is_order(text[last:])
        if any(both) and new and not backwards and not _only_where(_bare(text[:first].strip())):
            yield [text[:first], text[last:]], PLAIN if all(both) else BARE
    plain = [span for span, both in zip(plain, said, strict=True) if all(both)]
    for several, how in ((plain, PLAIN), (loose, PLAIN if told else LOOSE)):
        if 1 < len(several) < MOST_PARTS:
            ends = [0, *(place for span in several for place in span), len(text)]
            parts = [text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)]
            if several is plain or all(map(is_order, parts)):
                yield parts, how
    for first, last in loose:
        left, right = text[:first], text[last:]
        if is_order(left) and (is_order(right) or (again := _said_again(left, right))):
            yield [left, right if is_order(right) else again], PLAIN if told else LOOSE
        elif told or (
            instruction_words.CODE.search(left)
            and instruction_words.CODE.search(right)
            and _says(left)
            and _says(right)
        ):
            yield [left, right], BARE


def _said_again(left: str, right: str) -> str:
    """The right part with the verb of the left one, where it is meant and not said: *rename a to b and c to
    d*."""
    bare, right = _bare(left.strip(instruction_words.EDGE)), right.strip(instruction_words.EDGE)
    if (
        instruction_words.HANGS.match(right)
        or instruction_words.ONE_OF_TWO.search(left)
        or re.search(r"[.;!?]\s", right)
    ):
        return ""
    for verbs, begins, holds in instruction_words.SHARED:
        verb = re.match(rf"(?:{verbs})\b", bare, re.IGNORECASE)
        if verb is not None:
            there = re.search(holds, left) and re.search(holds, right) if holds else re.match(begins, right)
            return f"{verb[0]} {right}" if there else ""
    return ""


def _backwards(veil: str) -> Iterator[tuple[int, int]]:
    """*…, but first …*: what is said last is done first."""
    for found in instruction_words.BEFORE.finditer(veil):
        if found.start() and found[0].lstrip(",;. ").lower().startswith(("but", "before")):
            yield found.span()


# -- parts
# -----------------------------------------------------------------------------------------------------------


def is_order(part: str) -> bool:
    """Whether a part begins with what is to be done, or demands that something be so."""
    text = (
        instruction_words.PLACE.sub("", part.strip(), count=1)
        if instruction_words.PLACE.match(part.strip())
        else part.strip()
    )
    text = _bare(text)
    first = instruction_words.WORD.match(text)
    return (
        first is not None and first[0].lower() in instruction_words.VERBS
    ) or instruction_words.DEMANDS.search(instruction_words.HIDDEN.sub(" ", text)) is not None


def _says(part: str) -> bool:
    """Whether it can be an order at all: a reason, a limit, a mere place or a thank-you is none."""
    text = _bare(part.strip(instruction_words.EDGE))
    if instruction_words.LIMIT.match(text) or _only_where(text):
        return False
    return is_order(text) or any(
        sign.search(text) for sign in (instruction_words.CODE, instruction_words.STATES)
    )


def _only_where(text: str) -> bool:
    """Whether it says where, and not what is to be done there."""
    if not instruction_words.WHERE.match(text) or is_order(text):
        return False
    return instruction_words.VERBS.isdisjoint(instruction_words.WORD.findall(text.lower())[1:])


def _bare(text: str) -> str:
    found = instruction_words.FILLER.match(text)
    return text[found.end() :] if found else text


def _whole(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts as orders of their own, what stood around them taken off; empty where one is none."""
    out: list[str] = []
    for part in parts:
        text = part.strip(instruction_words.EDGE)
        bare = _bare(text)
        if instruction_words.LIMIT.match(bare) or (
            len(instruction_words.WORD.findall(bare)) < LEAST_WORDS and not re.search(r"\w\W+\w", bare)
        ):
            return ()
        if out and (_points_back(bare) or instruction_words.HANGS.match(bare)):
            return ()
        out.append(text)
    first = instruction_words.PLACE.match(out[0])
    if first and is_order(out[0]):
        out[1:] = [
            part if first["name"].strip("`'\"()") in part else _beside(first[0], part) for part in out[1:]
        ]
    return tuple(out)


def _points_back(part: str) -> bool:
    """Whether it is about something that only was named before: *return it*."""
    words = instruction_words.WORD.findall(part)
    if instruction_words.OF_THAT.match(part):
        return True
    return len(words) <= 3 and instruction_words.POINTING.search(part) is not None


def _beside(place: str, part: str) -> str:
    return part if instruction_words.PLACE.match(part) else f"{place.strip()} {part}"

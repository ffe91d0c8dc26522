"""What a message behind an answer mentions: values, names, errors, operators; and which of them are wanted.

Comes in: a message. Goes out: its clauses, and in them the things that it mentions, each with what sorts it may be of
and how much speaks for its being wanted. Must not know: code, hunks, what takes the place of what.

People say the new thing and talk around it: what is wrong with the old one, why, what else is fine. So each mention is
weighed by what stands around it: *use 5*, *so 60*, *5 is plenty*, *5, not 7* against *7 is taken*, *it is 118 here*.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.refactor import literals
from spark_tui.refactor.saying import FILLERS
from spark_tui.steers.clauses import is_order, is_remark, is_talk
from spark_tui.steers.correction_words import HOW, OPENERS
from spark_tui.steers.slot_forms import (
    AGAINST,
    ALSO,
    BAD,
    BEFORE_WORD,
    BUILT,
    CUT,
    DOES,
    GOOD,
    HALF,
    HELD,
    KEPT,
    NAMES,
    NEUTRAL,
    NO_NAME,
    OLD,
    PURPOSE,
    REASON,
    STRONG,
    WEAK,
)
from spark_tui.steers.slot_mentions import Form, mentions
from spark_tui.steers.slots import EVERY_ROLE
from spark_tui.steers.terms import STRAY


@dataclass(frozen=True, slots=True)
class Thing:
    """`want`: what speaks for its being wanted. `clause`: the number of the one that it is in."""

    said: str
    forms: tuple[Form, ...]
    want: float
    old: bool
    clause: int
    value: literals.Said | None = None
    kept: bool = False
    naming: bool = False
    """Whether it is said to be a name."""
    alone: bool = False
    """Whether its clause says nothing else, or that it is better."""
    keyword: str = ""
    """The keyword behind which it is spelled."""

    @property
    def solid(self) -> bool:
        """Whether it is no word of the sentence."""
        sure = (
            "number",
            "scale",
            "constant",
            "text",
            "option",
            "operator",
            "code",
            *(("word", "name", "error") if self.naming else ()),
        )
        return any(sort in sure for sort, _ in self.forms)

    def form(self, sort: str) -> str | None:
        return next((code for one, code in self.forms if one == sort), None)


@dataclass(frozen=True, slots=True)
class Clause:
    text: str
    opened: str
    """What cut it off from the one in front."""
    reason: bool


@dataclass(frozen=True, slots=True)
class Message:
    clauses: tuple[Clause, ...]
    things: tuple[Thing, ...]
    builds: bool
    """Whether it wants something made that there is not."""
    besides: bool
    """Whether it begins as one that wants more."""

    @property
    def wanted(self) -> list[Thing]:
        return [one for one in self.things if one.want >= 1 and not one.old and not one.kept]


def read(said: str) -> Message:
    """A message with what it mentions."""
    text = re.sub(r"\s+", " ", said.strip()).replace("’", "'")
    text = re.sub(
        r"^(?:only )?(once|twice)(?: only| is enough| at most)?$",
        lambda match: {"once": "1", "twice": "2"}[match[1].lower()],
        text,
        flags=re.I,
    )
    text = re.sub(r"^s/(\w+)/(\w+)/?g?$", r"\1 -> \2", text)
    text = re.sub(r"\b(?:turn|change|swap) ([\"'`][^\"'`]+[\"'`]) (?:into|to|for) ", r"\1 -> ", text, flags=re.I)
    text = re.sub(r"^[^?]*\?\s*(?:no|nah|nope)\b[,.]?\s+", "", text, flags=re.I)
    text = HALF.sub(lambda match: f"{literals.literal(match[1])}.5", text)
    for _ in range(4):
        text = OPENERS.sub("", text, count=1)
    clauses: list[Clause] = []
    things: list[Thing] = []
    parts = list(_parts(text))
    so = max(
        (
            number
            for number, (part, opened) in enumerate(parts)
            if (opened == "so" and _so_wants(part)) or opened == ":"
        ),
        default=-1,
    )
    for number, (part, opened) in enumerate(parts):
        found = list(mentions(part))
        shut = number < so and parts[so][1].lower() == "so"
        reason = (
            shut
            or (opened == "so" and not _so_wants(part))
            or REASON.match(opened or part) is not None
            or is_talk(part)
        )
        clauses.append(Clause(part, opened, reason))
        for start, end, forms, value in found:
            things.append(
                _weighed(
                    part,
                    opened,
                    start,
                    end,
                    forms,
                    value,
                    number,
                    reason,
                    shut,
                    against=number + 1 < len(parts) and AGAINST.fullmatch(_opener(*parts[number + 1])) is not None,
                )
            )
    if NAMES.search(text):
        things = [replace(one, naming=True) if one.alone else one for one in things]
    return Message(
        tuple(clauses),
        tuple(things),
        BUILT.search(text) is not None or re.search(r"\b\d+ or \d+\b", text) is not None,
        re.match(r"(?:and|also|plus|(?:\w+ )?more)\b", text, re.I) is not None,
    )


def _so_wants(part: str) -> bool:
    """Whether what follows *so* is what is wanted, and no purpose."""
    if PURPOSE.match(part):
        return False
    begun = BEFORE_WORD.match(part)
    rest = part[begun.end() :] if begun is not None else part
    alone = re.fullmatch(r"\S+(?: (?:please|pls|then|instead|it is))?", rest) is not None
    return alone or re.search(r"\d|[\"'`_]|--\w", part) is not None


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Clauses, and the word or the sign in front of each."""
    held = [match.span() for match in HELD.finditer(text)]
    done, opened = 0, ""
    for match in [*CUT.finditer(text), None]:
        if match is not None and any(low < match.end() and match.start() < high for low, high in held):
            continue
        part = text[done : match.start() if match is not None else len(text)].lstrip(" !?,;").rstrip(" .!?,;")
        word = re.match(
            r"(so|because|cause|cuz|since|otherwise|like|and|but|then|not|instead of|rather than|than|over|as in)\b\s*",
            part,
            re.I,
        )
        if word is not None and word[1].lower() in ("so", "and", "but", "then"):
            opened, part = word[1].lower(), part[word.end() :]
        if part:
            yield part, opened
        if match is not None:
            done, opened = match.end(), match[0].strip()


def _opener(part: str, opened: str) -> str:
    """What a clause begins with, in itself or in front of it."""
    found = re.match(r"(?:not|instead of|rather than|than|over)\b", part, re.I)
    return found[0] if found is not None else opened


def _weighed(
    part: str,
    opened: str,
    start: int,
    end: int,
    forms: tuple[Form, ...],
    value: literals.Said | None,
    number: int,
    reason: bool,
    shut: bool,
    *,
    against: bool,
) -> Thing:
    before, after = part[:start].lower(), re.sub(r"^\([^()]*\)", "", part[end:])
    sort = forms[0][0]
    head = not [
        word
        for word in re.findall(r"[\w']+", before)
        if word not in FILLERS | STRAY and word not in ("hm", "hmm", "oh", "ah", "sorry", "ach", "actually")
    ]
    tail = not [
        word
        for word in re.findall(r"[\w']+", after)
        if word.lower()
        not in (
            "please",
            "pls",
            "instead",
            "then",
            "there",
            "thanks",
            "though",
            "tho",
            "rather",
            "it",
            "is",
            "i",
            "meant",
            "mean",
        )
    ]
    old = OLD.search(before) is not None or (start == 0 and AGAINST.fullmatch(opened) is not None)
    if sort in ("number", "operator") and re.search(
        r"\b(?:more|less|fewer|greater|longer|older|higher|lower|bigger|smaller|larger|shorter) than\s*$", before
    ):
        old = False
    if old and re.match(
        r"\s*(?:rather\b|instead\b|(?:an? |the )?(?:better|nicer|clearer|right|proper|usual)\b)", after
    ):
        old = False
    old = (
        old
        or re.match(r"\s*(?:->|=>|→)", after) is not None
        or (re.search(r"\bfrom\s*$", before) is not None and re.match(r"\s*(?:to|down|up)\b", after) is not None)
    )
    kept = (
        KEPT.match(after) is not None
        or re.search(r"\b(?:stays?|remains?|leave|stick)(?: it)?(?: at| with)?\s*$", before) is not None
    )
    strong = STRONG.search(before) is not None
    naming = re.search(r"\w ?[-=]> ?$", before) is not None or (
        strong
        and re.search(
            r"\b(?:call|nam|spell|renam|word|(?:param\w*|arg\w*|var\w*|field|key|column|option|flag|method|function|class|attribute|constant|local)(?:\'s| is| should be| must be))",
            before,
        )
        is not None
    )
    want = 2.0 * strong or 0.8 * (WEAK.search(before) is not None)
    want += 1.5 * (not reason and opened in ("so", ":", "->", "=>", "→") and head)
    good = GOOD.match(after) is not None
    if good:
        want += 1.5
    elif BAD.match(after):
        want -= 2.5
    if (
        sort in ("number", "text", "constant")
        and tail
        and not strong
        and re.fullmatch(r"(?:the |and )?(?:[a-z_]+ ){1,2}", before)
    ):
        want += 1.0
    if (
        tail
        and sort not in ("member", "word", "called")
        and re.fullmatch(r"(?:it|that|this)(?:'s| is| was) (?:an? |the |now )?", before)
    ):
        strong, want = True, want + 2.0
    if sort == "number" and re.search(r"\d\s*(?:to|-|\.\.|through|and)\s*$", before):
        want += 0.7
    if head and (tail or good or not BAD.match(after)):
        want += 1.0 + (0.7 if tail else 0.0)
    if reason and not strong and not good:
        want -= 1.5
    if shut or REASON.match(opened) or REASON.match(part):
        want = min(want - 2.0, 0.0)
    if re.match(r"\w+\($", part[max(0, start - 12) : start].split(" ")[-1] or "x"):
        want -= 2.0
    alone = head and (tail or good) and not re.search(r"\bonly\s*$", before)
    low = part[start:end].lower()
    plain = (
        not (naming and not after.strip())
        and not against
        and (
            low in NO_NAME | HOW
            or ((low in EVERY_ROLE or is_order(low)) and not (good and head))
            or re.search(r"\w{3}(?:ed|ing|en)$", low) is not None
        )
    )
    role = naming and re.match(
        r"\s+(?!please|pls|plz|instead|then|so|like|as|in|there|and|because|since|rather|everywhere|elsewhere|already|now|here|for|to|if|too|not|is|would)[a-z]",
        after,
    )
    if (
        plain
        or role
        or (low in literals.UNITS and not re.match(r"\W*spel", after))
        or (BEFORE_WORD.fullmatch(before) is None and not naming)
    ):
        forms = tuple(form for form in forms if form[0] != "word")
    keyword = re.search(r"(\w+)=\s*$", before)
    return Thing(part[start:end], forms, want, old, number, value, kept, naming, alone, keyword[1] if keyword else "")


def does_more(clause: Clause) -> bool:
    """Whether a clause in which nothing was found asks for something."""
    text = clause.text.strip(" .!?,")
    if clause.reason or not text or NEUTRAL.match(text) or is_remark(text):
        return False
    return DOES.match(text) is not None or is_order(text) or ALSO.search(text) is not None


def is_known_error(name: str, text: str) -> bool:
    found = getattr(builtins, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return True
    return re.search(rf"(?<!\w){re.escape(name.split('.')[0])}(?!\w)", text) is not None

# ruff: noqa: SIM905 - tables of words and forms read better unbroken
"""What people say around the order for an idiom, and how they mistype it.

Comes in: words. Goes out: which of them say nothing; an order without slips. Must not know: code, ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from spark_tui.refactor.saying import FILLERS

NOISE = frozenset(
    """
    actually afaik again agree ah already alright anyway around aside asked asks away bad because better bit body broken btw cannot can't change changes changed ci clean
    cleaner cleanly clearer complains consistency consistent convention conventions cosmetic couldn't customer describe directly don't doesn't down easier easy easily elegant else's everyone
    fine first fix fixme flake8 follow following found fyi give good great guide hate hey hm hmm hint humble idiom idiomatic idiomatically idk imho imo inner inside isn't just keep keeps lint linter
    linters little look looking looks lot maybe mean mess minimal minor more much my near need needed needless needlessly needs nice nicer nit nobody noisy obvious oh ok okay old
    otherwise our own people perhaps pep8 place places plain pls point pointless possible prefer preferred probably proper properly purpose purposes python python's pythonic quick quite
    readable readability really reads reason redundant refactor review reviewer reviewers rewrite rewritten right ruff ruf pylint sake same says shape shorten shorter shorthand shouldn't simple simpler simplest simplified
    simplify simplification simply small smaller somewhere sonar sorry still stuff style stylistic suggested suggests tad than thing things think thx tidier tidy todo too top ty ugly
    unneeded unnecessarily unnecessary up use used useless user verbose want wanted wants way ways we what what's whole why won't work works would write writes written wrote wrong you
    back there's that's it'd i'd we'd let's could can turn convert transform make replace swap rework switch reuse mypy tool says clunky code block blocks expression expressions statement statements
    short long too part parts modern built builtin built-in builtins simply nothing extra does job well version form inline's around everything stays leave go goes
    within but n w such about supposed become becomes see rid wanna gonna project projects codebase repo basically example examples docs alone everybody expects expected far
    understand understands got feedback pr var vars idea seems feels feel bothers annoying confusing honestly obviously anymore guess someone somebody anything whatever lift de
    local line's lines' called method's function's func def routine fn meth proc procedure helper getter snippet
    """.split()
)
"""What people say around the order for an idiom."""

ASIDES = re.compile(
    r"\b(?:as (?:discussed|agreed|usual|always|suggested|we said)|like in the other (?:files|modules)|like everywhere else|we need (?:it|this) for the release|for (?:this|the) (?:commit|release|pr|review)|"
    r"our style guide|per (?:our|the) style guide|to be consistent(?: with the other modules)?|for (?:consistency|readability|clarity)|minimal (?:change|diff)|keep it (?:small|minimal|short)|"
    r"(?:don'?t|do not) (?:touch|change|reformat)(?: (?:anything|the rest|other lines?|else|any other))*|(?:the )?rest (?:is|stays?) (?:fine|as it is|the same)|nothing else|only that|everything else (?:stays?|as is)(?: (?:the same|as it is|untouched))?|"
    r"no explanation(?: needed)?|u know what i mean|you know what i mean|that works|(?:the )?(?:build|ci) (?:is red|fails|failed)|ci is red(?: otherwise)?|because the docs say so|before i commit|leave the rest alone|if you have a minute|as a first step|otherwise the build fails|mypy is not happy|while (?:we're|you're|you are|we are|i'm) (?:here|at it)|"
    r"shouldn'?t be hard|(?:we|i) talked about this(?: yesterday)?|(?:it'?s|it is) wrong as it is|it was a mistake|my bad|i missed that|this is a small one|small change|one more thing|new requirement|(?:change|review) (?:comment|request|requets)|quick one|"
    r"what (?:we|i) need|needs? to be done|because the line is too long|product wants that|the customer wants it(?: like this)?|looking at this code again|same as before|looks good|(?:as )?the reviewer (?:asked for this|wants(?: it)?|says|asks|complains|suggests)|"
    r"reads? better|easier to read|more (?:readable|pythonic|idiomatic)|too (?:long|deep|nested)|so (?:that )?it (?:is|reads|looks)|if (?:that'?s|it'?s) (?:ok|possible|easy|simpler))\b",
    re.I,
)


def _less(word: str) -> Iterator[str]:
    yield word
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


@lru_cache(maxsize=4)
def _by_less(slips: frozenset[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for word in sorted(slips):
        if len(word) > 3:
            for less in _less(word):
                out.setdefault(less, word)
    for word in slips:
        out[word] = word
    return out


_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _slipped(word: str, meant: str) -> bool:
    """A letter left out, doubled, put in, changed with its neighbour, or the next key."""
    if len(word) != len(meant):
        return abs(len(word) - len(meant)) == 1
    apart = [(a, b) for a, b in zip(word, meant, strict=True) if a != b]
    if len(apart) == 2:
        return apart[0] == apart[1][::-1]
    return len(apart) == 1 and _near(*apart[0])


def _near(one: str, other: str) -> bool:
    place = {key: (row, at) for row, keys in enumerate(_KEYS) for at, key in enumerate(keys)}
    (a, b), (c, d) = place.get(one, (9, 9)), place.get(other, (-9, -9))
    return abs(a - c) < 2 and abs(b - d) < 2


def mended(said: str, own: frozenset[str], slips: frozenset[str]) -> str:
    """The order in lower case, with words that are one letter away from a known one read as that; names of the
    file (`own`) stay."""
    table = _by_less(slips)

    def one(match: re.Match[str]) -> str:
        word, low = match[0], match[0].lower()
        if low in slips or low in FILLERS or low in NOISE or word in own or len(low) < 3 or not low.isalpha():
            return low
        return next((table[less] for less in _less(low) if less in table and _slipped(low, table[less])), low)

    return re.sub(r"[^\W\d]\w*(?:'[a-z]+)?", one, said)

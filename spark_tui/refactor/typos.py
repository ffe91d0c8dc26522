"""Plain words of an order that were typed wrong by one letter, put right.

Comes in: a text, and the names that stand in the file. Goes out: the text. Must not know: what the words mean. What is
quoted, what is a name and what is nearly two words stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

WORDS = frozenset(
    re.findall(
        r"\w+",
        """add append argument arguments assign assignment async attribute base before after below above begin beginning
    behind between block body bottom branch break call called calls case change check class clean clear colon comment
    comments condition constant constructor continue convert create debug decorator default delete dictionary
    disable docstring document dropped easy else empty enable end erase error except exception expression extract
    false field file final first flatten forgot fourth function global hint import imports increase indent inline
    insert inside instead integer invert iterate keyword lambda last length line lines list local logger logging loop
    loops lower message method missing move name needed nested never number only operator optional order parameter
    parameters pass please print prints private property raise range redundant remove rename reorder repeat replace
    rest return returns rewrite second self should signature simplify sort sorted start statement static string strip
    swap test tests their there third throw timeout true tuple turn type unindent unless unnecessary unreachable
    unused update useless value values variable when where which while whole with without wrap write wrong yield""",
    )
)
_OTHERS = frozenset(
    re.findall(
        r"\w+",
        """color points whose longer properly ident looks newer never cells black storing pprint lives forget smart alter
    aiter wrote spring intent forth recorder falsy began whine bloke blocked liven given sortie remote inset clash chance charge expect expected strong thing think three threw throws those these state stated
    strap stripe strips link liner lined linger links looped prime paint point sprint round sound could would shall
    commit commend command commands texts text tested tester bottle branded brand broken bleak breach callers caller
    retain retails passed passes passing printer printed sorter sport start starts stars wild while whale white field
    filed files filled filter final finals wrath warp wraps trap swaps sweep types typed tuples valve turned turns
    lists lost least lease please erased eraser easily inserted invest inverse local locale locals logged lagging
    angle raised raises raiser ranges ranged range change method methods message massage messages defaults moved moves
    movie removes removed removal named names namer owner lower lowers slower flower order older border holder loader
    reader header leader letter better latter later water writer writes writer returned return imported importer
    clears cleared cleaner cleans checked checks checker called calls caller cases cased based bases basic else elsewhere
    empties emptied ended ending error errors throw thrown third thirds thirty there theme them then than that
    tests best rest nest west unites united unused used users useful user sorted sort short story store stored
    class classes glass value valued values yields yielded list""",
    )
)
_SHORT = {"teh": "the", "nuek": "nuke", "vey": "very", "adn": "and", "frmo": "from", "lien": "line", "fucntion": "function", "funtion": "function", "retrun": "return", "wiht": "with", "esle": "else", "pritn": "print", "calss": "class", "delte": "delete", "udpate": "update", "iin": "in", "tehre": "there", "ot": "to"}  # fmt: skip
_LEAST, _MOST = 5, 12
_PLAIN = re.compile(r"(?<![\w.`'\"/@#-])[A-Za-z]?[a-z]+(?![\w.`'\"/(=\[-])(?!\.\w)")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


def mended(text: str, known: Collection[str]) -> str:
    """The text with its plain words spelled right."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]

    def put_right(match: re.Match[str]) -> str:
        word = match[0]
        if word in known or any(a <= match.start() < b for a, b in quoted):
            return word
        meant = _meant(word.lower())
        return word if meant is None else meant.capitalize() if word[0].isupper() else meant

    return _PLAIN.sub(put_right, text)


@lru_cache(maxsize=4096)
def _meant(word: str) -> str | None:
    if word in _SHORT:
        return _SHORT[word]
    if word in WORDS or word in _OTHERS or not _LEAST <= len(word) <= _MOST or word.rstrip("s") in WORDS:
        return None
    found = [one for one in WORDS if one[0] == word[0] and len(one) >= _LEAST and _one_off(word, one)]
    return found[0] if len(found) == 1 else None


def _one_off(word: str, other: str) -> bool:
    """One letter more, less or other, or two in turn; no ending more or less, that may be a word of its own."""
    if abs(len(word) - len(other)) > 1 or word in (f"{other}d", f"{other}r", f"{other}s", other[:-1]):
        return False
    pairs = zip(word, other, strict=False)
    at = next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(word), len(other)))
    left, right = word[at:], other[at:]
    return (
        left[1:] == right
        or left == right[1:]
        or left[1:] == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )

"""Which of several places of a text a few words point to.

Comes in: places as nodes and lines of a text, a phrase. Goes out: those that are meant. Must not know: hunks, engines,
what is done there.

A place is described by the words of the names around it, of what it is the value of, of its own text, and by what people
call such code. A word points where it describes some places and not the others; nothing is chosen where two are about as
well described.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Definition, Function, Source
from spark_tui.steers.terms import NUMBERS

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TOKEN = re.compile(r"`[^`]+`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|[\w.]*\w")
STOP = FILLERS | frozenset(
    re.findall(
        r"[\w']+",
        """also too same likewise as well it that this these those them they there here do does done doing did it's its the a an in on
        for at to of with from and or but so then now please pls only just not no leave alone skip except keep though tho obviously
        actually rather instead better all both every each everywhere other others rest remaining whole again way thing things one ones
        place places part parts bit bits spot spots time well while you're you at needs need needed gets get should course ofc obviously definitely certainly exactly must can could be is are was were
        stay stays untouched unchanged touch change changed changing put add apply use make want wants me i we you'd like similar similarly
        out off up first second third last final 1st 2nd 3rd forgot forget include including plus what about don't dont drop undo
        revert restore without nothing else file module code hmm hm oh ah yes yeah ok okay nah nope sorry please by really still
        will would let us have has had go goes belongs belong more less have them version fine right good enough my your our their pass open""",
    )
) - {"open", "pass", "file", "else", "with", "while", "for", "class", "import"}
_NOUNS = frozenset(
    re.findall(
        r"\w+",
        "handler handlers endpoint endpoints view views side version variant field fields column columns statement statements query queries string strings message messages block body case cases item items entry entries call calls definition header property operation direction path thing stuff section area half step stage sibling siblings counterpart pair partner neighbour neighbor dataclass",
    )
)
"""What any place may be called; where it describes none, it says nothing."""
_SOFT = frozenset(
    re.findall(
        r"\w+",
        "name names named class file code value values get set line lines method function module new current statement variable arg args argument param parameter params used pass open first last put add apply change drop include apply keep",
    )
)
"""Words of the sentence that may be names as well: they count where they tell places apart."""
_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "loop": (ast.For, ast.While, ast.AsyncFor), "for": (ast.For,), "while": (ast.While,), "branch": (ast.If,), "if": (ast.If,), "case": (ast.If,), "condit": (ast.If,),
    "check": (ast.If, ast.Assert), "guard": (ast.If,), "try": (ast.Try,), "except": (ast.ExceptHandler,), "err": (ast.ExceptHandler,), "catch": (ast.ExceptHandler,), "handl": (ast.ExceptHandler,), "with": (ast.With, ast.AsyncWith),
    "return": (ast.Return,), "rais": (ast.Raise,), "assert": (ast.Assert,), "class": (ast.ClassDef,), "import": (ast.Import, ast.ImportFrom),
    "yield": (ast.Yield,), "await": (ast.Await,), "async": (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith), "assign": (ast.Assign, ast.AnnAssign), "lambda": (ast.Lambda,),
}  # fmt: skip
"""What people call code, by what it is."""
_ALSO_CALLED: tuple[tuple[str, str], ...] = (
    (r"\b__init__\b", "init constructor ctor"), (r"\b__(?:enter|exit)__\b", "context manager"), (r"\b__(?:str|repr)__\b", "string repr str"), (r"\b__eq__\b", "equal equality"),
    (r"\b__iter__\b", "iterate iterator"), (r"\b__call__\b", "call"), (r"\b__len__\b", "length"), (r"\.setter\b", "setter"), (r"@property\b", "getter property"), (r"[\"'][wx]b?\+?[\"']|\.write|\bdump", "write save output"),
    (r"open\((?!.*[\"'][awx]b?\+?[\"'])|\.read|\bload", "read load input"), (r"[\"']ab?\+?[\"']", "append"), (r"\bdef test_|\bassert", "test"), (r"\bdef _[a-z]", "helper private internal"), (r"^\s*raise\b", "error exception"),
    (r"\.(?:debug|info|warning|error|exception|critical)\(", "log"), (r"^\s*@", "decorator"), (r"\bclose\(", "close"), (r"==|!=|<|>", "compare comparison"),
    (r"\bnot \w+\.strip\(|== \"\"|\bnot \w+:", "blank empty"), (r"\bis None\b", "none null missing"), (r"<= 0\b|< [01]\b|== 0\b", "zero empty negative"),
)  # fmt: skip


def stem(word: str) -> str:
    """A word without its ending; `saving`, `saves` and `save` are one."""
    word = word.lower()
    for ending in ("ings", "ing", "ers", "er", "ies", "ied", "ion", "ed", "es", "or", "e", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            word = word[: -len(ending)]
            if (
                ending in ("ing", "ings", "ed", "er", "ers")
                and len(word) > 3
                and word[-1] == word[-2]
                and word[-1] not in "ls"
            ):
                word = word[:-1]
            break
    return word


def stems(text: str) -> set[str]:
    return {stem(part) for part in _PART.findall(text)}


@dataclass
class Spot:
    """One place, by what describes it: names as they are, and stems with how much they say."""

    key: object
    exact: set[str] = field(default_factory=set)
    said: dict[str, float] = field(default_factory=dict)
    level: int = 0
    around: tuple[str, ...] = ()

    def add(self, text: str, weight: float) -> None:
        for one in stems(text):
            self.said[one] = max(weight, self.said.get(one, 0))

    def hit(self, token: str) -> float:
        if token in self.exact:
            return 6
        parts = stems(token)
        return min((self.said.get(one, 0) for one in parts), default=0)


def described(
    src: Source,
    key: object,
    lines: Sequence[int],
    node: ast.AST | None,
    text: str,
    level: int = 0,
    own: str = "",
    apart: bool = False,
) -> Spot:
    """A place that begins on the first of these lines of a text. `text` is the code around, `own` what is changed of it;
    `apart`: what is around it is not told."""
    spot = Spot(key, level=level)
    line = lines[0]
    around = [
        one for one in src.nodes if isinstance(one, Definition) and src.first_line(one) <= line < src.last_line(one)
    ]
    spot.around = tuple(one.name for one in around)
    around = [] if apart else around
    for one in around[-1:]:
        spot.exact |= {one.name}
        spot.add(one.name, 4)
        _called(spot, src.lines[src.first_line(one)] + "\n" + src.lines[one.lineno - 1 - len(src.headers)], 3)
        if isinstance(one, Function) and one.decorator_list:
            _called(spot, "\n".join(f"@{src.segment(item)}" for item in one.decorator_list), 4)
    for one in around[:-1]:
        spot.exact |= {one.name}
        spot.add(one.name, 2.5)
    for one in around:
        spot.add(
            "async"
            if isinstance(one, ast.AsyncFunctionDef)
            else "class"
            if isinstance(one, ast.ClassDef)
            else "function method",
            1.5,
        )
    for name in _keys(node, src):
        spot.exact |= {name}
        spot.add(name, 5)
    for word in re.findall(r"[A-Za-z_]\w*", own):
        spot.add(word, 4)
    for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", own):
        spot.exact |= {number}
    for word in re.findall(r"[A-Za-z_]\w*", text):
        spot.add(word, 2)
    for found in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", own):
        spot.exact |= {one for one in found if one}
    _called(spot, text, 3)
    walked = ([node] if apart else [node, *src.ancestors(node)]) if node is not None else []
    for outer in walked:
        weight = 3.0 if outer is node else 2.0
        for word, kinds in _KINDS.items():
            if isinstance(outer, kinds):
                spot.said[word] = max(weight, spot.said.get(word, 0))
        if isinstance(outer, (ast.If, ast.For, ast.While, ast.With)) and outer is not node:
            spot.add(src.lines[src.first_line(outer)], 1.5)
    if node is not None and not isinstance(node, ast.stmt):
        for word, kinds in _KINDS.items():
            if isinstance(src.statement(node), kinds):
                spot.said[word] = max(2.0, spot.said.get(word, 0))
    if line > 0 and src.lines[line - 1].lstrip().startswith("#"):
        spot.add(src.lines[line - 1], 1)
    return spot


def _called(spot: Spot, text: str, weight: float) -> None:
    for looks, words in _ALSO_CALLED:
        if re.search(looks, text, re.M):
            spot.add(words, weight)


def _keys(node: ast.AST | None, src: Source) -> Iterator[str]:
    """What a node is the value of, or takes: a key, an argument, a name; what it calls."""
    if node is None:
        return
    for one in (node, *src.ancestors(node)):
        if isinstance(one, ast.keyword) and one.arg:
            yield one.arg
        elif isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                if isinstance(target, (ast.Name, ast.Attribute)):
                    yield src.segment(target).removeprefix("self.")
        parent = src.parents.get(one)
        if isinstance(parent, ast.Dict) and one in parent.values:
            key = parent.keys[parent.values.index(one)] if isinstance(one, ast.expr) else None
            if isinstance(key, ast.Constant):
                yield str(key.value)
        if isinstance(one, ast.stmt):
            break
    for item in ast.walk(node):
        if isinstance(item, ast.Subscript) and isinstance(item.slice, ast.Constant):
            yield str(item.slice.value)
        elif isinstance(item, ast.Name) and not isinstance(node, (Definition, ast.stmt)):
            yield item.id


# -- choosing --------------------------------------------------------------------------------------------------------

_ORDINAL = re.compile(
    r"\b(?:the )?(?P<n>first|1st|second|2nd|third|3rd|fourth|4th|last|final)(?: (?P<k>\d+|two|three|four))?\b", re.I
)
_AT = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "last": -1,
    "final": -1,
}
_ALL = re.compile(
    r"\b(?:all|both|every|everywhere|each|rest|others|remaining|other (?:two|three|four|five|\d))\b", re.I
)
_OTHER = re.compile(r"\b(?:other|second|else)\b", re.I)
_COUNT = re.compile(r"\b(?:other|all|both|the|remaining|those|these) (two|three|four|five|six|\d)\b", re.I)


def tokens(phrase: str) -> list[str]:
    """Words that may name a place."""
    return [one for word in _TOKEN.findall(phrase) if (one := word.strip("`\"'"))]


def chosen(
    spots: Sequence[Spot],
    phrase: str,
    known: frozenset[str],
    *,
    plural: bool = False,
    pieces: bool = False,
    strict: bool = False,
    home: tuple[str, ...] = (),
) -> list[Spot] | None:
    """Those that a phrase points to; None where it names something else, or does not tell them apart. `known` are names
    of definitions: one that is said and describes no place is something else."""
    if not spots:
        return None
    naming, unknown, exactly = dict[str, dict[int, float]](), 0, False
    words = tokens(phrase)
    articled = set(re.findall(r"\b(?:the|that|this|other) (\w+)", phrase)) & _KINDS.keys()
    for word in dict.fromkeys(words):
        special = any(word in spot.exact for spot in spots) and (
            (word not in STOP and word.lower() not in STOP) or not word.islower() or "_" in word
        )
        if (
            not special
            and word not in known
            and word not in articled
            and (
                (word.lower() in STOP and word.lower() not in _SOFT)
                or word.lower() in NUMBERS
                or (len(word) < 2 and not word.isdigit())
            )
        ):
            continue
        if pieces and "." in word and not any(spot.hit(word) for spot in spots):
            word = word.rpartition(".")[2]
        if re.fullmatch(r"\d+", word) and not any(word in spot.exact for spot in spots):
            if pieces or _COUNT.search(phrase) or _ORDINAL.search(phrase):
                continue
            return None
        hits = {at: weight for at, spot in enumerate(spots) if (weight := spot.hit(word))}
        if word.lower() in _SOFT and not (hits and len(hits) < len(spots) and max(hits.values()) >= 4):
            continue
        if not hits and word.lower() in _NOUNS and word not in known:
            continue
        if not hits:
            if word in known:
                return None
            unknown += 1
            continue
        exactly = exactly or max(hits.values()) >= 5
        naming[word] = hits
    every = _ALL.search(phrase) is not None
    count = _COUNT.search(phrase)
    number = int(NUMBERS.get(count[1].lower(), count[1])) if count else 2 if re.search(r"\bboth\b", phrase, re.I) else 0
    found = list(range(len(spots)))
    if naming:
        if unknown > ((1 if exactly else 0) if strict else 2 if exactly else len(naming)):
            return None
        scores = [sum(hits.get(at, 0) for hits in naming.values()) for at in found]
        full = [at for at in found if all(at in hits for hits in naming.values())]
        best = max(scores[at] for at in full) if full else max(scores)
        if every or number:
            found = full or [at for at in found if scores[at] > 0.7 * best]
        else:
            found = [at for at in (full or found) if scores[at] > 0.8 * best]
    elif unknown:
        # A word that the code does not have, for all places that are alike.
        alike = {spot.around for spot in spots}
        counted = re.search(
            r"\b(?:every|each|all|both)(?: the| of the| those)? (?!ones?\b)\w+(?: please| too| as well| actually)?$",
            phrase,
            re.I,
        )
        if not every or counted is None or unknown > 1 or len(alike) > 1:
            return None
    elif not every and not number and not _ORDINAL.search(phrase) and not _OTHER.search(phrase):
        return None
    ordinal = _ORDINAL.search(phrase)
    if ordinal is not None and len(found) > 1:
        at = _AT[ordinal["n"].lower()]
        some = int(NUMBERS.get(ordinal["k"].lower(), ordinal["k"])) if ordinal["k"] else 1
        if some > 1:
            found = found[:some] if at == 0 else found[-some:]
        else:
            found = found[at : at + 1 or None] if at < len(found) else []
        return [spots[at] for at in found] or None
    found = _at_level(spots, found, number)
    if number and len(found) != number:
        return None
    if len(found) > 1 and home and not (every or number or plural):
        # What is called the same elsewhere, or stands in the same class.
        near = [at for at in found if spots[at].around[-1:] == home[-1:]]
        near = near or [at for at in found if len(home) > 1 and spots[at].around[:1] == home[:1]]
        found = near or found
    if len(found) > 1 and not (every or number or plural):
        named = {spots[at].around[-1:] for at in found}
        told = any(spots[at].around[-1:] and spots[at].around[-1] in words for at in found)
        if not (len(named) == 1 and told) and not all(re.search(r"s$", word) for word in naming):
            return None
    return [spots[at] for at in found] or None


def _at_level(spots: Sequence[Spot], found: list[int], number: int) -> list[int]:
    """The lowest level at which there are any, or as many as were said."""
    levels = sorted({spots[at].level for at in found})
    for level in levels:
        at_level = [at for at in found if spots[at].level <= level]
        if not number or len(at_level) == number:
            return at_level
    return found

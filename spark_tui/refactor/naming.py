"""What a person calls a thing, as the code calls it: *the user's email* is `user.email`, *an empty cart* is
about `cart`.

Comes in: a noun phrase, and the names that can be meant. Goes out: one expression, or nothing. Must not know:
orders, what is done with the thing.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.source import Function, Source, parameters

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_BEFORE = re.compile(
    r"^(?:(?:the|an?|its|their|his|our|any|every|each|some|all|that|this|these|those|given|passed(?:[- ]in)?|supplied|provided|new|current|whole|same|value of|contents? of|type of|either|both|there (?:is|are)(?: an?)?)\s+)+",
    re.I,
)
_ROLE_BEFORE = re.compile(
    r"^(?:(?:parameter|param|argument|arg|variable|var|value|field|attribute|input)\s+)(?=\S)", re.I
)
_ROLE_BEHIND = re.compile(
    r"(?<=\S)\s+(?:parameter|param|argument|arg|variable|var|value|values|field|attribute|input|(?:that )?(?:is|was|are) (?:passed|given)(?: in)?|itself)$",
    re.I,
)
_LENGTH = re.compile(r"^(?:the\s+)?(?:length|len|size|number|count)\s+of\s+(?P<of>.+)$", re.I)
_OF = re.compile(r"^(?P<what>[\w\s]+?)\s+(?:of|in|on)\s+(?P<whose>.+)$", re.I)
_OWNS = re.compile(r"^(?P<whose>.+?)(?:'s|s'|’s)\s+(?P<what>[\w\s]+)$")
_IT = re.compile(
    r"^(?:it|one|argument|arg|parameter|param|input|value|(?:only|single|first|1st) (?:argument|arg|parameter|param))$",
    re.I,
)
_NUMBERED = re.compile(
    r"^(?P<which>first|1st|second|2nd|third|3rd|last) (?:argument|arg|parameter|param)$", re.I
)
_WHICH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1}
_KINDS = {
    "list": "list", "lists": "list", "string": "str", "strings": "str", "text": "str", "dict": "dict", "dictionary": "dict", "number": "int float",
    "numbers": "list", "sequence": "list Sequence Iterable", "array": "list ndarray", "set": "set", "tuple": "tuple", "data": "",
}  # fmt: skip
_MATCH = re.compile(r"^(?:it|pattern|regex|regexp|match|expression)$", re.I)
_FILE = re.compile(r"^[\w-]+\.(?:json|txt|csv|tsv|py|ya?ml|toml|db|sqlite|log|xml|html|md|ini|cfg)\b")
_NOISE = frozenset(
    [
        "file",
        "input",
        "output",
        "user",
        "string",
        "number",
        "list",
        "dict",
        "given",
        "incoming",
        "requested",
        "raw",
        "json",
    ]
)
_BUILTINS = frozenset(dir(builtins))


def parts(name: str) -> list[str]:
    """The words of a name, in lower case."""
    return list(_parts(name))


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in _PART.findall(name))


@lru_cache(maxsize=512)
def expression(text: str) -> ast.expr | None:
    """The tree of one expression, or None where the text is not one."""
    try:
        return parse_code(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def singular(word: str) -> str:
    low = word.lower()
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if low.endswith("s") and not low.endswith("ss") and len(low) > 2 else word


class Naming:
    """`own` are the parameters of a function; `names` all that can be meant, the nearest first; `text` the
    code in which they are used, which says whether *the user's email* is an attribute or a key."""

    def __init__(
        self,
        names: Iterable[str],
        text: str,
        own: Sequence[ast.arg] = (),
        known: Iterable[str] = (),
        called: str = "",
    ) -> None:
        self.called = called
        self.names = tuple(dict.fromkeys(names))
        self.text = text
        self.own = tuple(own)
        self.known = frozenset(known) | _BUILTINS

    @cached_property
    def roots(self) -> frozenset[str]:
        """Names with which an expression may begin."""
        return frozenset(self.names) | self.known | {"self", "cls"}

    @cached_property
    def _in_words(self) -> dict[tuple[str, ...], list[str]]:
        """Names by their words."""
        out: dict[tuple[str, ...], list[str]] = {}
        for name in self.names:
            out.setdefault(_parts(name.removeprefix("self.")), []).append(name)
        return out

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        return _by_word(self.names)

    @cached_property
    def _own_words(self) -> dict[str, list[str]]:
        return _by_word([one.arg for one in self.own])

    def code(self, text: str) -> str | None:
        """The text itself, where it is an expression of names that are known."""
        text = text.strip().strip("`").strip()
        if _FILE.search(text) and text not in self.text:
            return None
        tree = expression(text)
        if tree is None:
            return None
        bound = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        used = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        return text if used <= self.roots | bound else None

    def thing(self, phrase: str) -> str | None:
        """The expression for a noun phrase, or None where nothing or more than one thing is meant."""
        phrase = phrase.strip(" ,;:.?!")
        if re.fullmatch(r"`[^`]+`|'[^']+'|\"[^\"]+\"", phrase):
            phrase = phrase[1:-1]
        bare = _BEFORE.sub("", phrase).strip().replace("`", "")
        bare = re.sub(r"^['\"]([^\W\d]\w*)['\"](?=$|\s)", r"\1", bare)
        for one in dict.fromkeys((bare, _ROLE_BEHIND.sub("", _ROLE_BEFORE.sub("", bare)))):
            one = one.strip("'\"") if re.fullmatch(r"(['\"])[^\W\d]\w*\1", one) else one
            if found := self._plain(one) or self._spelled(one):
                return found
        measured = _LENGTH.match(bare)
        if measured and (found := self.thing(measured["of"])):
            return f"len({found})"
        if (number := _NUMBERED.match(bare)) and self.own:
            at = _WHICH[number["which"].lower()]
            return self.own[at].arg if at < len(self.own) else None
        if _IT.match(bare) and len(self.own) == 1:
            return self.own[0].arg
        if self.called and len(self.own) == 1 and singular(bare.lower()) in parts(self.called)[-1:]:
            return self.own[0].arg
        if _MATCH.match(bare):
            made = {str(one) for one in re.findall(r"\b(\w+) = re\.(?:search|match|fullmatch)\(", self.text)}
            if len(made) == 1:
                return made.pop()
        for pattern in (_OWNS, _OF):
            if (match := pattern.match(bare)) and (whose := self.thing(match["whose"])):
                return self.member(whose, match["what"])
        noise, _, rest = bare.partition(" ")
        if noise.lower() in _NOISE and (found := self._plain(rest)):
            return found
        if " " in bare:
            whose, _, what = bare.partition(" ")
            if (root := self._plain(whose)) and (found := self.member(root, what)):
                return found
        return self._kind(bare) or self._part(bare)

    def member(self, whose: str, what: str) -> str | None:
        """The attribute or the key of a thing, as the code reads it."""
        name = "_".join(_BEFORE.sub("", what).strip().split())
        if not name.isidentifier():
            return None
        root = re.escape(whose)
        for one in (name, singular(name)):
            if re.search(rf"(?<![\w.]){root}\.{one}\b(?!\()", self.text):
                return f"{whose}.{one}"
            if key := re.search(rf"(?<![\w.]){root}(?:\[|\.get\()(['\"]){one}\1", self.text):
                return f"{whose}.get({key[1]}{one}{key[1]})"
        return None

    def _spelled(self, text: str) -> str | None:
        """`a.b`, `a[0]`, `len(a)`: more than one word of code."""
        if not re.fullmatch(r"[^\W\d]\w*(?:\.\w+|\[[^\]\s]+\]|\([^()]*\))+", text):
            return None
        return self.code(text)

    def _plain(self, text: str) -> str | None:
        """A name as it is spelled, or its words in a row; singular for plural."""
        if not text:
            return None
        for one in (text, "_".join(re.split(r"[\s-]+", text))):
            if one in self.names:
                return one
            if f"self.{one}" in self.names:
                return f"self.{one}"
        said = parts("_".join(re.split(r"[\s-]+", text)))
        for wanted in (
            said,
            [*said[:-1], singular(said[-1])] if said else [],
            [*said[:-1], said[-1] + "s"] if said else [],
        ):
            same = self._in_words.get(tuple(wanted), [])
            if wanted and len(same) == 1:
                return same[0]
        return None

    def _kind(self, text: str) -> str | None:
        """*the list*, where one parameter can be it."""
        kind = _KINDS.get(text.lower())
        if kind is None or not self.own:
            return None
        if len(self.own) == 1:
            return self.own[0].arg
        fit = [
            one.arg
            for one in self.own
            if one.annotation is not None and _head(one.annotation) in kind.split()
        ]
        return fit[0] if len(fit) == 1 else None

    def _part(self, text: str) -> str | None:
        """*the timeout* is `timeout_secs`, where no other name has that word."""
        word = singular(text.lower())
        if not word.isalpha() or len(word) < 3:
            return None
        for pool in (self._own_words, self._words):
            fit = pool.get(word, [])
            if len(fit) == 1:
                return fit[0]
            if fit:
                return None
        return None


def _by_word(names: Iterable[str]) -> dict[str, list[str]]:
    """Names by each of their words, which are singular."""
    out: dict[str, list[str]] = {}
    for name in names:
        for word in dict.fromkeys(singular(part) for part in _parts(name)):
            out.setdefault(word, []).append(name)
    return out


def _head(annotation: ast.expr) -> str:
    inner = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else ""


def naming_in(src: Source, function: Function | None, known: Iterable[str] = ()) -> Naming:
    """What can be meant inside a function: its parameters, what it binds, the attributes of `self` that it
    knows."""
    if function is None:
        nodes = src.nodes
        text, own = src.text, []
    else:
        nodes, text, own = list(ast.walk(function)), src.segment(function), parameters(function)
    bound = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    called, above = _of_file(src)
    attributes = [
        f"self.{node.attr}()" if node.attr in called else f"self.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    ]
    loaded = {node.id for node in nodes if isinstance(node, ast.Name)}
    return Naming(
        [*(one.arg for one in own), *bound, *attributes],
        text,
        own,
        loaded | above | frozenset(known),
        function.name if function else "",
    )


@lru_cache(maxsize=4)
def _of_file(src: Source) -> tuple[frozenset[str], frozenset[str]]:
    """Methods that are called without arguments, and all names that the file reads, defines or imports: the
    same for each of its functions."""
    own = {one.name for one in src.functions}
    called = frozenset(re.findall(r"\bself\.(\w+)\(\)", src.text)) & own
    names = {one.id for one in src.nodes if isinstance(one, ast.Name)}
    names |= {
        one.name
        for one in (*src.functions, *src.classes)
        if isinstance(one, ast.ClassDef) or src.class_of(one) is None
    }
    names |= {(one.asname or one.name).partition(".")[0] for one in src.nodes if isinstance(one, ast.alias)}
    return called, frozenset(names)

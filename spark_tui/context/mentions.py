"""`@path`, `@path:10-40`, `@src/*.py` and `@symbol` in what a person typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from posixpath import normpath

from spark_tui.context.shown_context import ContextRequest

# An "@" inside a word is an address or a decorator's tail, not a mention; quotes carry paths with spaces.
_MENTION = re.compile(
    r"""(?<![\w@.])@(?:"(?P<quoted>[^"\n]+)"|(?P<plain>[\w./~+*?\[\]-]+))(?::(?P<a>\d+)(?:-(?P<b>\d+))?)?"""
)
_SYMBOL = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


_PATH = re.compile(r"(?<![\w./\\-])[\w./\\-]+\.(?:py|pyi|toml|cfg|ini|ya?ml|json|txt|md|rst)(?!\w)")


def paths_in(text: str) -> list[str]:
    """The paths of files that a text has."""
    return _PATH.findall(text)


@dataclass(frozen=True, slots=True)
class Mention:
    """A file, or lines `first..last` of it (1-based, both included); 0 and 0 for the whole file."""

    path: str
    first: int = 0
    last: int = 0

    @property
    def is_glob(self) -> bool:
        return any(ch in self.path for ch in "*?[")

    @property
    def may_be_symbol(self) -> bool:
        """`Cart.add` could be a file; it is one only where there is such a file."""
        return not self.first and _SYMBOL.fullmatch(self.path) is not None


_LEADING = re.compile(r"\b(?:in|of|from|to)\s+$", re.IGNORECASE)


def without_files(text: str) -> str:
    """The text for a model that is shown the file and was never taught the sign: mentions of files are taken
    out, with the *in* before them. Everything else stays as it was typed: a decorator begins with the sign,
    too."""
    out, at = "", 0
    for match in _MENTION.finditer(text):
        path = match["quoted"] or match["plain"].rstrip(".,?")
        if not (match["quoted"] or match["a"] or "/" in path or path.endswith((".py", ".pyi", ".pyw"))):
            continue
        end = "" if match["quoted"] or match["a"] else match["plain"][len(path) :]
        out = _LEADING.sub("", out + text[at : match.start()]) + end
        at = match.end()
    if not at:
        return text
    left = re.sub(r"[ \t]{2,}", " ", out + text[at:])
    left = re.sub(r"[ \t]+([.,?])", r"\1", left).strip(" \t,")
    return left or text


_ENDING = re.compile(r"\.\w+(?!\.?\w|/)")
_BEFORE_NAME = re.compile(r"""(?:^|(?<=[\s"'`(@]))(?=\S)""", re.MULTILINE)
_READ_AS_TYPED = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*")
_SAYS_WHERE = re.compile(r"(?:^|@|\b(?:in|of|from|file)\s+)$", re.IGNORECASE)
_MOST_WORDS, _LONGEST_PATH, _LONGEST_MESSAGE = 8, 200, 4_000


def with_mentions(text: str, is_file: Callable[[str], bool]) -> str:
    """The text with a mention for each bare path that could be taken for something else, because of a space
    or a bracket in it. In quotes it is one where it is said to be a place."""
    out, at = "", 0
    for ending in _ENDING.finditer(text) if len(text) < _LONGEST_MESSAGE else ():
        first = max(at, ending.start() - _LONGEST_PATH)
        starts = [match.start() for match in _BEFORE_NAME.finditer(text, first, ending.start())]
        for start in starts[-_MOST_WORDS:]:
            path = text[start : ending.end()]
            if '"' in path or _READ_AS_TYPED.fullmatch(path) or not is_file(path):
                continue
            before, after = text[at:start], ending.end()
            quote = before[-1:] if before[-1:] in ("'", '"', "`") else ""
            if quote and text[after : after + 1] == quote:
                before, after = before[:-1], after + 1
                if not _SAYS_WHERE.search(out + before):
                    continue  # it may be a value
            elif text.count('"', 0, start) % 2:
                continue  # it is a part of one
            out += f'{before.removesuffix("@")}@"{path}"'
            at = after
            break
    return out + text[at:]


def _plain(path: str) -> str:
    """One name for one file: `./a.py` and `b/../a.py` are `a.py`. What leads out stays as it was typed. `a/`
    are the files of a folder."""
    plain = normpath(path) if path else ""
    if plain in ("", ".") or plain.startswith(("..", "/")):
        return path
    return f"{plain}/*" if path.endswith("/") else plain


def find_mentions(text: str) -> tuple[Mention, ...]:
    out: list[Mention] = []
    for match in _MENTION.finditer(text):
        # A full stop, comma or question mark after a mention ends the sentence, not the path.
        path = _plain(match["quoted"] or match["plain"].rstrip(".,?"))
        first = int(match["a"] or 0)
        last = int(match["b"] or first)
        mention = Mention(path, min(first, last), max(first, last))
        if path and mention not in out:
            out.append(mention)
    return tuple(out)


def files_asked_about(ask: ContextRequest) -> set[str]:
    """The files that a person names or looks at, and those of the turn before, as far as paths are known."""
    mentioned = (one.path for one in find_mentions(ask.instruction) if not one.is_glob)
    every = (*paths_in(ask.instruction), *mentioned, ask.in_view, *ask.files, *ask.earlier)
    return {path for one in every if one and not (path := normpath(one)).startswith(("/", ".."))}

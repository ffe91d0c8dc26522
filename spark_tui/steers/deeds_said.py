"""Deeds as a message names them, as code: *raise a KeyError with the name*, *log it and go on*, *an empty list is fine*.

Comes in: a message, the statements in whose place they come. Goes out: `Deed`s. Must not know: where they are put.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.imports_of import bound, imports_in
from spark_tui.refactor.source import Function, Source
from spark_tui.steers.amended_items import VALUE, value
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.statement_said import code_of
from spark_tui.steers.told_texts import Part, as_log, as_text, is_log, told_by

_ERROR = r"[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Stop|NotFound|Missing|Invalid)"
DEEDS = (
    rf"(?<![.\w])(?:raise|throw|rais\w+|throw\w+|blow up|fail(?: loudly)?|crash)\b|(?-i:\b{_ERROR}\b)|\blog(?:s|ged|ging|ger)?\b|\b(?:debug|info|warning|error|warn) level\b"
    r"|\b(?:print(?:ed|s|ing)?|warn(?:s|ings?)?|return(?:s|ing)?|skip(?:s|ped|ping)?|continue|ignor\w+|break|assert|sys\.exit|exit|pass|swallow)\b|\babort\(|\b(?:write (?:it |that )?to )?(?:sys\.)?stderr\b"
    rf"|(?:^|; )(?:(?:rather|just|better|only|give|have|make it) )*(?:{VALUE})(?: (?:there|then|instead|is|will|would|makes|fits|for)\b|$)"
)
_RAISE = re.compile(
    rf"(?:\b(?:raise|throw|raising|throwing|fail with|blow up with)\s+(?:an? |the |our |that )?(?P<e>(?-i:(?:\w+\.)*[A-Z]\w+))|(?:an? |the )?(?P<f>(?-i:(?:\w+\.)*{_ERROR})))\b(?P<args>\()?",
    re.I,
)
_BARE_RAISE = re.compile(r"(?<![.\w])(?:raise|throw|raises|re-?raise|raising|fail loudly|blow up|crash)\b", re.I)
_CAUGHT = re.compile(r"\b(?:catch|except|handle|on)\b[^;]*$", re.I)
_LOG = re.compile(
    r"\blog(?:s|ged|ging|ger)?\b(?! (?:of|base|file)\b)|\b(?:debug|info|warning|error|warn) level\b", re.I
)
_LEVEL = re.compile(r"\b(debug|info|warn|warning|error|critical|exception)\b(?! level logger)", re.I)
_RETURN = re.compile(
    r"\b(?:return|returning|give back|hand back)\b(?! (?:type|value|annotation|hint))\s*(?P<v>[^;,]*)", re.I
)
_PLAIN_VALUE = re.compile(
    rf"^(?:(?:rather|just|better|only|give|have|make it) )*(?P<v>{VALUE})(?: (?:there|then|instead|is (?:fine|ok|enough|better|good)|will do|would do|would be (?:fine|better|ok)|makes more sense|fits(?: better)?)\b.*|)$",
    re.I,
)
_SWAPPED = re.compile(r"(?<!\w)(?:\d|[\"'])")
"""A value that is turned down: then another is meant for it, wherever it stands."""
_BEHIND_VALUE = re.compile(
    r"\s+(?:is\b.*|in (?:that|this|the) case|there|here|then|early|instead|for (?:that|those|it|them)|when .*|if .*|and .*)$",
    re.I,
)
_OBJECT = re.compile(
    r"\b(?:log(?:s|ging)?|print(?:s|ing)?)\b (?:(?:the|an?|its|every|each|all|their|both) )?(?P<what>[a-z_]\w*)", re.I
)
_NO_OBJECT = frozenset(
    """
    it that this them those these warning warnings message messages error errors line lines as at with to through via and instead level module first there
    exception only in debug info rather before too also but or on out something traceback stack is logger which miss problem
    """.split()  # noqa: SIM905
)
_PAIR = re.compile(rf"\breturn ((?:(?:{VALUE}|\w+), )+(?:{VALUE}))\W*$", re.I)
_SKIP = re.compile(
    r"\b(?:skip|continue|ignore|ignoring|skipping|swallow)\b(?! the \w+ (?:arg|param))(?! (?:upper |lower )?case)", re.I
)
_EXIT = re.compile(r"\bsys\.exit\(?(?P<n>[^)\s;]*)\)?|\bexit(?: (?:with|code|status))* ?(?P<m>\d+)?", re.I)
_WITH = re.compile(r"\b(?:with|of|for|naming|about|incl\w*|and) (?:the |that |its |this |an? )?(?P<x>[\w.]+)", re.I)
_TEXT = re.compile(r"[fF]?\"[^\"]*\"|(?<!\w)[fF]?'[^']*'(?!\w)")


@dataclass(frozen=True)
class Deed:
    """One statement that is to be: what leaves the place, or what only tells."""

    leaves: bool
    code: str


@dataclass(frozen=True)
class Named:
    """The deeds of one message. `group` are those in whose place they come."""

    src: Source
    said: Said
    group: Sequence[ast.stmt]

    @cached_property
    def text(self) -> str:
        text = self.said.orders
        return text if re.search(DEEDS, text, re.I) else self.said.everything

    @cached_property
    def told(self) -> list[Part] | None:
        return next((parts for one in self.group if (parts := told_by(self.src, one)) is not None), None)

    @cached_property
    def deeds(self) -> list[Deed] | None:
        """In the order in which they are named; None where one is named that cannot be made."""
        found: list[tuple[int, Deed | None]] = [*self._leaving(), *self._telling()]
        if any(deed is None for _, deed in found):
            return None
        return [deed for _, deed in sorted(found, key=lambda one: one[0]) if deed is not None]

    # -- what leaves the place ---------------------------------------------------------------------------------------

    @cached_property
    def _raised(self) -> re.Match[str] | None:
        """The exception that is to be raised."""
        for text in (self.text, self.said.everything if _BARE_RAISE.search(self.text) else ""):
            found = _RAISE.search(text)
            if found is None or _CAUGHT.search(text[: found.start()]) is not None:
                continue
            handled = any(isinstance(self.src.parents.get(one), ast.ExceptHandler) for one in self.group)
            last = self.group[-1]
            if found["e"] or (last.exc is not None if isinstance(last, ast.Raise) else not handled):
                return found
        return None

    @property
    def _rest(self) -> str:
        """The text without what belongs to an exception."""
        return (
            self.text[: self._raised.start()]
            if self._raised is not None and self._raised.string == self.text
            else self.text
        )

    def _leaving(self) -> Iterator[tuple[int, Deed | None]]:
        src, text, first = self.src, self.text, self.group[0]
        handled = isinstance(src.parents.get(first), ast.ExceptHandler)
        rest = self._rest
        bare = _BARE_RAISE.search(text)
        if self._raised is not None:
            known = _is_exception(src, (self._raised["e"] or self._raised["f"]))
            yield self._raised.start(), Deed(True, raised(src, self._raised, self.told, first)) if known else None
        elif bare is not None:
            again = isinstance(first, ast.Raise) or (re.search(r"re-?raise|\bown\b|custom", text, re.I) and not handled)
            code = "raise" if handled else f"raise ValueError({as_text(self.told)})" if self.told else ""
            yield bare.start(), Deed(True, code) if code and not again else None
        if (match := re.search(r"\babort\((\d+)\)", rest)) is not None:
            yield match.start(), Deed(True, match[0])
        returned = _RETURN.search(rest)
        pair = _PAIR.search(self.said.message)
        if returned and pair is not None:
            yield returned.start(), Deed(True, f"return {pair[1]}")
            return
        if returned and src.function_of(first) is not None:
            given = _BEHIND_VALUE.sub("", returned["v"].strip(" ."))
            given = (
                given
                if re.match(r"an? empty", given, re.I)
                else re.sub(r"^(?:just|a|an|the|early|plain)\b\s*(?=\w)", "", given)
            )
            code_said = code_of("return", returned["v"].strip(" ."), src.lines) or code_of("return", given, src.lines)
            yield returned.start(), None if code_said is None else Deed(True, code_said)
            return
        plain = next((match for one in text.split(" ; ") if (match := _PLAIN_VALUE.match(one.strip()))), None)
        if (
            plain is not None
            and not re.fullmatch(r"\w+(?:\.\w+)+", plain["v"])
            and isinstance(self.group[-1], (ast.Raise, ast.Return))
            and _SWAPPED.search(self.said.against) is None
            and bare is None
            and self._raised is None
        ):
            yield 0, Deed(True, f"return {value(plain['v'])}")
            return
        loop = in_loop(src, first)
        if (match := _SKIP.search(rest)) is not None:
            yield match.start(), Deed(True, "continue" if loop else "pass" if handled else "return")
        if (match := re.search(r"\bbreak\b|\bstop (?:there|the loop|looping)\b", rest, re.I)) is not None and loop:
            yield match.start(), Deed(True, "break")
        if (match := _EXIT.search(rest)) is not None:
            told = as_text(self.told) if self.told and not match["n"] and match["m"] is None else ""
            yield match.start(), Deed(True, f"sys.exit({match['n'] or match['m'] or told or 1})")

    # -- what only tells ---------------------------------------------------------------------------------------------

    def _telling(self) -> Iterator[tuple[int, Deed | None]]:
        rest = self._rest
        what = _OBJECT.search(rest)
        if what is not None and what["what"].lower() not in _NO_OBJECT and what["what"] not in as_text(self.told or []):
            yield what.start(), None  # Something else than what is told there.
            return
        words = _only_text(self.text) or (as_text(self.told) if self.told else "")
        if (match := _LOG.search(rest)) is not None:
            yield match.start(), self._logged("")
        elif (match := re.search(r"\bprint(?:s|ed)?\b|\bstderr\b", rest, re.I)) is not None:
            where = ", file=sys.stderr" if re.search(r"\bstderr\b", self.text) else ""
            again = (
                not where and not _only_text(self.text) and any("print(" in self.src.segment(one) for one in self.group)
            )
            yield match.start(), Deed(False, f"print({words}{where})") if words and not again else None
        elif (match := re.search(r"\bwarn(?:s|ings?)?\b(?! level)", rest, re.I)) is not None:
            if re.search(r"warnings?\.warn|\bwarnings module\b", rest, re.I) or not logger_of(self.src, self.group[0]):
                yield match.start(), Deed(False, f"warnings.warn({words})") if words else None
            else:
                yield match.start(), self._logged("warning")

    def _logged(self, level: str) -> Deed | None:
        src, node = self.src, self.group[0]
        words = _only_text(self.text)
        parts: list[Part] | None = (
            [words.strip("\"'")] if words and words[0] in "\"'" and "{" not in words else self.told
        )
        if parts is None:
            return self._at_level(level)
        if isinstance(parts[0], str):
            parts = [re.sub(r"^(?:warning|error|info|debug|note)[:!]\s*", "", parts[0], flags=re.I), *parts[1:]]
        given = _LEVEL.findall(re.sub(r"\w*Error\b|\berror message\b", " ", self.said.message))
        way = (level or next(iter(given), "")).lower()
        handled = any(isinstance(one, ast.ExceptHandler) for one in src.ancestors(node))
        if not way and re.search(r"traceback|stack ?trace", self.text, re.I) and handled:
            way = "exception"
        if not way and re.search(r"\b(?:fail\w*|could ?n[o']t|cannot|can't|error)\b", as_text(parts), re.I):
            way = "error"
        way = way or ("warning" if handled or isinstance(node, ast.Raise) else "info")
        logger = logger_of(src, node) or (
            "logger" if re.search(r"\blogger\b|getLogger", self.said.message) else "logging"
        )
        return Deed(False, f"{logger}.{'warning' if way == 'warn' else way}({as_log(parts, src)})")

    def _at_level(self, level: str) -> Deed | None:
        """The same call at the level that is said, whatever is told."""
        node = self.group[0]
        wanted = level or next(iter(_LEVEL.findall(self.said.message)), "").lower()
        if not wanted or not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            return None
        called = node.value.func
        if not isinstance(called, ast.Attribute) or not is_log(self.src, node.value):
            return None
        told = self.src.segment(node)[len(self.src.segment(called)) :]
        return Deed(False, f"{self.src.segment(called.value)}.{'warning' if wanted == 'warn' else wanted}{told}")


def _is_exception(src: Source, name: str) -> bool:
    """Whether it is one that Python has, or that the file knows."""
    module, _, last = name.rpartition(".")
    there = getattr(builtins, last, None)
    if isinstance(there, type):
        return issubclass(there, BaseException)
    imported = {bound(alias, node) for node in imports_in(src) for alias in node.names}
    return (
        last in imported | {node.name for node in src.classes}
        or module.split(".")[0] in imported | sys.stdlib_module_names
    )


def _only_text(text: str) -> str:
    found = [one for one in _TEXT.findall(text) if re.search(r"\w", one[1:])]
    return found[0] if len(found) == 1 else ""


def raised(src: Source, match: re.Match[str], told: list[Part] | None, node: ast.stmt) -> str:
    """The code of a `raise`, with what is said to be in it, or what was told there."""
    error, text = match["e"] or match["f"], match.string
    if match["args"]:
        depth, at = 0, match.end() - 1
        for at in range(match.end() - 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            if not depth:
                break
        return f"raise {error}{text[match.end() - 1 : at + 1]}"
    rest = text[match.end() :]
    words = _only_text(rest)
    if words:
        return f"raise {error}({'f' if re.search(r'{[a-z]', words) and words[0] not in 'fF' else ''}{words})"
    given = _WITH.search(rest)
    name = _in_reach(src, node, given["x"]) if given is not None else ""
    if name:
        return f"raise {error}({name})"
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return f"raise {error}{src.text[src.span(node.exc.func)[1] : src.span(node.exc)[1]]}"
    return f"raise {error}({as_text(told)})" if told else f"raise {error}{_about(src, node, error)}"


def _in_reach(src: Source, node: ast.stmt, name: str) -> str:
    """A name of the function by which it is said."""
    function = src.function_of(node)
    walked = list(ast.walk(function)) if function is not None else []
    inside = {item.id for item in walked if isinstance(item, ast.Name)} | {
        item.arg for item in walked if isinstance(item, ast.arg)
    }
    near = [one for one in sorted(inside) if name in one.split("_")]
    return name if name in inside else near[0] if len(near) == 1 else ""


def _about(src: Source, node: ast.stmt, error: str) -> str:
    """What an exception is given of which no text is said: what the test is about."""
    guard, function = src.parents.get(node), src.function_of(node)
    if not isinstance(guard, ast.If) or function is None:
        return ""
    params = [one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg) and one.arg not in ("self", "cls")]
    names = [one.id for one in ast.walk(guard.test) if isinstance(one, ast.Name) and one.id not in ("self", "cls")]
    about = next((name for name in names if name in params), next(iter(names), ""))
    if not about:
        return ""
    if error in ("KeyError", "LookupError", "IndexError"):
        return f"({about if about in params or len(params) != 1 else params[0]})"
    return f'(f"invalid {about.replace("_", " ")}: {{{about}!r}}")'


def logger_of(src: Source, node: ast.stmt) -> str:
    """What the file logs with."""
    found = re.findall(r"^(\w+)(?:: [\w.]+)? = (?:logging\.getLogger|getLogger|structlog\.get_logger)", src.text, re.M)
    own = re.findall(r"\b(self\._?log(?:ger)?) = ", src.text) if src.function_of(node) is not None else []
    return next(iter([*found, *own]), "")


def in_loop(src: Source, node: ast.stmt) -> bool:
    for one in src.ancestors(node):
        if isinstance(one, (ast.For, ast.While, ast.AsyncFor)):
            return True
        if isinstance(one, Function):
            return False
    return False

"""Statements by what they are and what they are about: *the return*, *the call to x*, *the loop over users*.

Comes in: a phrase with its code marked, statements. Goes out: those that fit it. Must not know: where they are looked
for, what is to be done with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from spark_tui.refactor.order import _parts as parts
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Function, Source
from spark_tui.refactor.statements.talk import Talk

# -- kinds of statements ---------------------------------------------------------------------------------------------


def is_print(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("print", "pprint")


def _is_log(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr in ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")


def _is_call(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value.value if isinstance(value, ast.Await) else value, ast.Call)


def _is(*kinds: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, kinds)


_KINDS: tuple[tuple[str, Callable[[ast.AST], bool]], ...] = (
    (r"for[- ]?loops?|for", _is(ast.For, ast.AsyncFor)),
    (r"while[- ]?loops?|while", _is(ast.While)),
    (r"loops?", _is(ast.For, ast.AsyncFor, ast.While)),
    (r"with", _is(ast.With, ast.AsyncWith)),
    (r"try(?:[/ -](?:except|catch|finally))?", _is(ast.Try)),
    (r"if|guard|condition|check", _is(ast.If)),
    (r"returns?", _is(ast.Return)),
    (r"raises?|exception|error", _is(ast.Raise)),
    (r"assert(?:ion)?s?", _is(ast.Assert)),
    (r"prints?|printing|debug output", is_print),
    (r"log(?:ging|ger)?s?", _is_log),
    (r"imports?", _is(ast.Import, ast.ImportFrom)),
    (r"breaks?", _is(ast.Break)),
    (r"continues?", _is(ast.Continue)),
    (r"pass", _is(ast.Pass)),
    (r"del", _is(ast.Delete)),
    (r"global", _is(ast.Global)),
    (r"calls?", _is_call),
    (r"assignments?", _is(ast.Assign, ast.AnnAssign, ast.AugAssign)),
    (r"match|switch", _is(ast.Match)),
    (r"messages?", lambda node: is_print(node) or _is_log(node)),
)  # fmt: skip
_KIND = [
    (re.compile(rf"(?P<before>.*?)(?<!\w)(?:{name})(?:[- ](?:statement|stmt|block|line|clause|branch|call|part|check|condition)s?)?(?!\w)(?P<after>.*)$", re.I), test)
    for name, test in _KINDS
]  # fmt: skip
_ASSIGNED = re.compile(
    r"(?:(?:assignment|assigment|initiali[sz]ation|setting|definition|declaration)(?: line)? (?:to|of|for)\s+(?:the\s+)?(?:(?:var|variable|name|attribute|constant)\s+)?(?P<a>\S+?)(?: variable)?|line (?:that|which|where (?:it|we)) (?:sets|assigns|defines|initiali[sz]es|computes|creates|declares|fills) (?:to )?(?:the\s+)?(?P<b>\S+)|line (?:setting|assigning(?: to)?|defining|with the assignment to|where)\s+(?P<c>\S+)(?: is (?:set|assigned|defined|created|computed))?|(?P<d>\S+?)(?:'s)? (?:assignment|variable|constant|initiali[sz]ation|=)(?: line| statement)?|(?:unused |local )*(?:variable|var|constant|local)\s+(?P<e>\S+)|(?:the )?place where (?P<f>\S+) is (?:set|assigned|defined|created))$",
    re.I,
)  # fmt: skip
_CALLED = re.compile(
    r"(?:calls? (?:to|of)\s+(?:the\s+)?(?P<a>\S+)|(?P<b>\S+?)(?:\(\))? calls?(?: line)?|(?:line|statement) (?:that|which) calls\s+(?P<c>\S+)|(?P<d>[\w.]+)\(\)(?: line)?|line calling\s+(?P<e>\S+))$",
    re.I,
)
_LINE_WITH = re.compile(
    r"(?:(?:the )?(?:line|statement|one|part|bit|place|row)s? (?:with|containing|that (?:has|contains|says|reads|mentions|does|logs|prints|calls|returns|raises|imports|adds|appends|opens|closes|reads|writes|uses)|which \w+|where (?:it|we)(?: \w+)?|for|about|of)\s+(?:the )?(?P<a>.+)|(?P<b>.+?) (?:line|statement|stmt|expression))$",
    re.I,
)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text.split("  #")[0]).rstrip(":;").replace('"', "'")


def same(src: Source, every: Sequence[ast.stmt], code: str) -> list[ast.stmt]:
    """Statements that are, or begin with, a piece of code."""
    want = squeezed(code)
    if not want:
        return []
    heads = [(node, squeezed(header(src, node))) for node in every if not isinstance(node, Function | ast.ClassDef)]
    exact = [node for node, head in heads if head == want]
    if exact or len(want) < 4:
        return exact
    return [node for node, head in heads if head.startswith(want) and re.search(r"[^\w.]", code.strip())]


def header(src: Source, node: ast.stmt) -> str:
    """The statement without what is inside its block."""
    inner = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(inner, list) and inner and isinstance(node, ast.stmt):
        first = inner[0]
        at = first.pattern if isinstance(first, ast.match_case) else first
        return src.text[src.span(node)[0] : src.span(at)[0]].rstrip().split("\n#")[0]
    return src.segment(node)


def by_kind(talk: Talk, text: str, every: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    src = talk.src
    if (match := _ASSIGNED.match(text)) is not None:
        name = talk.plain(next(one for one in match.groups() if one)).strip(" '\"`.,()")
        found = [node for node in every if name in (list(_targets(src, node)))]
        if not found:
            found = [node for node in every if any(one.endswith(f".{name}") for one in _targets(src, node))]
        if found:
            yield from found
            return
    if (match := _CALLED.match(text)) is not None:
        name = talk.plain(next(one for one in match.groups() if one)).strip(" '\"`.,").split("(")[0]
        found = [node for node in every if _calls(src, node, name)]
        alone = [node for node in found if _is_call(node)]
        if found:
            yield from alone or found
            return
    text = re.sub(r"^the\s+", "", text, flags=re.I)
    line = re.fullmatch(r"(?:self\.)?([^\W\d]\w*) line", text)
    if line is not None and (found := [node for node in every if text[:-5] in _targets(src, node)]):
        yield from found
        return
    if (match := _LINE_WITH.match(text)) is not None and match["a"] and _says_something(talk, match["a"]):
        found = [node for node in every if not hasattr(node, "body") and _about(talk, node, match["a"])]
        if found:
            yield from found
            return
    for pattern, test in _KIND:
        if (match := pattern.fullmatch(text)) is not None and not re.search(
            r"\b(?:it|from|into|out)\b", match["before"]
        ):
            found = [node for node in every if test(node) and _about(talk, node, f"{match['before']} {match['after']}")]
            if re.search(r"\bdebug\b", text, re.I):
                found = [node for node in found if re.search("debug", src.segment(node), re.I)] or found
            if found:
                yield from found
                return
    if (match := _LINE_WITH.match(text)) is not None and match["b"] and _says_something(talk, match["b"]):
        yield from (node for node in every if not hasattr(node, "body") and _about(talk, node, match["b"]))


def _says_something(talk: Talk, about: str) -> bool:
    return any(word not in FILLERS and word not in _JOINING for word in words(talk.plain(about)))


def _targets(src: Source, node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        for target in targets:
            for inner in target.elts if isinstance(target, ast.Tuple) else [target]:
                if inner is not None:
                    yield src.segment(inner)


def _calls(src: Source, node: ast.stmt, name: str) -> bool:
    if hasattr(node, "body"):
        return False
    called = [src.segment(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)]
    return any(one == name or one.endswith(f".{name}") for one in called)


_JOINING = frozenset(
    re.findall(
        r"\S+",
        "that which over on for of to with says saying about around checking checks testing showing shows printing logging where when loop statement from in through the a an and is if it's not debug test message output call",
    )
)


def _about(talk: Talk, node: ast.stmt, said: str) -> bool:
    """Whether every word of a description stands in the code that it describes."""
    text = header(talk.src, node)
    for mark in re.findall(r"⟦\d+⟧", said):
        code = talk.code(mark) or ""
        if squeezed(code) not in squeezed(text):
            return False
    plain = [word for word in words(re.sub(r"⟦\d+⟧", " ", said)) if word not in _JOINING and word not in FILLERS]
    there = {part for word in words(text) for part in (word, *parts(word), *word.split("_"))}
    return all(word in there or any(len(word) > 3 and _alike(word, one) for one in there) for word in plain)


def _alike(word: str, one: str) -> bool:
    """Singular and plural."""
    return one.rstrip("s") == word.rstrip("s") or one + "es" == word or one.rstrip("y") + "ies" == word

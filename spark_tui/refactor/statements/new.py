"""Statements as people ask for them in words: *print the total*, *call save()*, *set x to 0*, *sleep a second*.

Comes in: a piece of an order. Goes out: lines of code, and the import that they need. Must not know: where they go.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.refactor.imports_of import bound, imports_in
from spark_tui.refactor.literals import literal, values
from spark_tui.refactor.order import _parts as parts
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Function, parse
from spark_tui.refactor.statements.talk import Talk


@dataclass(frozen=True)
class New:
    """Lines without indentation (a tab is one level), and an import that they need."""

    lines: tuple[str, ...]
    needs: str = ""


PUT = r"(?:(?:add|insert|put|place|write|include|append|prepend|throw in|stick|drop in|slip in|have|use|introduce|create|need|do|run|execute|paste|type|there should be|there must be|there has to be|we forgot|forgot|we need|call for|make it|it should|it must|it has to|should)\s+)"
_LEAD = re.compile(
    rf"^{PUT}*(?:(?:a|an|the|this|another|one|following|in|also|first|then)\s+)*(?:(?:new|extra|additional|missing|single|simple|quick)\s+)*(?:(?:(?:code\s+)?line|statement|constant|assignment|instruction|command|code|check|assert(?:ion)?(?=\s+(?:that\s+)?⟦)|call(?=\s+⟦))s?(?:\s+of code)?(?:\s+(?:with|that says|saying|like|reading))?\s*:?\s*|(?=\S))",
    re.I,
)
_TRAIL = re.compile(
    r"\s*,?\s*(?:(?:should|must|has to|have to|needs to|ought to|shall|can)\s+(?:come|be|go|stand|appear|happen|run|be (?:called|done|added|there|inserted|put|executed))(?:\s+(?:first|there|in))?|is missing|goes|comes|belongs|is needed|as (?:a|the)(?: new)? (?:line|statement)|as(?: a| the)?|line|statement|,)$",
    re.I,
)
_PRINT = re.compile(
    r"(?:(?:a\s+)?(?:debug\s+)?print(?:s|\s+out)?(?:\s+(?:statement|call|line|stmt))?(?:\s*(?::|of|for|that (?:shows|prints|says|displays|outputs)|showing|saying|with|which (?:shows|prints|says)))?|show|output|display|echo)\s+(?:(?:out|the value of|the message|the text|the string)\s+)*(?P<x>.+)$",
    re.I,
)
_CALL = re.compile(
    r"(?:a\s+)?(?:call(?:\s+(?:to|of))?|invoke|run)\s+(?:the\s+)?(?P<x>.+?)(?:\s+(?:function|method))?$", re.I
)
_SET = re.compile(
    r"(?:set|reset|initiali[sz]e|init|assign|start|define|make|declare)\s+(?:the\s+)?(?:(?:variable|constant|attribute|counter|flag)\s+)?(?P<x>\S+?)\s+(?:to|with|as|at|=|be)\s+(?P<v>.+)$",
    re.I,
)
_STEP = re.compile(
    r"(?P<how>increment|increase|bump|raise|decrement|decrease|lower)\s+(?:the\s+)?(?P<x>\S+)(?:\s+by\s+(?P<n>\S+))?$",
    re.I,
)
_SLEEP = re.compile(
    r"(?:a\s+)?(?:sleep|wait|pause|delay)(?:ing)?\s+(?:(?:for|of)\s+)?(?P<v>.+)$|(?:a\s+)?(?P<w>.+?)\s+(?:sleep|pause|delay|wait)$",
    re.I,
)
_APPEND = re.compile(r"append\s+(?P<v>.+?)\s+to\s+(?:the\s+)?(?P<x>\S+)$", re.I)
_CLEAR = re.compile(r"(?P<k>clear|empty|close|flush)\s+(?P<x>\S+)$", re.I)
_SIMPLE = re.compile(r"(?:a\s+|an\s+|just\s+)?(?P<k>pass|break|continue|return)(?:\s+(?:statement|early))?$", re.I)
_RETURN = re.compile(r"(?:a\s+)?returns?\s+(?:of\s+)?(?:the\s+)?(?P<v>.+)$", re.I)
_RAISE = re.compile(r"(?:a\s+)?raises?\s+(?:an?\s+)?(?P<v>[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Iteration)\w*|[A-Z]\w+)(?:\s+(?:with|saying|that says)(?: the (?:message|text))?\s+(?P<m>.+))?$")  # fmt: skip
_BLANK = re.compile(r"(?:an?|one|another|(?P<n>two|2|three|3))\s+(?:blank|empty)\s+lines?$|(?:blank|empty) line$", re.I)


def new_statements(talk: Talk, phrase: str) -> list[New]:
    """What a phrase asks to be written, in each way it may be read; none where it says something else."""
    text = re.sub(r"^(set|call|run|print|raise|return|increment|append|clear)s(?= )", r"\1", phrase.strip(" ,;:"))
    if (blank := _BLANK.match(re.sub(rf"^{PUT}*(?=\S)", "", text, flags=re.I))) is not None:
        return list(_worded(talk, blank[0]))
    for _ in range(3):
        text = _TRAIL.sub("", text, count=1).strip(" ,;:")
    for piece in dict.fromkeys((text, _LEAD.sub("", text, count=1).strip())):
        code = talk.new_code(piece) if piece else None
        if code is not None:
            return [New(tuple(code), needed(talk, code))]
    bare = re.sub(rf"^{PUT}*(?=\S)", "", text, flags=re.I).strip()
    for piece in dict.fromkeys((text, bare, _LEAD.sub("", text, count=1).strip())):
        found = list(_worded(talk, piece))
        if found:
            return found
    return []


def _worded(talk: Talk, text: str) -> Iterator[New]:
    if (match := _BLANK.match(text)) is not None:
        yield New(("",) * {"two": 2, "2": 2, "three": 3, "3": 3}.get(match["n"] or "", 1))
    elif (match := _SIMPLE.fullmatch(text)) is not None:
        yield New((match["k"].lower(),))
    elif (match := _PRINT.match(text)) is not None:
        yield from (New((f"print({one})",)) for one in _shown(talk, match["x"]))
    elif (match := _STEP.match(text)) is not None:
        sign = "+" if match["how"].lower() in ("increment", "increase", "bump", "raise") else "-"
        by = literal(talk.plain(match["n"]).strip()) if match["n"] else "1"
        yield from (New((f"{name} {sign}= {by}",)) for name in names(talk, match["x"]) if by)
    elif (match := _RAISE.match(text)) is not None:
        said = talk.as_said(match["m"]).strip() if match["m"] else ""
        if not said or parse(said) is not None:
            yield New((f"raise {match['v']}({said})" if said else f"raise {match['v']}",))
    elif (match := _APPEND.match(text)) is not None:
        for name in names(talk, match["x"]):
            yield from (New((f"{name}.append({one})",)) for one in expressions(talk, match["v"]))
    elif (match := _CLEAR.match(text)) is not None:
        yield from (
            New((f"{name}.{match['k'].lower().replace('empty', 'clear')}()",)) for name in names(talk, match["x"])
        )
    elif (match := _SLEEP.match(text)) is not None:
        yield from _sleep(talk, talk.plain(match["v"] or match["w"]).strip())
    elif (match := _RETURN.match(text)) is not None:
        yield from (New((f"return {one}",)) for one in expressions(talk, match["v"]))
    elif (match := _SET.match(text)) is not None:
        sure = re.match(r"init|define|declare|make|start", text, re.I) is not None
        for name in names(talk, match["x"]) or _fresh(talk, match["x"], sure):
            yield from (New((f"{name} = {one}",)) for one in expressions(talk, match["v"]))
    elif (match := _CALL.match(text)) is not None:
        yield from _call(talk, match["x"])


# -- what stands in them ---------------------------------------------------------------------------------------------


def expressions(talk: Talk, phrase: str) -> list[str]:
    """A value, an expression or a name."""
    text = phrase.strip(" ,;:")
    if talk.is_text(text):
        return [talk.as_said(text)]
    plain = talk.code(text) or talk.as_said(text).strip()
    value = literal(plain) or literal(re.sub(r"^(?:the|a|an)\s+", "", plain))
    if value is not None:
        return [value]
    if talk.code(text) is not None or re.search(r"\w[.(\[]\w*|[-+*/]", plain):
        tree = parse(plain)
        if tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
            return [plain]
    return names(talk, text)


def names(talk: Talk, phrase: str) -> list[str]:
    """A name of the file: spelled, or its parts in words."""
    text = re.sub(r"^(?:(?:the|a|value of|variable|current|our)\s+)+|\s+(?:variable|value|counter|itself)$", "", talk.plain(phrase).strip(), flags=re.I)  # fmt: skip
    if re.fullmatch(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*", text) and text.split(".")[-1] in talk.order.identifiers:
        return [text]
    if re.fullmatch(r"(?:exception|error|exc)(?: message)?", text):
        return sorted({node.name for node in talk.src.nodes if isinstance(node, ast.ExceptHandler) and node.name})
    said = words(text)
    known = {n.id for n in talk.src.nodes if isinstance(n, ast.Name)} | {n.arg for n in talk.src.nodes if isinstance(n, ast.arg)}  # fmt: skip
    found = sorted(name for name in known if said and parts(name) == said)
    attributes = {talk.src.segment(n) for n in talk.src.nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self" and parts(n.attr) == said}  # fmt: skip
    return found or sorted(attributes)


def _fresh(talk: Talk, phrase: str, sure: bool) -> list[str]:
    name = talk.plain(phrase).strip()
    spelled = talk.code(phrase) is not None or "_" in name or len(name) < 3 or name.startswith("self.") or sure
    return [name] if spelled and re.fullmatch(r"(?:self\.)?[^\W\d]\w*", name) else []


def _shown(talk: Talk, phrase: str) -> list[str]:
    text = phrase.strip(" ,;:")
    two = re.fullmatch(r"(.+?)(?:\s+and\s+|,\s*)(.+)", text)
    if talk.is_text(text):
        return [talk.as_said(text)]
    found = expressions(talk, text)
    if not found and two is not None:
        one, other = _shown(talk, two[1]), _shown(talk, two[2])
        return [f"{one[0]}, {other[0]}"] if len(one) == len(other) == 1 else []
    return found


def _sleep(talk: Talk, said: str) -> Iterator[New]:
    found = values(said)
    if len(found) != 1 or found[0].start > 2 or said[found[0].end :].strip(" .").lower() not in ("", "s", "sec", "secs", "second", "seconds"):  # fmt: skip
        return
    number = found[0].source
    if found[0].unit and found[0].unit not in ("s", "sec", "secs", "second", "seconds"):
        return
    for node in imports_in(talk.src):
        for alias in node.names:
            if isinstance(node, ast.ImportFrom) and node.module == "time" and alias.name == "sleep":
                yield New((f"{bound(alias, node)}({number})",))
                return
            if (isinstance(node, ast.ImportFrom) and node.module == "asyncio") or alias.name == "asyncio":
                return
    yield New((f"time.sleep({number})",), "import time")


def _call(talk: Talk, phrase: str) -> Iterator[New]:
    text = talk.code(phrase) or talk.as_said(phrase).strip()
    found = re.fullmatch(r"(?P<name>[\w.]+)\s*(?P<args>\(.*\))?", text)
    if found is None:
        name = "_".join(words(text))
        known = [node for node in talk.src.functions if parts(node.name) == words(text)]
        if len(known) != 1 or not name:
            return
        found = re.fullmatch(r"(?P<name>\w+)(?P<args>\(.*\))?", known[0].name)
        if found is None:
            return
    name, args = found["name"], found["args"]
    owner = [node for node in talk.src.functions if node.name == name.rpartition(".")[2]]
    if args is None and "." not in name and not owner and name not in talk.order.identifiers:
        return
    if args in (None, "()") and len(owner) == 1 and _required(owner[0], talk.src.class_of(owner[0]) is not None):
        return
    if "." not in name and len(owner) == 1 and talk.src.class_of(owner[0]) is not None:
        name = f"self.{name}"
    tree = parse(f"{name}{args or '()'}")
    if tree is not None:
        yield New((f"{name}{args or '()'}",))


def _required(function: Function, method: bool) -> bool:
    spec = function.args
    many = len(spec.posonlyargs) + len(spec.args) - len(spec.defaults) - (1 if method else 0)
    return many > 0 or any(default is None for default in spec.kw_defaults)


_STANDARD = re.compile(r"\b(time|os|sys|json|math|random|logging|re|datetime|traceback|pprint|itertools|shutil|subprocess|functools|collections)\.[a-z_]\w*", re.I)  # fmt: skip


def needed(talk: Talk, code: Sequence[str]) -> str:
    """The module of the standard library that new code speaks of and that the file does not know."""
    found = _STANDARD.search("\n".join(code))
    if (
        found is None
        or not imports_in(talk.src)
        or found[1] in talk.order.identifiers
        or code[0].startswith(("import", "from"))
    ):
        return ""
    return f"import {found[1]}"

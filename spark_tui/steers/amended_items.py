"""Values, elements and texts that an answer brought, made as a further remark wants them: one more, others, rounded.

Comes in: the text in which an answer stands, one clause of a message. Goes out: texts that may be wanted. Must not
know: engines, ids, what was asked at first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.literals import literal
from spark_tui.steers.stands import Stands, one
from spark_tui.steers.terms import STRAY

Rule = Callable[[Stands, re.Match[str]], Iterator[str]]
VALUE = r"\"[^\"]*\"|'[^']*'|`[^`]+`|-?\d[\w.]*|None|True|False|none|true|false|an? empty \w+|empty \w+|\[\]|\{\}|\(\)|(?-i:[A-Z][A-Z_\d]+)|zero|one|two|three|four|five|ten|nothing|\w+(?:\.\w+)+"
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        "sorted reversed uppercase lowercase upper lower async static private public unique capitalized plural singular comments comment empty lines blank lazy cached quoted optional undo revert test tests docstring hints types log logging then now later",
    )
)
"""Words that say how something is to be, and are no elements."""


def value(said: str) -> str:
    """A value as it was typed, as code."""
    text = said.strip()
    if text[:1] == "`":
        return text[1:-1]
    if text[:1] in "\"'" or re.fullmatch(r"[A-Z][A-Z_\d]+|\w+(?:\.\w+)+", text):
        return text
    return literal(text) or text


def _more_items(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*and "yes"*, *5 as well*: behind what was put into a list."""
    said = [value(item) for item in re.findall(VALUE, match["items"])]
    if not said or (match["and"] is None and match["too"] is None):
        return
    found = []
    for node in text.new((ast.List, ast.Tuple, ast.Set)):
        items = getattr(node, "elts", [])
        new = [item for item in items if isinstance(item, ast.Constant) and text.brought(item)]
        if new and len(items) > 1 and all(_alike(item.value, one) for item in new for one in said):
            found.append(new[-1])
    if len(found) == 1:
        at = text.src.span(found[0])[1]
        quote = text.src.segment(found[0])[:1]
        texts = [f"{quote}{one[1:-1]}{quote}" if one[:1] in "\"'" and quote in "\"'" else one for one in said]
        yield text.changed([(at, at, "".join(f", {one}" for one in texts))])


def _alike(stood: object, said: str) -> bool:
    try:
        new = ast.literal_eval(said)
    except (ValueError, SyntaxError):
        return False
    numbers = (int, float)
    return type(stood) is type(new) or (isinstance(stood, numbers) and isinstance(new, numbers))


def _listed(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*i mean 8, 6 and 4*: in the place of the one element that was put in."""
    said = [value(item) for item in re.findall(VALUE, match["items"])]
    found = []
    for node in text.new((ast.List, ast.Tuple, ast.Set)):
        new = [item for item in getattr(node, "elts", []) if text.brought(item)]
        if len(new) == 1 and isinstance(new[0], ast.Constant) and all(_alike(new[0].value, item) for item in said):
            found.append(new[0])
    if len(found) == 1 and len(said) > 1:
        yield text.changed([(*text.src.span(found[0]), ", ".join(said))])


def _named_item(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*and delta*, *delta too*: one more text, where one that is a word was put in."""
    said = [word for word in re.split(r", and |, | and ", match["a"] or match["b"] or match["c"]) if word]
    for word in said:
        defined = re.search(rf"\b(?:def|class) {re.escape(word)}\b", text.src.text)
        if word.lower() in STRAY or word.lower() in _PLAIN or defined:
            return
    put = _put_in(text)
    if put is None or not isinstance(put.value, str) or not re.fullmatch(r"\w+", put.value) or put.value in said:
        return
    at = text.src.span(put)[1]
    quote = text.src.segment(put)[:1]
    if quote in "\"'":
        yield text.changed([(at, at, "".join(f", {quote}{word}{quote}" for word in said))])


def _caught(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*and ValueError*, *both OSError and ValueError*: where something is caught now."""
    found = [
        node
        for node in text.src.nodes
        if isinstance(node, ast.ExceptHandler) and node.type is not None and text.brought(node.type)
    ]
    if len(found) != 1 or found[0].type is None:
        return
    kind = found[0].type
    stood = text.src.segment(kind)
    if match["name"]:
        if found[0].name is None:
            at = text.src.span(kind)[1]
            yield text.changed([(at, at, f" as {match['name']}")])
        return
    said = re.findall(r"[A-Z]\w+", match["e"] or match["e2"] or match["e3"])
    has = [text.src.segment(item) for item in getattr(kind, "elts", [kind])]
    every = [*has, *(one for one in said if one not in has)]
    made = f"({', '.join(every)})"
    if made != stood and len(every) > 1:
        yield text.changed([(*text.src.span(kind), made)])


def _put_in(text: Stands) -> ast.Constant | None:
    """The one element that was put into a list that had some."""
    found = []
    for node in text.new((ast.List, ast.Tuple, ast.Set)):
        items = getattr(node, "elts", [])
        new = [item for item in items if text.brought(item)]
        if 0 < len(new) < len(items):
            found += new
    return found[0] if len(found) == 1 and isinstance(found[0], ast.Constant) else None


def valued(text: Stands, clause: str) -> str | None:
    """A value alone, where one value of whatever sort was brought."""
    bare = re.sub(r"^(?:(?:return|use|make it|set it to|with|just|only|rather) )+", "", clause, flags=re.I)
    if not re.fullmatch(rf"(?:{VALUE})", bare, re.I) and literal(bare) is None:
        return None
    said = value(bare)
    if re.fullmatch(r"[^\W\d]\w*(?:\.\w+)+", said) and not re.search(rf"\b{said.split('.')[0]}\b", text.src.text):
        return None
    found = [
        node
        for node in text.new((ast.Constant, ast.UnaryOp, ast.List, ast.Dict, ast.Tuple))
        if not isinstance(node, ast.UnaryOp) or isinstance(node.operand, ast.Constant)
    ]
    whole = [node for node in found if not any(other in found for other in text.src.ancestors(node))]
    node = one(whole)
    if node is None or not isinstance(
        text.src.parents.get(node), (ast.Return, ast.Assign, ast.AnnAssign, ast.keyword, ast.arguments)
    ):
        return None
    made = text.changed([(*text.src.span(node), said)])
    return made if text.holds(made) and made != text.src.text else None


def _worded(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*say "bad line"*, *with the message "bad line"*: in what is raised or printed now."""
    found: list[ast.Call] = [
        node.exc for node in text.statements if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    ]
    bare = [node.exc for node in text.statements if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name)]
    if not found and len(bare) == 1:
        at = text.src.span(bare[0])[1]
        yield text.changed([(at, at, f"({match['m']})")])
    if not found:
        found = [
            node.value
            for node in text.statements
            if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and text.src.segment(node.value.func) == "print"
        ]
    if len(found) != 1 or len(found[0].args) > 1 or found[0].keywords:
        return
    call = found[0]
    yield text.changed([(text.src.span(call.func)[1], text.src.span(call)[1], f"({match['m']})")])


def _rounded(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*always round up*: where something is rounded now."""
    call = one(
        item
        for item in text.new(ast.Call)
        if isinstance(item, ast.Call) and text.src.segment(item.func) in ("round", "int", "math.floor", "math.ceil")
    )
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return
    name = "math.ceil" if match["way"].lower() == "up" else "math.floor"
    if text.src.segment(call.func) != name:
        needed = with_import(text.src, "import math")
        yield text.changed([(*text.src.span(call.func), name), *([needed] if needed is not None else [])])


def _form(form: str) -> re.Pattern[str]:
    return re.compile(form, re.I)


_WORDS = r"[^\W\d][\w-]*"
_ERROR = r"(?-i:[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Timeout|Warning|Iteration))"
_ERRORS = rf"{_ERROR}(?:(?:, and |, | and | or ){_ERROR})*"
RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_form(rf"(?:and|also|plus|or)(?: also)?(?: catch)?(?: a| an)? (?P<e>{_ERRORS})(?: too| as well)?|(?:a |an )?(?P<e2>{_ERRORS}) (?:too|as well|also)|(?:catch )?both (?P<e3>{_ERRORS})|(?:bind it |name it |catch it |with )?as (?P<name>e|ex|exc|err|error|exception)"), _caught),
    (_form(rf"(?P<and>and |also |plus )?(?P<items>(?:{VALUE})(?:(?:, and |, | and )(?:{VALUE}))*)(?P<too> too| as well| also)?"), _more_items),
    (_form(rf"(?:i mean(?:t)?|that is|make it|it's|the values are|namely|actually)?:? ?(?P<items>(?:{VALUE})(?:(?:, and |, | and )(?:{VALUE}))+)"), _listed),
    (_form(rf"(?:and |also |plus )+(?P<a>{_WORDS}(?:(?:, and |, | and ){_WORDS})*)(?: too| as well)?|(?P<b>{_WORDS}(?:(?:, and |, | and ){_WORDS})*) (?:too|as well|also)|(?:\w+ more|and|also): (?P<c>{_WORDS}(?:(?:, and |, | and ){_WORDS})*)"), _named_item),
    (_form(r"(?:and |but |with |let it |make it |it should |should |have it |rather )*(?:say(?:ing)?|(?:(?:the |a )?(?:error )?(?:message|text)(?: should (?:be|say|read)| is|:)?)|with|reads?) (?P<m>\"[^\"]+\"|'[^']+')(?: (?:as (?:the )?message|as text|in it))?"), _worded),
    (_form(r"(?:and |but |also |please |just |rather )*(?:always )?(?:round(?:ed|ing)?(?: it| that)? )?(?:always )?(?P<way>up|down)(?: always)?"), _rounded),
)  # fmt: skip

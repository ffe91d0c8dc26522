"""Errors that Python names: a colon that is missing, a bracket that was never closed, a name that was typed
wrong.

Comes in: an order that tells or pastes an error. Goes out: edits after which it is gone. Must not know:
models; what is imported (the family `docs` does).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, indent_of, parse
from spark_tui.refactor.statements.talk import talk_of
from spark_tui.refactor.statements.useless import place_of

_SYNTAX = re.compile(
    r"SyntaxError|IndentationError|TabError|syntax|colon|bracket|paren|brace|quote|was never closed|expected|does ?n[o']t parse|missing|lacks?|forgot|misses|got lost|: (?:is )?missing|comma|indent",
    re.I,
)
_PASTED = re.compile(
    r"Traceback \(most recent call last\):?|File \"[^\"]*\", line \d+(?:, in \S+)?|\b(?:Name|Syntax|Indentation|Tab|Attribute|UnboundLocal)Error(?:: )?|name '\w+' is not defined|'\w+' object has no attribute '\w+'|module '[\w.]+' has no attribute '\w+'|expected '.'|'.' was never closed|unmatched '.'|closing parenthesis '.' does not match opening parenthesis '.'(?: on line \d+)?|invalid syntax(?:\. Perhaps you forgot a comma\??)?(?:\. Maybe you meant '=='(?: or ':=')? instead of '='\??)?|unterminated (?:f-)?string literal(?: \(detected at line \d+\))?(?: ?; perhaps you escaped the end quote)?|unexpected indent|unindent does not match any outer indentation level|expected an indented block(?: after [\w' ]+? on line \d+)?|EOL while scanning string literal|unexpected EOF while parsing|\^+|Did you mean:? '[^']*'\??|\b(?:lines?|ln|l)\s*#?\d+|\bis not defined\b|\bundefined(?: name)?\b",
    re.I,
)
_PLEA = re.compile(
    r"\b(?:fix(?: it| this| that| the (?:error|typo|bug|syntax(?: error)?))?|repair(?: it)?|solve(?: it| the error)?|sort (?:it|this|that) out|stop (?:it|this) from (?:failing|crashing)|help|correct(?: it| the typo| the typing error)?|make it (?:run|work|parse)|crash(?:es|ed|ing)?|broken|(?:it |this )?(?:fails|says|crashes)|i (?:get|see|got) (?:this|an? error|the following)?|when i run it(?: i get)?|here is the (?:traceback|error)|something is wrong|this used to work|now i get(?: this)?|(?:an?|the|this) (?:error|typo|misspelling|mistake)|there is|typo|typed wrong(?:ly)?|mistyped|misspell?ed|spelled wrong|CI fails with this|i mistyped|i see this|add|missing|colon|lacks?|lost|got|forgot|bracket|parenthesis|paren|closing|close|never closed|comma|quote|misses|is|the|you|needs|at the end|back|end|of|python|complains?|see|error|tell|run|put|there|name|undefined|because|code|handle|again|expected|syntax|syntaxerror|indentation|that worked|quick|thanks(?: for (?:the|that) last one)?|reviewer asked for this|needed for the next ticket)\b",
    re.I,
)


# -- what does not parse
# ---------------------------------------------------------------------------------------------

_OPENS = re.compile(
    r"\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b"
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def _syntax(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is not None or not src.lines:
        return
    talk = talk_of(order)
    said = {
        int(one) - order.first_line for one in re.findall(r"\b(?:lines?|ln|l)\s*#?(\d+)", order.said, re.I)
    }
    told = {at for at, line in enumerate(src.lines) if len(line.strip()) > 6 and line.strip() in order.said}
    error = _error_line(src)
    lines = dict.fromkeys([*sorted(told), *sorted(said), *([error, error - 1] if error is not None else [])])
    found: dict[str, int] = {}
    for at in lines:
        if 0 <= at < len(src.lines):
            for new in _mended(src, at, order.said):
                text = src.with_lines(at, at + 1, [new])
                if parse("".join(f"{line}\n" for line in src.headers) + text) is not None:
                    found.setdefault(text, at)
        if found:
            break
    pieces = [one[0] for pattern in (_PASTED, _PLEA) for one in pattern.finditer(order.said)]
    _, place = place_of(talk, talk.text)
    named = [one for one in re.findall(r"\bin (?:the )?(\w+)", order.said) if one in order.identifiers]
    for text, at in found.items():
        yield order.edit_text(text, talk.noise, place, *pieces, *named, src.lines[at])


def _error_line(src: Source) -> int | None:
    """Where Python gives up."""
    try:
        parse_code("".join(f"{line}\n" for line in (*src.headers, *src.lines)))
    except SyntaxError as error:
        return (error.lineno or 1) - 1 - len(src.headers)
    except ValueError:
        return None
    return None


def _mended(src: Source, at: int, said: str) -> Iterator[str]:
    """A line as it may be meant, the likeliest first."""
    line = src.lines[at]
    code, comment = _apart(line)
    if _OPENS.match(line) and not code.endswith(":"):
        yield f"{code}:{comment}"
    if (closers := _unclosed(code)) is not None and closers:
        yield f"{code}{closers}{comment}"
        if _OPENS.match(line):
            yield f"{code.rstrip(':')}{closers}:{comment}"
        if code.endswith(","):
            yield f"{code[:-1]}{closers},{comment}"
    for quote in ("'", '"'):
        if code.count(quote) % 2:
            tail = re.search(r"[)\]}:,]*$", code)
            cut = tail.start() if tail else len(code)
            for place in range(cut, len(code) + 1):
                yield f"{code[:place]}{quote}{code[place:]}{comment}"
    if re.search(r"\bcomma\b|Perhaps you forgot", said, re.I) and not code.rstrip().endswith(","):
        yield f"{code},{comment}"
    if re.match(r"\s*(?:if|elif|while)\b", code) and re.search(r"[^=!<>]=[^=]", code):
        yield re.sub(r"([^=!<>])=(?=[^=])", r"\1==", code, count=1) + comment
    if (
        at > 0
        and line.strip()
        and (re.search("indent", said, re.I) or indent_of(line) != indent_of(src.lines[at - 1]))
    ):
        above = next((one for one in reversed(src.lines[:at]) if one.strip()), "")
        deeper = indent_of(above) + ("    " if _apart(above)[0].endswith(":") else "")
        if deeper != indent_of(line):
            yield deeper + line.lstrip()
    for closer in ")]}":
        if code.endswith((closer, f"{closer}:")):
            yield code[::-1].replace(closer, "", 1)[::-1] + comment


def _apart(line: str) -> tuple[str, str]:
    """Code, and the comment with the blanks in front of it."""
    match = re.match(r"(?P<c>(?:[^#'\"]|'[^']*'|\"[^\"]*\")*?)(?P<r>\s*(?:#.*)?)$", line)
    return (match["c"], match["r"]) if match is not None else (line.rstrip(), "")


def _unclosed(code: str) -> str | None:
    """The brackets that a line opens and leaves open."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", code)
    stack: list[str] = []
    for char in bare:
        if char in _PAIRS:
            stack.append(_PAIRS[char])
        elif char in _PAIRS.values() and (not stack or stack.pop() != char):
            return None
    return "".join(reversed(stack))


# -- names that were typed wrong
# -------------------------------------------------------------------------------------

_UNDEFINED = re.compile(
    r"(?:NameError: |UnboundLocalError: )?(?:global )?name ['\"`](?P<a>\w+)['\"`] is not defined(?:\. Did you mean:? ['\"`](?P<b>[\w.]+)['\"`])?|undefined (?:name|variable) ['\"`]?(?P<c>\w+)|(?:cannot access local variable) ['\"`](?P<d>\w+)",
)
_ATTRIBUTE = re.compile(
    r"has no attribute ['\"`](?P<a>\w+)['\"`](?:\. Did you mean:? ['\"`](?P<b>\w+)['\"`])?"
)
_TYPO = re.compile(
    r"(?:typo|mistyped|misspell?ed|misspelling|typing error|spelling|spelled wrong)\b.*?(?:in |of |with |:|is )*\s*[`'\"]?(?P<a>[^\W\d]\w+)[`'\"]?|[`'\"]?(?P<b>[^\W\d]\w+)[`'\"]? (?:is|was) (?:a typo|mistyped|misspell?ed|spelled wrong|a misspelling)",
    re.I,
)


def _names(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is None:
        return
    talk = talk_of(order)
    said = order.instruction
    pieces = [one[0] for pattern in (_PASTED, _PLEA) for one in pattern.finditer(order.said)]
    match = _UNDEFINED.search(said)
    if match is not None:
        wrong = match["a"] or match["c"] or match["d"]
        meant = [match["b"]] if match["b"] else _near(src, wrong)
        yield from _renamed(order, wrong, meant, (talk.noise, match[0], *pieces, *_echo(src, said)))
        return
    match = _ATTRIBUTE.search(said)
    if match is not None and match["b"]:
        nodes = [n for n in src.nodes if isinstance(n, ast.Attribute) and n.attr == match["a"]]
        if nodes:
            changes = [(src.span(n)[1] - len(n.attr), src.span(n)[1], match["b"]) for n in nodes]
            yield order.edit(changes, talk.noise, match[0], *pieces, *_echo(src, said))
        return
    match = _TYPO.search(order.said)
    if match is None:
        return
    _, place = place_of(talk, talk.text)
    for word in re.findall(r"[^\W\d]\w+", order.said):
        if word in order.identifiers and word not in _bound(src) and not hasattr(builtins, word):
            yield from _renamed(order, word, _near(src, word), (talk.noise, match[0], place, word, *pieces))
            return
    for word in re.findall(r"[^\W\d]\w+", match[0]):
        if word in _bound(src):
            for wrong in sorted(_unbound(src)):
                if get_close_matches(wrong, [word], 1, 0.7):
                    yield from _renamed(order, wrong, [word], (talk.noise, match[0], place, word, *pieces))
            return


def _echo(src: Source, said: str) -> list[str]:
    """Lines of the file that a traceback shows."""
    return [line for line in src.lines if len(line.strip()) > 3 and line.strip() in said]


def _renamed(order: Order, wrong: str, meant: list[str], used: tuple[str, ...]) -> Iterator[Edit]:
    src = order.src
    nodes = [n for n in src.nodes if isinstance(n, ast.Name) and n.id == wrong]
    if not nodes or (wrong in sys.stdlib_module_names and wrong not in meant and len(meant) != 1):
        return
    for name in meant[:2]:
        if name == wrong or (name.split(".")[-1] not in order.identifiers and not hasattr(builtins, name)):
            continue
        yield order.edit([(*src.span(node), name) for node in nodes], *used, wrong, name)


def _bound(src: Source) -> set[str]:
    names = {n.id for n in src.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    names |= {n.arg for n in src.nodes if isinstance(n, ast.arg)}
    names |= {node.name for node in (*src.functions, *src.classes)}
    names |= {(a.asname or a.name).split(".")[0] for n in src.nodes if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names}  # fmt: skip
    names |= {n.name for n in src.nodes if isinstance(n, ast.ExceptHandler) and n.name}
    return names


def _unbound(src: Source) -> set[str]:
    bound = _bound(src)
    loaded = {n.id for n in src.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return {name for name in loaded if name not in bound and not hasattr(builtins, name)}


def _near(src: Source, wrong: str) -> list[str]:
    """Names that are bound where it stands, nearly the same."""
    nodes = [n for n in src.nodes if isinstance(n, ast.Name) and n.id == wrong]
    local: set[str] = set()
    for node in nodes:
        function = src.function_of(node)
        if function is not None:
            local |= {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
            local |= {
                n.id
                for n in ast.walk(function)
                if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
            }
    for pool in (local, _bound(src), {name for name in dir(builtins) if name.islower()}):
        found = get_close_matches(wrong, sorted(pool - {wrong}), 2, 0.74)
        if found:
            best = (
                found[:1]
                if len(found) == 1 or _like(wrong, found[0]) - _like(wrong, found[1]) > 0.05
                else found
            )
            return best
    return []


def _like(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


RULES = (
    Rule(_SYNTAX, _syntax),
    Rule(re.compile(r"not defined|undefined|no attribute|typo|mistyped|misspel|spelled|spelling|typing error|cannot access", re.I), _names),
)  # fmt: skip

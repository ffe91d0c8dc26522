"""Decorators put on, taken off and changed; methods that need no instance.

Comes in: orders. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from spark_tui.refactor.naming import expression
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import calls_of, head
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.signatures.talk import TARGET, accounted, aims, as_function, functions, mended
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Definition, Function, Source

_WORDS = NOISE | frozenset(
    words(
        """decorator decorators decorate decorated decorating annotate annotation mark marked put add adds added apply wrap wrapped above over on top of def gets get should be let needs need turn into make declare register
        static class cached cache property abstract fixture context manager enough instance convert use see one have want wants result results memoize memoise memoized decor deserves turned being become read access
        without parentheses attribute-like accessible like call calls calling computed once only expensive slow every time"""
    )
)
_ROLES = (
    (r"static ?method|\bstatic\b", "staticmethod"),
    (r"class ?method", "classmethod"),
    (r"cached[ -]propert\w+", "cached_property"),
    (r"\bpropert(?:y|ies)\b", "property"),
    (r"abstract ?method|\babstract\b", "abstractmethod"),
    (r"pytest fixture|\bfixture\b", "pytest.fixture"),
    (r"async context manager", "asynccontextmanager"),
    (r"context ?manager", "contextmanager"),
    (r"lru[_ -]?cache", "lru_cache"),
    (r"cached? function|\bcache\b|\bcached\b|memoi[sz]e\w*", "cache"),
)
_KNOWN = frozenset(
    words(
        "staticmethod classmethod property abstractmethod cached_property cache lru_cache contextmanager asynccontextmanager override overload wraps total_ordering deprecated singledispatch final no_type_check timed retry njit jit login_required pytest fixture"
    )
)
_CODE = r"@[A-Za-z_][\w.]*(?:\((?:[^()]|\([^()]*\))*\))?"
_DECORATOR = re.compile(
    rf"[`'\"]?(?P<code>{_CODE})[`'\"]?|`(?P<quoted>[A-Za-z_][\w.]*(?:\((?:[^()`]|\([^()]*\))*\))?)`"
)
_ON = re.compile(
    r"\b(?:decorat\w*|annotate|mark\w*|put|add\w*|apply|wrap\w*|above|over|on top|on|gets?|should be|with|needs?|make|turn|declare|want|use|to be|have|register|let|becomes?|memoi[sz]e|cached?|skip)\b|\+|->|→",
    re.I,
)
_OFF = re.compile(
    r"\b(?:remov\w*|drop\w*|delet\w*|strip\w*|lose|kill|cut|ditch|rid|erase|nuke|without|no|no longer|undecorated?|shouldn'?t (?:have|be)|never needed|bad idea|doesn'?t (?:want|need)|not (?:have|be|need)|any ?more|take (?:\S+ ){0,3}off|isn'?t)\b",
    re.I,
)
_OFF_WORDS = NOISE | frozenset(
    words(
        """remove removed drop dropped delete deleted strip lose kill cut ditch rid erase nuke without undecorate undecorated before can't lru_cache hey idk decorator decorators decoration off never needed need needs bad idea should shouldn't have take leave no longer any more on
        must can property static method classmethod staticmethod reviewer was not plain normal ordinary regular again keep away from"""
    )
)
_STOP = re.compile(
    r"\b(?:import\w*|rename|parameter|docstring|default|return\w*|raise|route that|comment|called|base class|inherit\w*|async|await)\b",
    re.I,
)


def definitions(order: Order) -> list[Definition]:
    return [*order.src.functions, *order.src.classes]


def add_decorator(order: Order) -> Iterator[Edit]:
    for found, piece in _said(order):
        name = found.split("(")[0].rpartition(".")[2]
        if found.lstrip("@").endswith("wraps"):
            return  # of what is to be said
        rest = order.said.replace(piece, " ", 1)
        for aim in aims(order, definitions(order), partial(_lacks, found), text=_plain(rest)):
            text = mended(aim.text, _WORDS, order.identifiers)
            named = TARGET in aim.text or (len(order.src.functions) == 1 and name != "contextmanager")
            if (
                not named
                or _OFF.search(text)
                or _STOP.search(text)
                or not _ON.search(f"{text} {piece if piece[0] != '@' else 'on'}")
            ):
                continue
            own = isinstance(aim.node, ast.ClassDef) or not _takes_self(order.src, as_function(aim.node))
            if name in ("staticmethod", "classmethod") and not own:
                continue
            if name in ("abstractmethod", "property", "cached_property") and isinstance(aim.node, ast.ClassDef):
                continue
            changes = put_on(order.src, aim.node, found)
            read = _read_only(order.src, aim.node) if name in ("property", "cached_property") else []
            if changes is None or read is None:
                continue
            changes += read
            yield aim.edit(changes, piece, found, *accounted(aim.text, _WORDS))
        return


def _read_only(src: Source, node: Definition) -> list[Change] | None:
    """What makes the calls that are shown into plain reads; None where it takes more than `self`."""
    function = as_function(node) if not isinstance(node, ast.ClassDef) else None
    of = head(src, function) if function is not None else None
    if function is None or of is None or len(of.items) != 1:
        return None
    changes: list[Change] = []
    for call in calls_of(src, function):
        if call.args or call.keywords:
            return None
        changes.append((src.span(call.func)[1], src.span(call)[1], ""))
    return changes


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,:-")


def _said(order: Order) -> Iterator[tuple[str, str]]:
    """The decorator that is said, as code, and the piece that says it."""
    text = order.said
    names = {node.name for node in definitions(order)}
    for match in _DECORATOR.finditer(text):
        code = (match["code"] or match["quoted"]).lstrip("@")
        if match["quoted"] and (code.split("(")[0] in names or not _is_decorator(order.src, code, text)):
            continue
        if code.split(".")[0] in ("self", "cls", "dataclass") or code.endswith(("raises", "warns")):
            continue
        if expression(code) is not None:
            yield code, match[0]
            return
    skip = re.search(r"\bskip\b.*?(?:reason|because|:)[\s:,]*(?:is |of )?(?P<why>\"[^\"]*\"|'[^']*')", text, re.I)
    if re.match(r"skip\b", text, re.I) or skip is not None:
        code = _skipped(order.src, skip["why"] if skip else None)
        if code is not None:
            piece = re.sub(r"^.*?(skip\b)", r"\1", text, flags=re.I)
            told = re.search(r"(?:,?\s*(?:with|the|a)\s*)*\b(?:reason|because)\b.*$", piece, re.I)
            yield code, told[0] if told else "skip"
            return
    quoted = re.search(r"'([A-Za-z_][\w.]*)'|\"([A-Za-z_][\w.]*)\"", text)
    bare = re.search(
        r"(?<![\w.`'\"@])((?:[a-z_]+\.)*[a-z_]+\((?:[^()]+)\)|functools\.\w+|(?:unittest|pytest)\.[\w.]+)", text
    )
    for other in (quoted, bare):
        if other is not None:
            code = next(one for one in other.groups() if one)
            if (
                code.split("(")[0] not in names
                and _is_decorator(order.src, code, text)
                and re.search(r"\b(?:decorat|on|above|with|apply|wrap|\+|mark|put)", text, re.I)
            ):
                yield code, other[0]
                return
    for pattern, code in _ROLES:
        role = re.search(rf"(?<![\w.`@])(?:an? |the )?(?:{pattern})(?![\w(])", text, re.I)
        if role is not None:
            yield _in_style(order.src, code), role[0]
            return
    plain = re.search(rf"(?<![\w.`@])({'|'.join(sorted(_KNOWN))})(?![\w(])", text)
    if plain is not None and plain[0] not in names:
        yield plain[0], plain[0]


def _is_decorator(src: Source, code: str, text: str) -> bool:
    """Known for one, or one in this file, or said to be one."""
    name = code.split("(")[0]
    used = {ast.unparse(one).split("(")[0] for node in definitions_of(src) for one in node.decorator_list}
    first = name.split(".")[0]
    known = name.rpartition(".")[2] in _KNOWN or first in _HOMES
    return name in used or known or re.search(r"\bdecorat(?:e|ed|or|ing)\b", text, re.I) is not None


_HOMES = frozenset(
    words("functools pytest unittest app router click cli celery typing contextlib abc api bp blueprint")
)


def definitions_of(src: Source) -> list[Definition]:
    return [*src.functions, *src.classes]


def _skipped(src: Source, why: str | None) -> str | None:
    if re.search(r"\bpytest\b", src.text):
        return f"pytest.mark.skip(reason={why})" if why else "pytest.mark.skip"
    if re.search(r"\bunittest\b", src.text):
        return f"unittest.skip({why or ''})" if why else None
    return None


def _in_style(src: Source, code: str) -> str:
    """`functools.cache` where the file imports the module."""
    home = {
        "cache": "functools",
        "lru_cache": "functools",
        "cached_property": "functools",
        "abstractmethod": "abc",
        "contextmanager": "contextlib",
    }.get(code)
    if (
        home
        and re.search(rf"^import {home}\b", src.text, re.M)
        and not re.search(rf"^from {home} import\b", src.text, re.M)
    ):
        return f"{home}.{code}"
    return code


def _lacks(code: str, node: Definition) -> bool:
    name = code.split("(")[0].rpartition(".")[2]
    return not any(ast.unparse(one).split("(")[0].rpartition(".")[2] == name for one in node.decorator_list)


def put_on(src: Source, node: Definition, code: str) -> list[Change] | None:
    """Above the others; what caches or is abstract is next to the function."""
    last = code.split("(")[0].rpartition(".")[2]
    inner = last in ("abstractmethod", "cache", "lru_cache", "override", "contextmanager") and node.decorator_list
    line = node.lineno - 1 - len(src.headers) if inner else src.first_line(node)
    if not 0 <= line < len(src.lines):
        return None
    at = src.starts[line]
    indent = src.indent(node)
    first = code.split("(")[0].split(".")[0]
    return [*imports_for(src, [first]), (at, at, f"{indent}@{code}\n")]


def remove_decorator(order: Order) -> Iterator[Edit]:
    said = order.said
    if not _OFF.search(mended(said, _OFF_WORDS, order.identifiers)) or _STOP.search(said):
        return
    for aim in aims(order, definitions(order), lambda node: bool(node.decorator_list), text=None):
        text = mended(aim.text, _OFF_WORDS, order.identifiers)
        if not _OFF.search(text):
            continue
        named = [one for one in aim.node.decorator_list if _is_said(aim.src.segment(one), said)]
        generic = re.search(r"\bdecorator\b|\bundecorat", text, re.I) is not None
        if not named and generic and len(aim.node.decorator_list) == 1:
            named = list(aim.node.decorator_list)
        if re.search(r"\bdecorators\b|\bundecorate\b", text, re.I) and not named:
            named = list(aim.node.decorator_list)
        changes = [_line_of(aim.src, one) for one in named]
        if not named or any(change is None for change in changes):
            continue
        pieces = [aim.src.segment(one) for one in named]
        yield aim.edit([change for change in changes if change], *pieces, *accounted(aim.text, _OFF_WORDS))


def _is_said(source: str, said: str) -> bool:
    name = source.split("(")[0]
    return (
        source in said
        or re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", said) is not None
        or (
            name in ("staticmethod", "classmethod", "property", "abstractmethod")
            and re.search(
                rf"\b(?:no|not|stop being|longer)\b.*\b{name[:-6] if name.endswith('method') else name}\b", said
            )
            is not None
        )
    )


def _line_of(src: Source, node: ast.expr) -> Change | None:
    first, last = src.first_line(node), src.last_line(node)
    if not src.lines[first].strip().startswith("@"):
        return None
    return (*src.line_span(first, last), "")


# -- methods without an instance -------------------------------------------------------------------------------------

_STATIC_WORDS = NOISE | frozenset(
    words(
        """static class method staticmethod classmethod instance make turn convert change declare needs need be become becomes to into no use self cls drop instead rename enough could with add put as does not touch touches
        never uses use used decorator mark r6301 no-self-use self-use ought and do say says want should being without remove gone go access accesses read reads"""
    )
)


def make_static(order: Order) -> Iterator[Edit]:
    for aim in aims(order, functions(order), partial(_takes, order.src)):
        text = mended(aim.text, _STATIC_WORDS, order.identifiers)
        if re.search(r"\bmissing\b|\bforgot|\bparameter\b", text, re.I):
            continue
        by_class = re.search(r"\bclass[ _-]?(?:method|function|fn|func)|\bcls\b", text, re.I) is not None
        static = re.search(
            r"\bstatic\b|\bstaticmethod\b|\bstatic[ _-]method|\bno use for self\b|\bno-self-use\b|\bno self\b|doesn'?t (?:use|need|touch) self|\bself\b.*\b(?:not|never|isn'?t) (?:used|needed)|without self|needs no self",
            text,
            re.I,
        )
        if not by_class and not static:
            continue
        function = as_function(aim.node)
        changes = _as_class_method(order.src, function) if by_class else _as_static(order.src, function)
        if changes is not None:
            yield aim.edit(changes, *accounted(aim.text, _STATIC_WORDS), "self", "cls")


def _takes(src: Source, node: Definition) -> bool:
    return _takes_self(src, as_function(node))


def _takes_self(src: Source, node: Function) -> bool:
    places = [*node.args.posonlyargs, *node.args.args]
    return bool(places) and places[0].arg == "self" and isinstance(src.parents.get(node), ast.ClassDef)


def _uses(function: Function) -> list[ast.Name]:
    return [node for one in function.body for node in ast.walk(one) if isinstance(node, ast.Name) and node.id == "self"]


def _as_class_method(src: Source, function: Function) -> list[Change] | None:
    of = head(src, function)
    if of is None:
        return None
    start = of.listed.spans[0][0]
    put = put_on(src, function, "classmethod")
    changes = [(start, start + 4, "cls"), *((*src.span(node), "cls") for node in _uses(function))]
    if any(src.text[begin:end] != "self" for begin, end, _ in changes):
        return None
    return [*changes, *put] if put is not None else None


def _as_static(src: Source, function: Function) -> list[Change] | None:
    of = head(src, function)
    if of is None or _uses(function) or _is_super(function):
        return None
    spans = of.listed.spans
    end = spans[1][0] if len(spans) > 1 else spans[0][1]
    put = put_on(src, function, "staticmethod")
    return [(spans[0][0], end, ""), *put] if put is not None else None


def _is_super(function: Function) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(function))


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"@|decorat|static|class ?method|propert|cache|memoi|fixture|context|abstract|skip|`|above|override|deprecat|retry|timed|wrap|mark|\+",
            re.I,
        ),
        add_decorator,
    ),
    Rule(
        re.compile(r"[@`('\"]|decor|propert|static|class ?method|abstract|cache|fixture|overload", re.I),
        remove_decorator,
    ),
    Rule(re.compile(r"static|class ?met|self|\bcls\b", re.I), make_static),
)

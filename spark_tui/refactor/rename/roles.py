"""Orders about names that say what a name is there for, or how it should be spelled, and not both names.

Comes in: an order, its names laid bare. Goes out: wishes. Must not know: changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.refactor.order import Order, _parts
from spark_tui.refactor.rename.meanings import Meanings
from spark_tui.refactor.rename.talk import Talk, Wish
from spark_tui.refactor.rename.words import EVERYWHERE, VOCABULARY
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Function, parameters

_NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1, "only": 0}
_PARAMETER = re.compile(
    r"\b(first|1st|second|2nd|third|3rd|fourth|4th|last|only)\s+(?:parameter|param|argument|arg)\b", re.I
)
_LOOP = re.compile(
    r"\b(?:loop|iteration|iterator)\s+(?:variable|var|name)\b|\bvariable\s+(?:of|in)\s+(?:the\s+)?(?:for\s+)?loop\b",
    re.I,
)
_CAUGHT = re.compile(
    r"\b(?:exception|error|except)\s+(?:variable|var|name)\b|\b(?:caught|bound)\s+(?:exception|error)\b", re.I
)
_OPENED = re.compile(r"\b(?:with|context|file)[\s-]+(?:variable|var|handle|manager|name|object)\b", re.I)
_RETURNED = re.compile(
    r"\b(?:return(?:ed)?|result)\s+(?:variable|var)\b|\bvariable\s+(?:that is|that's|it)?\s*return(?:ed|s)\b", re.I
)
_THIS = re.compile(r"\b(?:this|that|the)\s+(function|method|class)\b", re.I)
_NEW = re.compile(
    r"(?:\bto|\bas|\binto|\bbe|\bcalled|\bnamed|->|=>|→|[:,])\s+`?([^\W\d]\w*)`?\s*(?:$|[,;(–-]|\s(?:in|everywhere)\b)"
)
_PRIVATE_WORDS = "privatise privatize privatised was never meant why front private internal underscore underscored leading prefix prefixed hidden hide start public api nobody else outside implementation detail details mark treat turn make it keep an with should part of expose exposed export fn func of only used from no one anyone single"
_PRIVATE = re.compile(
    r"\bprivate\b|\bprivati[sz]e|\b(?:never|not) meant to be public|underscore|\binternal\b|implementation detail|\b(?:out of|not|n't|in) (?:\w+ )*?the public\b|\bhide\b",
    re.I,
)
_PUBLIC = re.compile(r"\bpublic\b|\b(?:drop|remove|lose|strip|without|no) (?:\w+ ){0,3}underscore", re.I)
_CASE = re.compile(r"\b(snake|camel|pascal|upper|lower)[ _-]?case\b|\b(capital letters|all caps)\b", re.I)
_REPLACED = tuple(
    re.compile(form, re.I)
    for form in (
        r"\b(?:replace|change|swap|turn|switch|substitute|update)\s+(?:(?:every|all|each|both|the|any|occurrences?|of|text|word|string|number)\s+)*(?P<o>OLD)(?P<w>(?:\s+\w+){0,3}?)\s+(?:with|by|to|into|for)\s+(?P<n>OLD)",
        r"(?P<o>OLD)(?P<w>)\s*(?:->|=>|→)\s*(?P<n>OLD)",
        r"(?P<n>OLD)(?P<w>)\s+instead of\s+(?:(?:every|all|each|the)\s+)*(?P<o>OLD)",
    )
    for form in [form.replace("OLD", r"`[^`]+`|\"[^\"]+\"|'[^']+'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])")]
)


def in_role(order: Order, talk: Talk) -> Wish | None:
    """*the second argument of load*, *the loop variable*, *this function*."""
    said = talk.text
    match = next(
        (found for form in (_PARAMETER, _LOOP, _CAUGHT, _OPENED, _RETURNED) if (found := form.search(said))), None
    )
    this = _THIS.search(said) if match is None else None
    if this is not None and re.search(
        r"\b(?:in|inside|within|of|from|for|throughout|across|to)\s+$", said[: this.start()], re.I
    ):
        this = None
    if match is None and this is None:
        return None
    role = match[0] if match is not None else this[0] if this is not None else ""
    rest = said.replace(role, " ")
    names = talk.names_in(rest)
    unknown = [name for name in names if not talk.is_known(name)]
    given = _NEW.search(rest)
    new = unknown[0] if len(unknown) == 1 else given[1] if given and not unknown else ""
    if (
        not new.isidentifier()
        or new in VOCABULARY
        or not re.search(r"\bre-?nam|\bcall(?:ed)?\b|\bnamed?\b|->|→|=>", said, re.I)
    ):
        return None
    scopes: list[ast.AST] = [
        node for node in (*order.src.functions, *order.src.classes) if node.name in names and node.name != new
    ]
    if any(
        talk.is_known(name) and name != new and name not in {getattr(node, "name", "") for node in scopes}
        for name in names
    ):
        return None
    used = [
        *talk.used,
        new,
        *names,
        role,
        *(word for word in words(said) if word in VOCABULARY),
        "within",
        "for",
    ]
    if this is not None:
        return _this(order, this[1].lower(), scopes, new, used)
    assert match is not None
    inside = [node for node in scopes if isinstance(node, Function)] or _here(order)
    if len(inside) != 1 or not isinstance(inside[0], Function):
        return None
    old = _in_function(inside[0], match)
    if not old:
        return None
    meant = frozenset({"parameter"}) if match.re is _PARAMETER else frozenset[str]()
    return Wish(old, new, roles=meant, scopes=[inside[0]], strong=True, used=used)


def _in_function(function: Function, match: re.Match[str]) -> str:
    """The one name of the function that is there for what is said."""
    found: set[str] = set()
    if match.re is _PARAMETER:
        args = parameters(function)
        at = _NTH[match[1].lower()]
        fits = -len(args) <= at < len(args) and (match[1].lower() != "only" or len(args) == 1)
        return args[at].arg if fits else ""
    for node in ast.walk(function):
        place: ast.AST | None = None
        if match.re is _LOOP and isinstance(node, ast.For | ast.AsyncFor):
            place = node.target
        elif match.re is _OPENED and isinstance(node, ast.withitem):
            place = node.optional_vars
        elif match.re is _RETURNED and isinstance(node, ast.Return):
            place = node.value if isinstance(node.value, ast.Name) else None
        elif match.re is _CAUGHT and isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        if place is not None:
            found |= {one.id for one in ast.walk(place) if isinstance(one, ast.Name)}
    return found.pop() if len(found) == 1 else ""


def _here(order: Order) -> list[ast.AST]:
    """The function in which the person is; else the only one that is shown."""
    if order.here is not None:
        around = [
            node
            for node in order.src.functions
            if order.src.first_line(node) <= order.here[0] < order.src.last_line(node)
        ]
        if around:
            return [around[-1]]
    return list(order.src.functions) if len(order.src.functions) == 1 else []


def _this(order: Order, what: str, scopes: Sequence[ast.AST], new: str, used: list[str]) -> Wish | None:
    if scopes:
        return None
    kind = ast.ClassDef if what == "class" else Function
    all_of_them = [node for node in (*order.src.functions, *order.src.classes) if isinstance(node, kind)]
    around = [
        node
        for node in all_of_them
        if order.here and order.src.first_line(node) <= order.here[0] < order.src.last_line(node)
    ]
    found = around[-1:] or (all_of_them if len(all_of_them) == 1 else [])
    if not found or (isinstance(found[0], Function) and found[0].name.startswith("__")):
        return None
    return Wish(
        found[0].name, new, roles=frozenset({"class" if what == "class" else "function"}), strong=True, used=used
    )


def made_private(order: Order, talk: Talk) -> Wish | None:
    said = talk.text
    hidden = [
        name for name in talk.names_in(said) if talk.is_known(name) and name.lower() not in _PRIVATE_WORDS.split()
    ]
    if any(
        not talk.is_known(name) and name.lower() not in _PRIVATE_WORDS.split() and name in talk.sure
        for name in talk.names_in(said)
    ):
        return None
    defined = [
        node
        for node in (*order.src.functions, *order.src.classes)
        if node.name in {name.rpartition(".")[2] for name in hidden}
    ]
    public = (
        _PUBLIC.search(said)
        and not re.search(r"\b(?:why|never|not|n't)\b", said)
        and not _PRIVATE.search(re.sub(r"underscore", "", said))
    )
    if not public and not _PRIVATE.search(said) and not re.search(r"\b(?:outside|public|exported|else)\b", said, re.I):
        return None
    inner = [
        name
        for name in hidden
        if not any(
            name == node.name and any(order.src.segment(node).find(other) > 0 for other in hidden if other != name)
            for node in defined
        )
    ]
    if len(inner) != 1:
        return None
    receiver, _, old = inner[0].rpartition(".")
    if public:
        new = old.lstrip("_") if old.startswith("_") and not old.startswith("__") else ""
    else:
        new = f"_{old}" if not old.startswith("_") else ""
    if not new:
        return None
    scopes = [node for node in defined if node.name != old]
    used = [*talk.used, old, *hidden, _PRIVATE_WORDS, *(word for word in words(said) if word in VOCABULARY)]
    held = re.search(rf"\bself\.{re.escape(old)}\b", order.src.text) and not any(
        node.name == old for node in order.src.functions
    )
    roles = frozenset({"attribute"}) if held else frozenset[str]()
    return Wish(old, new, receiver=receiver, roles=roles, scopes=scopes, strong=True, used=used)


def recased(order: Order, talk: Talk, names: Meanings) -> tuple[list[Wish], list[str]] | None:
    """*make userName snake_case*, *snake_case for the variables in main*."""
    cases = list(_CASE.finditer(talk.text))
    if not cases:
        return None
    match = cases[-1]
    case = (match[1] or "upper").lower()
    told = [name for name in talk.names_in(_CASE.sub(" ", talk.text)) if talk.is_known(name)]
    scopes = [node for node in (*order.src.functions, *order.src.classes) if node.name in told]
    wanted = [name for name in told if name not in {node.name for node in scopes}]
    plural = re.search(
        r"\b(?:variables?|locals?|names|parameters?|params|arguments?|args|everything|identifiers)\b", talk.text, re.I
    )
    inside: list[Wish] = []
    throughout = plural is None and bool(scopes) and re.search(r"\b(?:in|inside|within)\b", talk.text) is not None
    if not wanted and len(scopes) == 1 and not plural and not throughout:
        wanted, scopes = [scopes[0].name], []
    if not wanted and (plural or throughout):
        wanted = _owned(names, scopes, plural[0].lower() if plural else "")
    for name in wanted:
        new = _spelled(name, case)
        if new != name:
            inside.append(Wish(name.rpartition(".")[2], new, scopes=list(scopes), strong=True, everywhere=not scopes))
    spoken = "snake camel pascal upper lower lowercase case snake_case camelcase pascalcase uppercase not convention style pep8 pep 8"
    used = [
        *talk.used,
        spoken,
        *told,
        *(word for word in words(talk.text) if word in VOCABULARY),
        "variables",
        "locals",
        "everything",
        "identifiers",
    ]
    return (inside, used) if inside else None


def _owned(names: Meanings, scopes: Sequence[ast.AST], kind: str) -> list[str]:
    """Names that a function makes, or all that are made by assignment."""
    out = []
    for scope in (names.module, *names.scope_of.values()):
        around = names.src.ancestors(scope.node) if scope.node is not None else ()
        if scopes and scope.node not in scopes and not any(one in scopes for one in around):
            continue
        if scope.is_class:
            continue
        for name, how in scope.bound.items():
            parameter = "parameter" in how
            if {"import", "alias", "class", "function"} & set(how) or (
                kind.startswith(("param", "arg")) and not parameter
            ):
                continue
            if kind.startswith(("var", "loc")) and parameter and set(how) == {"parameter"}:
                continue
            if not name.isupper():
                out.append(name)
    return list(dict.fromkeys(out))


def _spelled(name: str, case: str) -> str:
    lead = name[: len(name) - len(name.lstrip("_"))]
    parts = _parts(name)
    if not parts:
        return name
    if case == "snake":
        return lead + "_".join(parts)
    if case == "lower":
        return name.lower()
    if case == "upper":
        return lead + "_".join(parts).upper()
    joined = "".join(part.capitalize() for part in parts)
    return lead + (joined if case == "pascal" else joined[0].lower() + joined[1:])


def replaced_text(order: Order) -> tuple[str, str, list[str]] | None:
    if not EVERYWHERE.search(order.said):
        return None
    for form in _REPLACED:
        found = form.search(order.said)
        if found is None:
            continue
        old, new = found["o"].strip("`'\""), found["n"].strip("`'\"")
        number = re.fullmatch(r"[\d.]+", old) is not None
        if number != (re.fullmatch(r"[\d.]+", new) is not None) or old not in order.src.text:
            return None
        if old.replace(".", "").isidentifier() and not number and Meanings(order.src).meanings(old.rpartition(".")[2]):
            return None
        used = [word for word in words(order.said) if word in VOCABULARY]
        return old, new, [*used, old, new, "text word", *(node.name for node in order.definitions())]
    return None

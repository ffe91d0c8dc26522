"""Small methods and functions whose body an order spells out, empty ones, properties.

Comes in: an order. Goes out: edits. Must not know: other families.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.literals import literal
from spark_tui.refactor.members.bodies import is_plain
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import VOCABULARY, accounted, asides, own_code, without_class
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.rename.meanings import Meanings
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Change, Function, parse

_NAME = r"[^\W\d]\w*"
_HEAD = r"`?(?P<name>[^\W\d]\w*)`?(?P<args>\([^()]*\))?`?"
_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"\b(?P<what>method|property|function|func|def|getter)\s+(?:called\s+|named\s+|for\s+)?['\"]?{_HEAD}['\"]?(?P<rest>.*)$",
        rf"['\"]?{_HEAD}['\"]?\s+(?P<what>method|property|function|func)\b(?P<rest>.*)$",
        rf"\b(?P<what>stub|placeholder)\s+(?:for\s+|of\s+)?['\"]?{_HEAD}['\"]?(?P<rest>.*)$",
        rf"\b(?P<what>write|do-nothing|rebuild|add|needs?)\s+['\"]?{_HEAD}['\"]?(?P<rest>.*)$",
        rf"^['\"]?{_HEAD}['\"]?(?P<what>\s)(?P<rest>.*)$",
    )
)  # fmt: skip
_TAKES = re.compile(
    r"^\s*,?\s*(?:(?:that|which|and)\s+)?(?:with|takes?|taking|accept(?:s|ing)|gets?|getting|of)\s+(?:an?\s+|the\s+|one\s+|two\s+)?(?:parameters?|arguments?|args?|params?)?\s*(?P<args>`?[^\W\d]\w*`?(?:\s*(?:,|and)\s*`?[^\W\d]\w*`?)*)(?:\s+(?:parameters?|arguments?))?\s*(?=$|,|\band\b|\bthat\b|\bwhich\b|\breturn)",
    re.I,
)
_LEAD = re.compile(
    r"^\s*[,:;-]?\s*(?:and|that|which|to|it|should|must|just|simply|only|then|who)?\s*(?:should|just|simply|only|it|to)?\s*",
    re.I,
)
_RETURNS = re.compile(
    r"^(?:(?:return(?:s|ing)?|gives?(?: back)?|giving|yields?)\s+)(?:whether\s+|if\s+|the result of\s+|the value of\s+)?(?P<code>.+)$",
    re.I,
)
_DONE = (
    ("empty", re.compile(r"^(?:empt(?:y|ies|ying)|clear(?:s|ing)?|reset(?:s|ting)?)\s+(?:out\s+)?(?:all\s+)?(?:the\s+|its\s+)?(?P<a>[\w ]+)$", re.I)),
    ("set", re.compile(r"^(?:set(?:s|ting)?|chang(?:e|es|ing)|assign(?:s|ing)?)\s+(?P<all>.+)$", re.I)),
    ("append", re.compile(r"^(?:append(?:s|ing)?|adds?|adding|puts?|push(?:es)?|stores?)\s+(?:an?\s+|the\s+|it\b\s*)?`?(?P<p>\w*)`?\s*(?:to|in|into|onto)\s+(?:the\s+|its\s+)?(?P<a>[\w. ]+)$", re.I)),
    ("remove", re.compile(r"^(?:remov(?:e|es|ing)|delet(?:e|es|ing)|drops?)\s+(?:an?\s+|the\s+|it\b\s*)?`?(?P<p>\w*)`?\s*from\s+(?:the\s+|its\s+)?(?P<a>[\w. ]+)$", re.I)),
    ("toggle", re.compile(r"^(?:toggl(?:e|es|ing)|flips?|flipping|inverts?|negates?)\s+(?:the\s+|its\s+)?(?P<a>[\w. ]+)$", re.I)),
    ("more", re.compile(r"^(?:increment(?:s|ing)?|increas(?:e|es|ing)|bumps?|rais(?:e|es)|counts? up)\s+(?:the\s+|its\s+)?(?P<a>[\w. ]+?)(?:\s+by\s+(?P<v>\S+))?$", re.I)),
    ("less", re.compile(r"^(?:decrement(?:s|ing)?|decreas(?:e|es|ing)|lowers?|reduc(?:e|es|ing)|counts? down)\s+(?:the\s+|its\s+)?(?P<a>[\w. ]+?)(?:\s+by\s+(?P<v>\S+))?$", re.I)),
    ("print", re.compile(r"^(?:print(?:s|ing)?)\s+(?P<code>.+)$", re.I)),
    ("call", re.compile(r"^(?:(?:just\s+)?calls?|calling)\s+`?(?P<code>[\w.]+\(.*\)|[\w.]+)`?$", re.I)),
)  # fmt: skip
_EMPTY = re.compile(
    r"\b(?:empty|stub|placeholder|nothing|do-nothing|no-op|noop|pass|body|later|for now|dummy|skeleton)\b", re.I
)
_STUB = VOCABULARY | frozenset(
    re.findall(
        r"\S+",
        "normal regular plain ordinary proper real usual try leave no-op noop op wants thing mroe more why don ask bit start begin ll empty stub placeholder nothing do pass later now dummy skeleton body method methods function def misses missing exist exists doesn't even i'll i fill write just with enough start again called named no only write later's does skip",
    )
)
_MEMBER = VOCABULARY | frozenset(
    re.findall(
        r"\S+",
        "normal regular plain ordinary proper real usual "
        "method property function func def called named that which new getter whether if taking takes parameter parameters argument arguments",
    )
)
_SPECIAL = frozenset({"len", "str", "repr", "iter", "hash", "eq", "lt", "bool", "init", "call", "length", "equality"})
_PROPERTY = re.compile(
    r"\b(?:make|turn|convert|change)\s+(?:the\s+)?(?:method\s+)?`?(?:\w+\.)?(?P<name>\w+)`?(?:\(\))?(?:\s+(?:method|function))?(?:\s+(?:of|in|on)\s+[\w ]+?)?\s+(?:in)?(?:to\s+)?(?:be\s+)?an?\s+(?:read-?only\s+)?property\b|`?(?:\w+\.)?(?P<name2>\w+)`?(?:\(\))?(?:\s+(?:method|function))?\s+(?:should|must|could|can|needs to|ought to)\s+(?:better\s+|really\s+|rather\s+)?be(?:come)?\s+an?\s+property\b|\b(?:add\s+)?@?property\s+(?:decorator\s+)?(?:to|on|for)\s+`?(?:\w+\.)?(?P<name3>\w+)`?"
    r"|`?(?:\w+\.)?(?P<name4>\w+)`?(?:\(\))?(?:\s+(?:method|function))?(?:\s+(?:of|in|on)\s+\w+)?(?:\s+without (?:the |its )?(?:brackets|parens|parentheses|\(\)))?,?\s+(?:as|->|into|=>)\s+(?:an?\s+)?(?:read-?only\s+)?@?property\b"
    r"|\b(?:call|use|read|write|have|access|say)\s+(?:\w+\.)?(?P<name5>\w+)(?:\(\))?\s+without\s+(?:the\s+)?(?:brackets|parens|parentheses|\(\)|calling it)"
    r"|\bproperty\s*:\s*(?:\w+\.)?(?P<name6>\w+)",
    re.I,
)
_CALLS = frozenset(
    [
        "and",
        "fix",
        "update",
        "adapt",
        "adjust",
        "correct",
        "change",
        "drop",
        "remove",
        "calls",
        "call",
        "callers",
        "uses",
        "usages",
        "places",
        "brackets",
        "parens",
        "parentheses",
        "too",
        "accordingly",
    ]
)
_SETTER = re.compile(
    r"\bsetter\s+(?:for|to|on)\s+(?:the\s+)?`?(?:\w+\.)?(?P<name>\w+)`?|`?(?P<name2>\w+)`?\s+(?:needs|gets|wants|should have|lacks|misses)\s+a\s+setter\b|\bmake\s+(?:the\s+)?`?(?P<name3>\w+)`?\s+(?:property\s+)?(?:settable|writable|assignable)\b",
    re.I,
)


def method(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    meant = classes_meant(order, text)
    if not meant:
        made = [_first(order, Held(order.src, node), text, off) for node in order.src.classes]
        found = [edit for edit in made if edit is not None]
        own = [edit for edit in found if edit.text.count("self.") > order.src.text.count("self.")]
        found = own or found
        yield from found if len(found) == 1 else ()
        return
    for held in meant:
        edit = _first(order, held, text, off)
        if edit is None and not is_plain(held, text):
            edit = _stub(order, held, without_class(held, text), text, off)
        if edit is not None:
            yield edit


def _first(order: Order, held: Held, text: str, off: list[str]) -> Edit | None:
    """A method whose body is said."""
    name = f"{re.escape(held.name)}|{'[ -]'.join(map(re.escape, _parts(held.name)))}"
    rest = re.sub(rf"^(?:the\s+)?(?:{name})\s+(?:class\s+)?(?=\w)", "", without_class(held, text), flags=re.I)
    for form in _FORMS:
        found = form.search(rest)
        if found is not None and _can_be(found["name"], held, bool(found["args"])):
            edit = _spelled(order, held, found, text, off)
            if edit is not None:
                return edit
    return None


def _can_be(name: str, held: Held, sure: bool = False) -> bool:
    low = "" if sure else name.lower()
    return (
        name.isidentifier()
        and low not in _MEMBER | _STUB
        and name not in held.methods
        and name not in held.attributes
        and not name.startswith("__")
    )


def _spelled(order: Order, held: Held, found: re.Match[str], text: str, off: list[str]) -> Edit | None:
    args, rest = _arguments(found)
    body = body_said(held, rest, args)
    if body is None:
        return None
    is_property = found["what"].lower() == "property" or re.search(r"\bproperty\b", text) is not None
    lines = [f"def {found['name']}({', '.join(['self', *args])}):", *(f"    {line}" for line in body)]
    if is_property:
        if args:
            return None
        lines = ["@property", *lines]
    changes = held.with_method(lines)
    if changes is None:
        return None
    used = [found["name"], *args, held.name, " ".join(_parts(held.name)), f"{held.name}s", rest]
    return order.edit(changes, *accounted(order, text, off, _MEMBER, *used))


def _stub(order: Order, held: Held, rest: str, text: str, off: list[str]) -> Edit | None:
    """A method that does nothing yet: what is said beside its name says no more."""
    names = [
        word
        for word in dict.fromkeys(re.findall(_NAME, rest))
        if word.lower() not in _STUB | FILLERS and word != held.name
    ]
    if len(names) != 1 or names[0] in _SPECIAL or not _can_be(names[0], held) or names[0] in order.identifiers:
        return None
    plain = _EMPTY.search(text) is not None or re.search(r"\bmethod\b", text, re.I) is not None
    if not plain or re.search(
        r"\b(?:attribute|field|property|parameter|constant|static|class ?method|instance|should be|abstract)\b",
        text,
        re.I,
    ):
        return None
    changes = held.with_method([f"def {names[0]}(self):", "    pass"])
    if changes is None:
        return None
    return order.edit(changes, *accounted(order, text, off, _STUB, names[0], held.name, " ".join(_parts(held.name))))


def _arguments(found: re.Match[str]) -> tuple[list[str], str]:
    """Parameters, and what is said behind them."""
    rest = found["rest"]
    args = [
        part.strip() for part in (found["args"] or "()")[1:-1].split(",") if part.strip() and part.strip() != "self"
    ]
    takes = _TAKES.match(rest)
    if takes is not None and not args:
        args = re.findall(_NAME, re.sub(r"\band\b", ",", takes["args"]))
        rest = rest[takes.end() :]
    return args, rest


def body_said(held: Held, rest: str, args: list[str]) -> list[str] | None:
    """The lines of a body that is said in words or in code."""
    said = _LEAD.sub("", rest, count=1).strip()
    names = [arg.split(":")[0].split("=")[0].strip() for arg in args]
    returned = _RETURNS.match(said)
    if returned is not None:
        code = expression_said(held, returned["code"], names)
        return None if code is None else [f"return {code}"]
    for what, form in _DONE:
        if (found := form.match(said)) is not None:
            return _act(held, what, found, names)
    return None


def expression_said(held: Held, said: str, names: list[str]) -> str | None:
    text = said.strip().rstrip(".")
    counted = re.fullmatch(
        r"(?:the\s+)?(?:number|count|length|len|amount)\s+of\s+(?:the\s+|its\s+|all\s+)?([\w ]+)", text, re.I
    )
    if counted is not None:
        inner = expression_said(held, counted[1], names)
        return f"len({inner})" if inner else None
    bare = re.sub(r"^(?:the|its|an?|both|self's)\s+", "", text)
    for one in (bare, "_".join(bare.split())):
        if one in held.attributes and one not in names:
            return f"self.{one}"
    return literal(text) or own_code(held, text, names)


def _attribute(held: Held, said: str) -> str | None:
    bare = re.sub(r"^self\.", "", said.strip())
    return next((one for one in (bare, "_".join(bare.split())) if one in held.attributes), None)


def _act(held: Held, what: str, found: re.Match[str], names: list[str]) -> list[str] | None:
    if what == "set":
        return _sets(held, found["all"], names)
    if what in ("print", "call"):
        code = expression_said(held, found["code"], names)
        if what == "call":
            code = (
                f"self.{found['code']}()"
                if found["code"] in held.methods
                else code
                if code and code.endswith(")")
                else None
            )
        return None if code is None else [f"print({code})" if what == "print" else code]
    name = _attribute(held, found["a"])
    if name is None:
        return None
    if what == "empty":
        first = held.first_value(name)
        return None if first is None else [f"self.{name} = {first}"]
    if what == "toggle":
        return [f"self.{name} = not self.{name}"]
    if what in ("more", "less"):
        by = "1" if not found["v"] else found["v"] if found["v"] in names else literal(found["v"])
        return None if by is None else [f"self.{name} {'+' if what == 'more' else '-'}= {by}"]
    thing = found["p"] or (names[0] if len(names) == 1 else "")
    if thing not in names:
        return None
    first = held.first_value(name) or ""
    adds = "add" if first.startswith("set(") else "append" if first.startswith(("[", "list(", "deque(")) else ""
    if not adds:
        return None
    return [f"self.{name}.{adds if what == 'append' else 'remove'}({thing})"]


def _sets(held: Held, said: str, names: list[str]) -> list[str] | None:
    """*owner to name and limit to 5*."""
    lines = []
    for part in re.split(r"\s*(?:,\s*(?:and\s+)?|\band\b)\s*(?=[\w.]+\s+(?:back\s+)?to\b)", said):
        found = re.fullmatch(
            r"(?:the\s+|its\s+)?(?P<a>[\w.]+)\s+(?:back\s+)?(?:to|=)\s+(?:the\s+)?(?P<v>.+)", part.strip()
        )
        name = _attribute(held, found["a"]) if found is not None else None
        value = expression_said(held, found["v"], names) if found is not None else None
        if name is None or value is None:
            return None
        lines.append(f"self.{name} = {value}")
    return lines


def function(order: Order) -> Iterator[Edit]:
    """A function of the module that returns what is spelled out."""
    text, off = asides(order)
    form = re.search(rf"\b(?:function|func|helper|def)\s+(?:called\s+|named\s+)?{_HEAD}(?P<rest>.*)$", text, re.I)
    if (
        form is None
        or form["name"].lower() in _MEMBER | _STUB
        or form["name"] in order.identifiers
        or order.src.tree is None
    ):
        return
    args, rest = _arguments(form)
    returned = _RETURNS.match(_LEAD.sub("", rest, count=1).strip())
    if returned is None or re.search(r"\bmethod\b|\bproperty\b", text, re.I):
        return
    code = returned["code"].strip().strip("`")
    tree = parse(code)
    names = {arg.split(":")[0].split("=")[0].strip() for arg in args}
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    free = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - bound - names - set(dir(builtins))
    if free - set(Meanings(order.src).module.bound):
        return
    tops = [node for node in order.src.tree.body if node.lineno > len(order.src.headers)]
    defined = [node for node in tops if isinstance(node, Function | ast.ClassDef)]
    lines = [f"def {form['name']}({', '.join(args)}):", f"    return {code}"]
    at = defined[-1] if defined else tops[-1] if tops and isinstance(tops[-1], ast.Import | ast.ImportFrom) else None
    if at is None:
        return
    end = order.src.line_span(0, order.src.last_line(at))[1]
    added = "\n\n" + "".join(f"{line}\n" for line in lines)
    yield order.edit([(end, end, added)], *accounted(order, text, off, _MEMBER | {"helper"}, form["name"], *args, rest))


def as_property(order: Order) -> Iterator[Edit]:
    """A method is read as an attribute; calls in view lose their brackets."""
    found = _PROPERTY.search(order.said)
    if found is None:
        return
    name = next(one for one in found.groups() if one)
    for held in (Held(order.src, node) for node in order.src.classes):
        item = held.methods.get(name)
        if (
            item is None
            or item.decorator_list
            or len([*item.args.args, *item.args.kwonlyargs]) != 1
            or name.startswith("__")
        ):
            continue
        start = order.src.line_span(order.src.first_line(item), order.src.last_line(item))[0]
        changes: list[Change] = [(start, start, f"{order.src.indent(item)}@property\n")]
        for one in Meanings(order.src).meanings(name):
            if one.owner is held.node or (one.is_member and getattr(one.owner, "name", "") == held.name):
                calls = [end for _, end in one.spans if order.src.text[end : end + 2] == "()"]
                inside = order.src.span(item)
                head = order.src.text.index("(", inside[0])
                changes += [(end, end + 2, "") for end in calls if end != head]
        spoken = [word for word in order.said.lower().split() if word.strip(",.") in _CALLS]
        yield order.edit(changes, found[0], name, held.name, *spoken)


def setter(order: Order) -> Iterator[Edit]:
    """A property can be assigned."""
    found = _SETTER.search(order.said)
    if found is None:
        return
    name = found["name"] or found["name2"] or found["name3"]
    for held in (Held(order.src, node) for node in order.src.classes):
        item = held.methods.get(name)
        if item is None or not any(isinstance(one, ast.Name) and one.id == "property" for one in item.decorator_list):
            continue
        last = item.body[-1]
        value = last.value if isinstance(last, ast.Return) else None
        if not isinstance(value, ast.Attribute) or getattr(value.value, "id", "") != "self":
            continue
        if re.search(rf"@{re.escape(name)}\.setter", order.src.text):
            continue
        indent, step = order.src.indent(item), order.src.step
        end = order.src.line_span(0, order.src.last_line(item))[1]
        lines = [
            "",
            f"{indent}@{name}.setter",
            f"{indent}def {name}(self, value):",
            f"{indent}{step}self.{value.attr} = value",
        ]
        yield order.edit(
            [(end, end, "".join(f"{line}\n" for line in lines))],
            found[0],
            name,
            held.name,
            *(word for word in order.said.split() if word in VOCABULARY),
        )


METHOD = re.compile(
    r"\bmethod\b|\bproperty\b|\bstub\b|\bempty\b|\bplaceholder\b|\bnothing\b|\bpass\b|\bmiss(?:es|ing)\b|\blater\b",
    re.I,
)
FUNCTION = re.compile(r"\b(?:function|func|helper|def)\b.*\breturn", re.I)
PROPERTY = re.compile(r"\bproperty\b|\bwithout\b", re.I)
SETTER = re.compile(r"\bsetter\b|\bsettable\b|\bwritable\b|\bassignable\b", re.I)

"""Special methods, made from what a class holds.

Comes in: an order. Goes out: edits. Must not know: other families.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import VOCABULARY, accounted, asides, attributes_said, own_code
from spark_tui.refactor.order import Edit, Order, _parts

_WORDS = {
    "__repr__": r"\brepr\b|\brepr\(\w*\)|\bdebug(?:ging)? (?:output|string)\b|\b(?:string )?representation\b|\bunreadable\b",
    "__str__": r"\bstr\(\w*\)|\bstr\b|\bto a string\b|\bas a string\b|\bprint\(\w*\)|\bprint(?:ing|ed)\b|\bstring version\b",
    "__eq__": r"\bequal(?:ity|s)?\b|==|\bby value\b|\bvalue comparison\b",
    "__len__": r"\blen\(\w*\)|\blength\b|\blen\b",
    "__iter__": r"\biter(?:able|ate|ation|ating|ator)\b|\bloop(?:ing)? over\b|\bfor loops?\b",
    "__hash__": r"\bhash(?:able|es|ing)?\b|\bhash\(\w*\)|\bdict(?:ionary)? keys?\b|\bin (?:a )?sets?\b",
    "__lt__": r"\bsort(?:able|ing|ed)\b|\border(?:able|ing)\b|\bcomparable\b|(?<![-<])<(?!\w+>)|\bless[- ]than\b",
    "__contains__": r"\bmembership\b|^in (?=for\b|on\b|from\b)|`in`|\bin operator\b|\bis in an?\b|\bx in \w+\b",
    "__bool__": r"\btruth(?:y|iness)\b|\bfalsy\b|\bbool\(\w*\)|\bboolean\b",
    "__getitem__": r"\bindex(?:able|ing)\b|\bsubscript\w*|\w\[\w+\]|\bsquare brackets\b",
    "__enter__": r"\bcontext manager\b|\b(?:usable|works?|support\w*|be used|can use)\b.*\bwith\b",
}  # fmt: skip
_EXPLICIT = re.compile(
    r"(?<![\w.])__(?:repr|str|eq|len|iter|hash|lt|contains|bool|getitem|enter|exit)__|\b(?:repr|str|eq|len|iter|hash|lt)(?= (?:method|dunder)\b)"
)
_OTHERWISE = re.compile(
    r"(?:print|check|loop|iterate|sort|return|compare|log|show|use|call|replace|change|remove|delete|rename|fix|convert|index|count|get|raise|assert|test|why|what|how|is|are|does|do)\b(?!.*__)",
    re.I,
)
"""Orders about what is done with things, not about what they can."""
_SHAPE = re.compile(
    r"\b(?:like|as|form(?: of)?|such as|e\.?g\.?|looking like|showing|returning|returns?|shows?)[,:]?\s+[`'\"]?(\w+)\(([^()]*)\)[`'\"]?",
    re.I,
)
_CODE = re.compile(
    r"\b(?:returning|returns?|return|giving|gives|showing|shows|prints?|as|is|be)[:,]?\s+(`[^`]+`|f?(?:\"[^\"]*\"|'[^']*')|(?:len|str|sum|max|min|sorted)\([\w.]+\)|self\.[\w.]+)"
)
_MORE = frozenset(re.findall(r"\S+", "delegating delegate forwarding usable true think depend depends good goood str repr len hash eq lt iter length equality iterable hashable sortable comparable comparison value identity context manager manage with statement block operator membership string representation log lines unreadable items number sort sorted sorting compare ordering order loop over able through equal if same else nothing other them inside contained has key keys sets set dict reviewer says build red closes close exit enter entering leaving returns objects ones two like debug output as to < == in for of its"))  # fmt: skip
_VOCABULARY = VOCABULARY | _MORE


def dunder(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    wanted = [name if name.startswith("__") else f"__{name}__" for name in _EXPLICIT.findall(text)]
    wanted = ["__enter__" if name == "__exit__" else name for name in wanted]
    if not wanted:
        wanted = [name for name, form in _WORDS.items() if re.search(form, text, re.I)]
        if "==" in text and "__eq__" in wanted:
            wanted = ["__eq__"]
        if wanted == ["__str__", "__repr__"] or wanted == ["__repr__", "__str__"]:
            wanted = wanted[:1] if "representation" not in text else ["__repr__"]
        able = re.search(r"\b(?:want|like|able|need) to\b", order.instruction, re.I)
        if len(wanted) != 1 or (able is None and _OTHERWISE.match(text)) or not _about_a_class(order, text):
            return
    wanted = list(dict.fromkeys(wanted))
    for held in classes_meant(order, text):
        lines: list[str] = []
        used: list[str] = []
        for name in wanted:
            made = None if name in held.methods else _made(held, name, text)
            if made is None:
                break
            lines += ["", *made[0]] if lines else made[0]
            used += made[1]
        else:
            changes = held.with_method(lines)
            if changes is not None:
                more = [held.name, " ".join(_parts(held.name)), f"{held.name}s", *wanted, "__exit__", *used]
                yield order.edit(changes, *accounted(order, text, off, _VOCABULARY, *more))


def _about_a_class(order: Order, text: str) -> bool:
    """Whether it is a class that is spoken of."""
    named = [
        one
        for one in classes_meant(order, text)
        if re.search(rf"\b{re.escape(one.name)}(?:e?s)?\b", text, re.I) or order.classes(text)
    ]
    return bool(named) or re.search(r"\b(?:class|objects?|instances?)\b", text, re.I) is not None


def _made(held: Held, name: str, text: str) -> tuple[list[str], list[str]] | None:
    """Its lines, and the pieces of the order that they account for."""
    code = next((own_code(held, found[1]) for found in _CODE.finditer(text)), None)
    if (
        code is not None
        and "self" in code
        and name in ("__repr__", "__str__", "__len__", "__hash__", "__iter__", "__bool__")
    ):
        return [f"def {name}(self):", f"    return {code}"], [code, *re.findall(r"[^\W\d]\w*", code)]
    low = held.name.lower()
    but = {held.name, low, f"{low}s", "in", "is", "for", "if", "are"} - set(held.attributes)
    own = attributes_said(held, text.replace(name, " "), but)
    shape = _SHAPE.search(text)
    if name == "__repr__":
        return _repr(held, own, shape)
    every = own or held.attributes
    if name == "__eq__" and every:
        return _eq(held, every), own
    if name == "__hash__" and every:
        listed = ", ".join(f"self.{one}" for one in every)
        return ["def __hash__(self):", f"    return hash(({listed}{',' if len(every) == 1 else ''}))"], own
    if name == "__enter__":
        return _managed(held)
    one = own or (held.containers if name in ("__len__", "__iter__", "__contains__", "__getitem__", "__bool__") else [])
    if not one and len(held.attributes) == 1:
        one = held.attributes
    if name == "__lt__" and len(one) > 1:
        mine, theirs = (", ".join(f"{whose}.{attribute}" for attribute in one) for whose in ("self", "other"))
        return ["def __lt__(self, other):", f"    return ({mine}) < ({theirs})"], own
    if len(one) != 1:
        return None
    return _single(held, name, one[0]), own


def _single(held: Held, name: str, attribute: str) -> list[str]:
    value = f"self.{attribute}"
    typed = [
        item
        for item in held.fields
        if getattr(item.target, "id", "") == attribute and getattr(item.annotation, "id", "") == "str"
    ]
    said = value if typed else f"str({value})"
    head, body = {
        "__str__": ("(self)", said),
        "__len__": ("(self)", f"len({value})"),
        "__iter__": ("(self)", f"iter({value})"),
        "__lt__": ("(self, other)", f"{value} < other.{attribute}"),
        "__contains__": ("(self, item)", f"item in {value}"),
        "__bool__": ("(self)", f"bool({value})"),
        "__getitem__": ("(self, index)", f"{value}[index]"),
    }[name]
    return [f"def {name}{head}:", f"    return {body}"]


def _repr(held: Held, own: list[str], shape: re.Match[str] | None) -> tuple[list[str], list[str]] | None:
    if shape is not None and shape[1] == held.name and shape[2].strip():
        parts = [part.strip() for part in shape[2].split(",")]
        names = [part.partition("=")[0].strip() for part in parts]
        if not all(name in held.attributes for name in names):
            return None
        inside = ", ".join(
            f"{name}={{self.{name}!r}}" if "=" in part else f"{{self.{name}}}"
            for name, part in zip(names, parts, strict=True)
        )
        return ["def __repr__(self):", f'    return f"{held.name}({inside})"'], [shape[0]]
    every = own or held.attributes
    if not every:
        return None
    inside = ", ".join(f"{name}={{self.{name}!r}}" for name in every)
    return ["def __repr__(self):", f'    return f"{held.name}({inside})"'], own


def _eq(held: Held, names: list[str]) -> list[str]:
    mine, theirs = (
        ", ".join(f"{whose}.{name}" for name in names) + ("," if len(names) == 1 else "") for whose in ("self", "other")
    )
    return [
        "def __eq__(self, other):",
        f"    if not isinstance(other, {held.name}):",
        "        return NotImplemented",
        f"    return ({mine}) == ({theirs})",
    ]


def _managed(held: Held) -> tuple[list[str], list[str]] | None:
    """Entering gives the thing itself, leaving closes it."""
    ends = [name for name in ("close", "disconnect", "stop", "shutdown", "release", "quit") if name in held.methods]
    if not ends or "__exit__" in held.methods:
        return None
    return [
        "def __enter__(self):",
        "    return self",
        "",
        "def __exit__(self, exc_type, exc, tb):",
        f"    self.{ends[0]}()",
    ], [ends[0], f"{ends[0]}s", "calls"]


TRIGGER = re.compile(
    "|".join([r"__\w+__", *_WORDS.values(), r"\b(?:repr|str|eq|len|iter|hash|lt) (?:method|dunder)\b"]), re.I
)

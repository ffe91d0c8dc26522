"""What people say of a thing, as a test: *is negative*, *isn't a string*, *is longer than 20*, *has no price*.

Comes in: a predicate and the expression that it is said of. Goes out: code, what is demanded where it must not hold, the
module that the code uses. Must not know: whole conditions, orders.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from spark_tui.refactor.literals import literal
from spark_tui.refactor.naming import Naming, expression, parts

_TYPES = {
    "string": "str", "str": "str", "text": "str", "int": "int", "integer": "int", "whole number": "int", "float": "float", "number": "(int, float)", "numeric": "(int, float)",
    "list": "list", "dict": "dict", "dictionary": "dict", "mapping": "dict", "tuple": "tuple", "set": "set", "bool": "bool", "boolean": "bool", "bytes": "bytes", "array": "list",
}  # fmt: skip
_SIGNS = {
    "hash": "#",
    "hash sign": "#",
    "slash": "/",
    "dash": "-",
    "minus": "-",
    "underscore": "_",
    "dot": ".",
    "space": " ",
    "spaces": " ",
    "blank": " ",
    "newline": "\\n",
    "comma": ",",
    "colon": ":",
    "at sign": "@",
}
_FLIPPED = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip


Told = tuple[str, str, str]
"""Test, demand, module."""
Build = Callable[[Naming, str, "re.Match[str]"], "Told | None"]


def value(naming: Naming, said: str) -> str | None:
    """A value as people say it: a number in words, a literal, a name, an expression."""
    text = re.sub(r"\s+", " ", said.strip(" ,;:.?!"))
    text = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "`" else text
    if (found := literal(text)) is not None and text not in naming.roots:
        return found
    tree = expression(text)
    if isinstance(tree, ast.Tuple) and text[0] != "(":
        return None
    if isinstance(tree, ast.Name) and tree.id not in naming.roots:
        return naming.thing(text)
    return naming.code(text) or naming.thing(text)


def oppose(test: str) -> str:
    """The shortest code for the opposite."""
    tree = expression(test)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        inner = ast.get_source_segment(test, tree.operand) or ""
        return inner if inner and expression(inner) else f"not ({test})"
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = ast.get_source_segment(test, tree.left), ast.get_source_segment(test, tree.comparators[0])
        return f"{left} {_FLIPPED[type(tree.ops[0])]} {right}"
    if isinstance(tree, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr):
        return f"not ({test})"
    return f"not {test}"


def _no(match: re.Match[str]) -> bool:
    return bool(match.groupdict().get("n"))


def _flat(form: str, demand: str, opposite: str = "") -> Build:
    """`{s}` is the subject; where the words say *not*, the opposite holds."""

    def build(_: Naming, s: str, match: re.Match[str]) -> Told:
        test = form.format(s=s)
        return (oppose(test), opposite or demand.replace(" not", ""), "") if _no(match) else (test, demand, "")

    return build


def _against(form: str, demand: str, opposite: str, unit: str = "") -> Build:
    """Of the subject `s` and the value `v`."""

    def build(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
        v = value(naming, match["v"])
        if v is None or v == s:
            return None
        test = form.format(s=s, v=v) if not s.startswith("len(") else form.replace("len({s})", "{s}").format(s=s, v=v)
        shown = v.strip("\"'")
        return (
            (oppose(test), opposite.format(v=shown) + unit, "")
            if _no(match)
            else (test, demand.format(v=shown) + unit, "")
        )

    return build


def _equal(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    v = value(naming, match["v"])
    if v is None or v == s:
        return None
    shown = v.strip("\"'")
    if v in ("True", "False"):
        return (
            (s if (v == "True") is not _no(match) else f"not {s}"),
            f"must {'' if _no(match) else 'not '}be {shown}",
            "",
        )
    test = f"{s} {'is' if v == 'None' else '=='} {v}"
    return (oppose(test), f"must be {shown}", "") if _no(match) else (test, f"must not be {shown}", "")


def _of_type(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    names = [one.strip("`'\" ") for one in re.split(r"\s+(?:or|nor)\s+(?:an?\s+)?", match["v"].strip("`'\""))]
    kinds = [_TYPES.get(one.lower()) or (one if one in naming.roots and one[:1].isupper() else "") for one in names]
    if not all(kinds):
        return None
    code = kinds[0] if len(kinds) == 1 else "(" + ", ".join(kinds) + ")"
    shown = "of type " + " or ".join(kinds).strip("()").replace(", ", " or ")
    test = f"isinstance({s}, {code})"
    return (f"not {test}", f"must be {shown}", "") if _no(match) else (test, f"must not be {shown}", "")


def _in(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    said = [one for one in re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+", match["v"]) if one]
    bracketed = match["v"][:1] in "([{`"
    found = [one for one in (value(naming, word) for word in said) if one is not None]
    v = value(naming, match["v"]) if bracketed or len(said) < 2 else None
    if v is None and (len(found) < len(said) or len(found) < 2):
        return None
    v = v or "(" + ", ".join(found) + ")"
    shown = v if v.isidentifier() else v.strip("()[]").replace('"', "'")
    return (
        (f"{s} not in {v}", f"must be one of {shown}", "")
        if _no(match)
        else (f"{s} in {v}", f"must not be in {shown}", "")
    )


def _text(naming: Naming, said: str) -> str | None:
    """A value that is text: quoted, a sign by its name, a key that the code reads."""
    bare = re.sub(r"^(?:an? |any |the )+", "", said.strip(), flags=re.I)
    if bare.lower() in _SIGNS:
        return f'"{_SIGNS[bare.lower()]}"'
    if (found := value(naming, said)) is not None:
        return found
    bare = bare.strip("`'\"")
    if re.fullmatch(r"[^\W\d]\w*", bare) and (key := re.search(rf"(['\"]){bare}\1", naming.text)):
        return key[0]
    return f'"{bare}"' if re.fullmatch(r"[^\w\s\"'`\\]+|\.\w+", bare) else None


def _holds(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    said = re.sub(r"^(?:an? |any |the )+", "", match["v"], flags=re.I).strip("`'\"")
    owned = naming.member(s, said) if re.fullmatch(r"[\w ]+", said) else None
    if owned is not None and ".get(" not in owned:
        return (f"not {owned}", f"must have a {said}", "") if _no(match) else (owned, f"must not have a {said}", "")
    key = re.search(r"\.get\((.+)\)$", owned) if owned is not None else None
    v = key[1] if key is not None else _text(naming, match["v"])
    if v is None:
        return None
    shown = v.strip("\"'").strip() or "blanks"
    return (
        (f"{v} not in {s}", f"must contain {shown}", "")
        if _no(match)
        else (f"{v} in {s}", f"must not contain {shown}", "")
    )


def _key(naming: Naming, s: str, said: str) -> str | None:
    """What a thing has under a name, as the code reads it."""
    owned = naming.member(s, said)
    got = re.search(r"\.get\((.+)\)$", owned) if owned is not None else None
    return f"{s}[{got[1]}]" if got is not None else owned


def _none_of(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    """*has no items*, where it has a member of that name."""
    owned = naming.member(s, match["what"])
    return None if owned is None else (f"not {owned}", f"must have {match['what']}", "")


def _member_is(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    """*with a qty of 0*"""
    owned, v = _key(naming, s, match["what"]), value(naming, match["v"])
    return None if owned is None or v is None else (f"{owned} == {v}", f"must not have a {match['what']} of {v}", "")


def _between(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    low, high = value(naming, match["low"]), value(naming, match["high"])
    if low is None or high is None:
        return None
    test = f"{low} <= {s} <= {high}"
    return (
        (f"not {test}", f"must be between {low} and {high}", "")
        if _no(match)
        else (test, f"must not be between {low} and {high}", "")
    )


def _affix(method: str, words: str) -> Build:
    def build(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
        v = _text(naming, match["v"])
        if v is None:
            return None
        test, shown = f"{s}.{method}({v})", v.strip("\"'")
        return (f"not {test}", f"must {words} {shown}", "") if _no(match) else (test, f"must not {words} {shown}", "")

    return build


_ON_DISK = frozenset(["path", "file", "filename", "folder", "directory", "dir", "dst", "dest", "destination", "src", "source", "target", "location", "output", "out", "outdir", "input", "config", "cache", "log", "db", "database", "backup"])  # fmt: skip


def _exists(naming: Naming, s: str, match: re.Match[str]) -> Told | None:
    one = re.escape(s)
    used = rf"(?<!def )(?:open|listdir|Path|exists|isfile|isdir|os\.\w+|path\.\w+|shutil\.\w+|load\w*|read\w*)\([^()]*\b{one}\b"
    if not _ON_DISK & set(parts(s)) and not re.search(used, naming.text):
        return None  # a user exists elsewhere
    path = any(arg.arg == s and arg.annotation is not None and "Path" in ast.dump(arg.annotation) for arg in naming.own)
    path = path or bool(
        re.search(
            rf"\b{one}\.(?:open|read_text|read_bytes|write_text|exists|is_file|parent)\b|\b{one} = (?:pathlib\.)?Path\(",
            naming.text,
        )
    )
    test, needs = (f"{s}.exists()", "") if path else (f"os.path.exists({s})", "os")
    return (f"not {test}", "does not exist", needs) if _no(match) else (test, "already exists", needs)


_IS = r"(?:(?:is|are|was|were|be|being|gets?|becomes?|comes? (?:in|back)(?: as)?|turns? out to be|happens? to be|'s|has (?:been|become)|have been)|)(?P<n> ?(?:not|n't|never))?(?: (?:already|still|currently|just|actually|equal to|exactly|ever|yet))*"
_DO = r"(?:does|do|did|can|will|)(?P<n> ?(?:not|n't|never))?(?: already)?"
_HAS = r"(?:has|have|having|contains?|holds?|includes?|got|with)"
_UNIT = (
    r"(?:\s+(?:chars?|characters?|letters?|items?|elements?|entries|rows?|lines?|words?|digits?|bytes?|long|values?))*"
)
_RANGE = r"(?: the)?(?: range)?(?: (?:from|of|between))? ?[\[(]?(?P<low>[^\s,]+?)(?:,| ?and ?| ?to ?|-| ?\.\.+ ?| ?– ?) ?(?P<high>[^\s\])]+)[\])]?"
_GIVEN = r"(?:given|provided|passed(?: in)?|supplied|specified|present|available|there|found|set|filled(?: in)?)"
_EMPTY = r"(?:empty|falsy|an empty (?:list|string|dict|dictionary|set|tuple|sequence|file)|empty (?:list|string|dict))"
_NONE = r"(?:None|null|nil|missing|unset|undefined|absent|nothing)(?: \(?(?:None|null)\)?)?"
_THINGS = r"(?:items?|elements?|entries|rows?|lines?|values?|contents?|members?|data|records?)"


def _rows(*rows: tuple[str, Build]) -> tuple[tuple[re.Pattern[str], Build], ...]:
    return tuple((re.compile(rf"^(?:{form.replace('V', '(?P<v>.+?)')})$", re.I), build) for form, build in rows)


LESS, MORE = "must be at least {v}", "must be at most {v}"
PREDICATES = _rows(
    (rf"{_IS} {_NONE}", _flat("{s} is None", "must not be None", "must be None")),
    (rf"(?:is|are|was|were)(?: not|n't) {_GIVEN}", _flat("{s} is None", "must not be None")),
    (rf"{_IS} (?:{_NONE} or {_EMPTY}|{_EMPTY} or {_NONE})", _flat("not {s}", "must not be empty", "must be empty")),
    (rf"{_IS} (?:{_EMPTY}|false)", _flat("not {s}", "must not be empty", "must be empty")),
    (rf"{_HAS} (?:no|zero|not any) (?P<what>{_THINGS})", _none_of),
    (rf"{_HAS}(?: an?| the)? (?P<what>\w+) (?:of|equal to|set to|=) V", _member_is),
    (rf"{_HAS} (?:no|zero|not any) {_THINGS}(?: in (?:it|them))?|{_HAS} nothing(?: in (?:it|them))?", _flat("not {s}", "must not be empty")),
    (rf"{_IS} (?:blank|whitespace(?: only)?|(?:only|just|all) (?:whitespace|spaces|blanks))", _flat("not {s}.strip()", "must not be blank", "must be blank")),
    (rf"{_IS} (?:an? )?(?:negative(?: number| value| int| integer)?|(?:less than|below|under|smaller than) (?:0|zero))", _flat("{s} < 0", "must not be negative", "must be negative")),
    (rf"{_IS} (?:(?:zero|0) or (?:less|negative|below|lower|smaller)|negative or (?:zero|0)|non[- ]?positive)", _flat("{s} <= 0", "must be positive", "must not be positive")),
    (rf"{_IS} (?:an? )?(?:positive(?: number| value| int| integer)?|(?:greater than|above|more than|over|bigger than|larger than) (?:0|zero))", _flat("{s} > 0", "must be at most 0", "must be positive")),
    (rf"{_IS} (?:an? )?non[- ]?negative", _flat("{s} >= 0", "must be negative", "must not be negative")),
    (rf"{_IS} (?:zero|0)", _flat("{s} == 0", "must not be zero", "must be zero")),
    (rf"{_IS} non[- ]?zero", _flat("{s} != 0", "must be zero", "must not be zero")),
    (rf"{_IS} (?:an? )?odd(?: number)?", _flat("{s} % 2 != 0", "must be even", "must be odd")),
    (rf"{_IS} (?:an? )?even(?: number)?", _flat("{s} % 2 == 0", "must be odd", "must be even")),
    (rf"{_IS} (?:a )?callable", _flat("callable({s})", "must not be callable", "must be callable")),
    (rf"{_IS} (?:numeric|(?:all |only |made of )?digits(?: only)?|a digit)", _flat("{s}.isdigit()", "must not be numeric", "must be numeric")),
    (rf"{_IS} (?:alphabetic|(?:all |only )?letters(?: only)?)", _flat("{s}.isalpha()", "must not be alphabetic", "must be alphabetic")),
    (rf"{_IS} (?:all )?(?:upper ?case|caps)", _flat("{s}.isupper()", "must not be upper case", "must be upper case")),
    (rf"{_IS} (?:all )?lower ?case", _flat("{s}.islower()", "must not be lower case", "must be lower case")),
    (rf"(?:is|are|falls|lies|goes)? ?(?P<n>outside|out)(?: of)?{_RANGE}", _between),
    (rf"{_IS} (?:in between|between|within|inside|in(?= the range| range))(?: of)?{_RANGE}", _between),
    (rf"{_IS} longer than V{_UNIT}", _against("len({s}) > {v}", "is too long", "must be longer than {v}")),
    (rf"{_HAS} more than V{_UNIT}", _against("len({s}) > {v}", "is too long", "")),
    (rf"{_IS} shorter than V{_UNIT}", _against("len({s}) < {v}", "is too short", "must be shorter than {v}")),
    (rf"{_HAS} (?:less|fewer) than V{_UNIT}", _against("len({s}) < {v}", "is too short", "")),
    (rf"{_HAS} at least V{_UNIT}", _against("len({s}) >= {v}", "must be shorter than {v}", "")),
    (rf"{_HAS} at most V{_UNIT}", _against("len({s}) <= {v}", "must be longer than {v}", "")),
    (rf"{_IS} at least V (?:chars?|characters?|letters?|items?|elements?)(?: long)?", _against("len({s}) >= {v}", "must be shorter than {v}", LESS, " long")),
    (rf"{_IS} at most V (?:chars?|characters?|letters?|items?|elements?)(?: long)?", _against("len({s}) <= {v}", "must be longer than {v}", MORE, " long")),
    (rf"{_IS} (?:(?:greater|more|bigger|larger|higher|older|later) than or equal to|at least|no less than|>=) V", _against("{s} >= {v}", "must be less than {v}", LESS)),
    (rf"{_IS} V or (?:more|above|greater|higher|over|bigger|larger)", _against("{s} >= {v}", "must be less than {v}", LESS)),
    (rf"{_IS} (?:(?:less|fewer|smaller|lower|younger|earlier) than or equal to|at most|no more than|up to|<=) V", _against("{s} <= {v}", "must be more than {v}", MORE)),
    (rf"{_IS} V or (?:less|below|fewer|lower|under|smaller)", _against("{s} <= {v}", "must be more than {v}", MORE)),
    (rf"{_IS} (?:greater than|more than|bigger than|larger than|higher than|over|above|past|beyond|later than|older than|>) V", _against("{s} > {v}", MORE, "must be more than {v}")),
    (r"(?:exceeds?|surpass(?:es)?|goes (?:above|over|beyond)) V", _against("{s} > {v}", MORE, "")),
    (rf"{_IS} (?:less than|fewer than|smaller than|lower than|below|under|younger than|earlier than|<) V", _against("{s} < {v}", LESS, "must be less than {v}")),
    (r"(?:goes|falls|drops) (?:below|under) V", _against("{s} < {v}", LESS, "")),
    (rf"{_IS} (?:divisible by|a multiple of) V", _against("{s} % {v} == 0", "must not be divisible by {v}", "must be divisible by {v}")),
    (rf"{_DO} ?(?:starts?|begins?|starting|beginning) with V", _affix("startswith", "start with")),
    (rf"{_DO} ?(?:ends?|ending) (?:with|in|on) V", _affix("endswith", "end with")),
    (rf"{_DO} ?exists?(?: on disk)?", _exists),
    (rf"{_IS} (?:one of|among|part of|a key (?:in|of)|in|found in|contained in|a member of|listed in|known (?:in|to)) (?:the )?V", _in),
    (rf"{_DO} ?exists? in (?:the )?V", _in),
    (r"(?:equals?|==|=) V", _equal),
    (rf"{_HAS}(?P<n> no) (?:key |field |entry )?V(?: (?:key|field|in it))?", _holds),
    (r"(?P<n>without|lacks|lacking|misses|missing) (?:an? |any |the )?(?:key |field |entry )?V(?: (?:key|field))?", _holds),
    (rf"{_DO} ?(?:contains?|includes?|have|has|having) (?:an? |the |any )?(?:key |field |entry )?V(?: (?:key|field|in it))?", _holds),
    (rf"{_IS} (?:an? |of type |an instance of |instance of |of the type )?V(?: (?:object|instance|type))?", _of_type),
    (r"(?:differs from|is different from|does not equal|doesn't equal|!=) V", _against("{s} != {v}", "must be {v}", "")),
    (rf"{_IS} V", _equal),
)  # fmt: skip


def told(s: str, predicate: str, naming: Naming) -> Told | None:
    """The test for what is said of the expression `s`."""
    predicate = re.sub(r"^(?:that|which|who)\s+(?:(?:do|did) (?=not))?", "", re.sub(r"^['’]s\s", "is ", predicate))
    for form in (predicate, f"is {predicate}"):
        for pattern, build in PREDICATES:
            match = pattern.match(form)
            found = build(naming, s, match) if match else None
            if found is not None:
                return found
    return None

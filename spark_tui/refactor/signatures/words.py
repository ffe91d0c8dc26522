"""Types, values and plain words, as people say them in orders about signatures.

Comes in: pieces of an order. Goes out: sources of types and of defaults, word lists. Must not know: files.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.literals import literal
from spark_tui.refactor.naming import expression
from spark_tui.refactor.saying import words

NOISE = frozenset(
    words("""reviewer linter lint mypy ruff pylint pyright flake8 sonar pyflakes complains complaining complain asks asked wants wanted says said
    flags flagged unhappy happy review comment comments because since nobody anymore more longer any tests test build fails otherwise
    signature signatures head header list lists positional keyword kwarg kwargs argument arguments parameter parameters param params arg args
    pep8 ide editor warning warns warned around somewhere near fine simple kind sort good bad idea again go away right too already yet ever never
    method methods functions def fn func class classes place places work works though actually really still even enough change changes update
    noise noisy boilerplate explicit thing things something someone team point fix fixed todo shouldn't wanna gonna customer reported problem production broke last night users user kept asking ask why missed takes take my bad i'll got feedback pr release it's doesn't isn't don't""")
)
"""Words that say who wants it and what it is about, not which edit it is."""
_TYPE_WORDS = {
    "int": "int", "integer": "int", "integers": "int", "ints": "int", "number": "int", "str": "str", "string": "str", "strings": "str",
    "strs": "str", "float": "float", "floats": "float", "bool": "bool", "boolean": "bool", "booleans": "bool", "bools": "bool",
    "bytes": "bytes", "bytearray": "bytearray", "list": "list", "lists": "list", "dict": "dict", "dictionary": "dict", "dicts": "dict", "set": "set",
    "sets": "set", "tuple": "tuple", "tuples": "tuple", "frozenset": "frozenset", "object": "object", "objects": "object", "complex": "complex", "none": "None",
    "nothing": "None", "any": "Any", "path": "Path", "paths": "Path", "decimal": "Decimal", "datetime": "datetime", "date": "date", "callable": "Callable",
    "iterable": "Iterable", "iterator": "Iterator", "sequence": "Sequence", "mapping": "Mapping", "generator": "Generator", "self": "Self", "type": "type",
    "text": "str", "flag": "bool", "callback": "Callable",
}  # fmt: skip
_ELEMENT = r"(?:ints?|integers?|str|strings?|strs|floats?|bools?|booleans?|bytes|dicts?|lists?|tuples?|sets?|paths?|objects?|[A-Z]\w+)(?!\w)"
_OF = re.compile(
    rf"(?:an? )?(?P<box>list|tuple|set|dict|iterable|iterator|sequence|generator|optional)s? of (?P<what>{_ELEMENT})",
    re.I,
)
_MAP = re.compile(
    rf"(?:an? )?(?:dict|dictionary|mapping) (?:from |of )?(?P<key>{_ELEMENT}) (?:to|->|onto|and) (?P<value>{_ELEMENT})",
    re.I,
)
_OR_NONE = re.compile(r"\s*(?:\||or)\s*(?:None|nothing|null)$", re.I)
_BRACKETS = r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]"
_ATOM = rf"[A-Za-z_]\w*(?:\.\w+)*(?:{_BRACKETS})?"
CODE_TYPE = rf"(?:{_ATOM}|\"[^\"]+\")(?:\s*\|\s*{_ATOM})*"
"""A type as it is typed."""
SAID_TYPE = (
    rf"`[^`]+`|'{CODE_TYPE}'|\"{CODE_TYPE}\"|(?:an? )?(?:list|tuple|set|dict|iterable|iterator|sequence|generator|optional)s? of {_ELEMENT}(?:\s+or\s+(?:None|nothing))?"
    rf"|(?:an? )?(?:dict|dictionary|mapping) (?:from )?{_ELEMENT} to {_ELEMENT}"
    rf"|(?:an? )?(?:optional )?{CODE_TYPE}(?:\s+or\s+(?:None|nothing))?"
)
_KNOWN = frozenset(
    words(
        "Any Callable Iterable Iterator Sequence Mapping MutableMapping Optional Union List Dict Set Tuple Type FrozenSet Path Self Literal Final ClassVar Generator AsyncIterator Awaitable Coroutine NoReturn Decimal datetime date timedelta Pattern TextIO BinaryIO IO None"
    )
)


def type_said(phrase: str, names: frozenset[str] = frozenset()) -> str | None:
    """The source of a type; None where it is none. `names` are those of the file: what is a word only is a type by
    being known, by being spelled like a class, or by standing as code."""
    text = phrase.strip()
    quoted = len(text) > 2 and text[0] == text[-1] and text[0] in "`'\""
    bare = text[1:-1].strip() if quoted else text
    if (match := _MAP.fullmatch(bare)) is not None:
        return f"dict[{_one(match['key'])}, {_one(match['value'])}]"
    if (match := _OF.fullmatch(bare)) is not None:
        box, inner = match["box"].lower(), _one(match["what"])
        if box == "optional":
            return f"{inner} | None"
        box = box.capitalize() if box in ("iterable", "iterator", "sequence", "generator") else box
        return f"{box}[{inner}, ...]" if box == "tuple" else f"{box}[{inner}]"
    bare = re.sub(r"^an? ", "", bare)
    if (optional := re.match(r"(?:optional|nullable) (?=\w)", bare, re.I)) is not None:
        inner_type = type_said(bare[optional.end() :], names)
        return f"{inner_type} | None" if inner_type else None
    none = _OR_NONE.search(bare)
    if none is not None and (inner_type := type_said(bare[: none.start()], names)) is not None:
        return f"{inner_type} | None"
    if bare.lower() in _TYPE_WORDS and (not quoted or bare.lower() in ("string", "boolean", "integer")):
        return bare if bare in names and bare != bare.lower() else _TYPE_WORDS[bare.lower()]
    node = expression(bare)
    if node is None or not _is_type(node):
        return None
    return bare if all(_is_class(one, names) for one in _names_in(node)) else None


def _names_in(node: ast.expr) -> list[str]:
    """What has to be a class: not what stands in `Literal[...]` or in quotes."""
    if isinstance(node, ast.BinOp):
        return [*_names_in(node.left), *_names_in(node.right)]
    if isinstance(node, ast.Subscript):
        return _names_in(node.value)
    return [ast.unparse(node)] if isinstance(node, ast.Name | ast.Attribute) else []


def _is_class(dotted: str, names: frozenset[str]) -> bool:
    last = dotted.rpartition(".")[2]
    if last in _KNOWN or _TYPE_WORDS.get(last) == last or last in _LOW:
        return True
    return last.lstrip("_")[:1].isupper() and (len(last) == 1 or not last.isupper() or last in names)


_LOW = frozenset(
    words(
        "ndarray dtype array deque defaultdict namedtuple struct_time timezone memoryview range slice property partial"
    )
)


def _one(word: str) -> str:
    low = word.lower()
    return _TYPE_WORDS.get(low) or (_TYPE_WORDS.get(low.rstrip("s")) or word)


def _is_type(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and _is_type(node.left) and _is_type(node.right)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name | ast.Attribute)
    if isinstance(node, ast.Attribute):
        return _is_type(node.value)
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str))
    )


def type_of_value(source: str) -> str | None:
    """Of a literal."""
    node = expression(source)
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant) and node.value is not None and node.value is not ...:
        return type(node.value).__name__
    if isinstance(node, ast.JoinedStr):
        return "str"
    return None


_VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{\}|an? empty \w+|[A-Za-z_][\w.]*(?:\(\))?"
_GIVEN = r"(?:if|when|unless|where) (?:it(?:'s| is) |you |nothing is |none is |not )?(?:left out|leave it out|omit it|omitted|not given|given|said|passed|not passed|provided|not provided|set|not set|missing|absent|unset|specified|not specified)"
DEFAULTS = re.compile(
    rf"[\s,;(-]*(?<!\w)(?:that |which |and |with |is |should |it |having |let it |will )*(?:(?:(?:an?|the|its) )?defaults?(?:ing|ed)?(?: value)?(?: (?:to|of|is|as|being|should be|=))*\s*[:=]?\s*(?P<a>{_VALUE})"
    rf"|(?P<b>{_VALUE})\s+(?:by default|as (?:its|the|a) default(?: value)?|{_GIVEN})"
    rf"|initially (?P<c>{_VALUE}))\)?",
    re.I,
)
BEFORE_DEFAULT = re.compile(
    rf"[\s,;(-]*(?<!\w)(?:with )?(?P<d>{_VALUE})\s+(?:by default|(?:as|for) (?:its|the|a) default(?: value)?|{_GIVEN})\)?",
    re.I,
)


def value_said(phrase: str, names: frozenset[str] = frozenset()) -> str | None:
    """The source of a default: a literal, code in backticks, or a name of the file."""
    text = phrase.strip().rstrip(",;.") if not phrase.strip().startswith(("'", '"')) else phrase.strip()
    if text.lower() in ("a", "an", "the", "to", "of", "value", "argument", "parameter"):
        return None
    found = literal(text)
    if found is not None:
        return found
    bare = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "`" else text
    node = expression(bare)
    if node is None:
        return None
    if text != bare or isinstance(node, ast.Call | ast.Attribute | ast.Tuple | ast.List | ast.Dict):
        return bare
    return bare if bare in names or bare.isupper() else None

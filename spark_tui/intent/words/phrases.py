"""Words that have a fixed form in code: numbers, durations, values, types, levels, operators."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set
from spark_tui.tables import table_beside

_NUMBER = re.compile(r"[-+]?(?:\d+(?:_\d+)*(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+|0[xX][\da-fA-F]+)\Z")
_AMOUNT = re.compile(r"(?P<number>[-+]?\d[\d_,.]*|\S+?)\s*-?(?P<unit>[^\W\d]+)\Z")
_ARTICLES = ("half an", "half a", "a", "an", "eine", "une", "una")
_CJK = re.compile(r"[\u3400-\u9fff]")


table = table_beside(__file__, "phrases.toml")
"""The words by what they mean, of all languages."""


def mentions(kind: str, text: str) -> bool:
    """Whether words of a kind stand in a text."""
    low = text.lower()
    return any(item in low for item in table()["words"][kind])


def form(kind: str) -> str:
    """A regular expression for what a kind of words looks like."""
    return f"(?:{'|'.join(table()['forms'][kind])})"


def words(kind: str) -> list[str]:
    return list(table()["words"][kind])


@lru_cache(maxsize=16)
def _codes(kind: str) -> dict[str, str]:
    """From words to code; the first that names a word has it."""
    out: dict[str, str] = {}
    for code, phrases in table()[kind].items():
        for phrase in phrases:
            out.setdefault(phrase.lower(), code)
    return out


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(form, re.IGNORECASE), plain) for form, plain in table()["spellings"])


def spelled(text: str) -> str:
    """A condition in the words of others that mean the same."""
    for form, plain in _forms():
        text = form.sub(plain, text).strip()
    return text


@lru_cache(maxsize=1)
def _articles() -> re.Pattern[str]:
    longest = sorted(words("articles"), key=len, reverse=True)
    plain = "|".join(re.escape(word) for word in longest if not word.endswith("'"))
    short = "|".join(re.escape(word) for word in longest if word.endswith("'"))
    return re.compile(rf"(?:(?:{plain})\s+|(?:{short}))+", re.IGNORECASE)


@lru_cache(maxsize=1)
def _kinds() -> tuple[re.Pattern[str], re.Pattern[str]]:
    known = "|".join(re.escape(word) for word in sorted(words("kinds"), key=len, reverse=True))
    return re.compile(rf"(?:{known})\s+(?=\S)", re.IGNORECASE), re.compile(rf"(?<=\S)\s+(?:{known})\Z", re.I)


def without_articles(text: str, *, with_kinds: bool = False) -> str:
    """The text without articles, and without kind words around it unless it is `with_kinds`: `the add method`
    is `add`."""
    text = text.strip()
    while found := _articles().match(text):
        text = text[found.end() :]
    for pattern in () if with_kinds else _kinds():
        text = pattern.sub("", text, count=1) if pattern.pattern.startswith("(?<") else _cut(pattern, text)
    return text.strip()


def without_kind_behind(text: str) -> str:
    """The text without what says at its end what it is: `the name parameter` is `the name`."""
    return _kinds()[1].sub("", text, count=1)


def _cut(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return text[found.end() :] if found else text


@lru_cache(maxsize=1)
def joining() -> str:
    """A regular expression for the words after which another order may stand: *and*, *then*."""
    pattern = "|".join(map(re.escape, (*words("and"), *words("more"))))
    return rf"(?<!\w)(?:{pattern})(?!\w)"


def is_said(kind: str, text: str) -> bool:
    """Whether a text is one of the words of a kind, such as `here`."""
    return text.strip(" .,!`'\"").lower() in words(kind)


def lookup(kind: str, text: str) -> str | None:
    """The code that some words stand for."""
    plain = text.strip(" .,;!`'\"").lower()
    known = _codes(kind)
    return known.get(plain) or known.get(without_articles(plain))


def singular(text: str) -> str:
    """The name of an exception, or `assert`, of which several are meant: `ValueErrors`."""
    return text[:-1] if re.search(r"(?:Error|Exception|Warning|\Aassert)s\Z", text) else text


@lru_cache(maxsize=4096)
def number(text: str) -> str | None:
    """A number in digits or words, as code."""
    plain = text.strip(" ;!`'\"").rstrip(".,")
    if _NUMBER.match(plain):
        return plain.lstrip("+")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", plain):
        return plain.replace(",", "_")
    # `a hundred` is a number; `a cent` is not the French one.
    counted = plain.lower() in _codes("numbers") or not plain.lower().startswith(("a ", "an "))
    found = lookup("numbers", plain) if counted else None
    half = re.fullmatch(r"(\S+) and a half", plain.lower()) if found is None else None
    if half is not None and (whole := number(half[1])) is not None:
        return f"{whole}.5"
    if found is None and (bare := _uncounted(plain)) != plain:
        return number(bare)
    return found or _joined(plain)


def sign(text: str) -> str | None:
    """The sign that a word is a name of: `semicolons`."""
    return lookup("signs", text) or lookup("signs", text.rstrip("s"))


def is_plural_number(text: str) -> bool:
    """Whether a word stands for several of one number: `zeros`, `thousands`."""
    return (
        text.endswith("s")
        and lookup("numbers", text) is not None
        and lookup("numbers", text[:-1]) is not None
    )


def _joined(text: str) -> str | None:
    """A number of several words: `twenty-five`, `five hundred`, `two thousand three hundred`."""
    parts = [item for item in re.split(r"[\s-]+", text) if item not in ("and", "und", "et", "y")]
    values = [lookup("numbers", item) for item in parts]
    if len(parts) < 2 or not all(values):
        return None
    whole = part = 0
    for value in map(int, filter(None, values)):
        if value >= 100:
            part = (part or 1) * value
            whole, part = (whole + part, 0) if value >= 1000 else (whole, part)
        elif part % 100 and not (value < 10 and part % 10 == 0):
            return None
        else:
            part += value
    return str(whole + part)


def _uncounted(text: str) -> str:
    """The text without what is counted: `3 times` is `3`."""
    ends = sorted(words("counted"), key=len, reverse=True)
    return next((text[: -len(word)].strip() for word in ends if text.lower().endswith(word)), text)


def factor(text: str) -> Fraction | None:
    """What a number is multiplied by: `double` is 2, `half` is 1/2."""
    plain = text.strip(" .,!`'\"").lower()
    compared = re.fullmatch(rf"(\S+) (?:as|so) (?:{'|'.join(words('sizes'))})(?: (?:as|wie) .+)?", plain)
    found = lookup("factors", plain) or (lookup("factors", compared[1]) if compared is not None else None)
    if found is not None:
        return Fraction(found)
    if (signed := re.fullmatch(r"([*×/÷])\s*(\d[\d_.]*)", plain)) is not None and Fraction(signed[2]):
        return Fraction(signed[2]) if signed[1] in "*×" else 1 / Fraction(signed[2])
    digits = number(
        re.sub(r"\A(?:times|mal|fois|por)\s+|(?:\s*(?:times|fold|x|×|mal|fois|veces|倍))?\Z", "", plain)
    )
    shown = digits or number(plain.removeprefix("x").removesuffix("x"))
    if plain.endswith("%") and (percent := number(plain[:-1])) is not None:
        return Fraction(percent) / 100
    try:
        return Fraction(shown.replace("_", "")) if shown else None
    except ValueError:
        return None


_STEP = re.compile(
    r"\b(?:(?P<more>one more|increment(?:ed)?)|one less|one fewer|decrement(?:ed)?)\b(?!\s+than)",
    re.IGNORECASE,
)


def step_said(sentence: str) -> int:
    """1 where a number is to be one more, -1 for one less; 0 where nothing is said of that."""
    found = _STEP.search(sentence)
    return 0 if found is None else 1 if found["more"] else -1


def factor_said(sentence: str) -> str:
    """The word of a sentence that is a factor by itself, such as `halve`; empty where there is none."""
    found = (item for item in re.findall(r"[^\W\d_]+", sentence.lower()) if lookup("factors", item))
    return next(found, "")


def is_divided(sentence: str) -> bool:
    """Whether a sentence has a word for dividing."""
    plain = sentence.lower()
    phrases = frozenset(re.findall(r"\w+", plain))
    return any(word in phrases or (has_cjk(word) and word in plain) for word in words("divided"))


def duration(text: str) -> Fraction | None:
    """Seconds in a text such as `5 minutes` or `30s`."""
    return _amount(text, "units")


def duration_in_unit(text: str, name: str) -> Fraction | None:
    """A time such as `2 hours`, in the unit that a name ends with; in seconds where it ends with none."""
    seconds = duration(text)
    return seconds / Fraction(unit_of(name) or "1") if seconds is not None else None


def unit_of(name: str, kind: str = "unit_names") -> str:
    """How many seconds, or bytes, the unit has that a name ends with; empty for none."""
    return next((count for end, count in table()[kind].items() if name.lower().endswith(end)), "")


def size(text: str) -> Fraction | None:
    """Bytes in a text such as `10 MB`."""
    return _amount(text, "sizes")


def size_in_unit(text: str, name: str) -> Fraction | None:
    """A size such as `2 MB`, in the unit that a name ends with; in bytes where it ends with none."""
    count = size(text)
    return count / Fraction(unit_of(name, "size_names") or "1") if count is not None else None


def _amount(text: str, kind: str) -> Fraction | None:
    plain = text.strip(" .,!`'\"").lower()
    found = _AMOUNT.match(plain) or re.match(r"(?P<number>.+?)\s+(?P<unit>\S+)\Z", plain)
    unit = _codes(kind).get(found["unit"]) if found else None
    if found is None or unit is None:
        return None
    many = number(found["number"])
    if many is None and " " in plain and found["number"] in _ARTICLES:  # *ad* is no day
        many = "1/2" if found["number"].startswith("half") else "1"
    try:
        return Fraction(many.replace("_", "")) * Fraction(unit) if many is not None else None
    except ValueError:
        return None


def plain_number(value: Fraction) -> str:
    """A number as people write it in code."""
    if value.denominator == 1:
        return str(value.numerator)
    return repr(float(value))


def value(text: str) -> str | None:
    """The code of a value in words, such as `an empty list`."""
    return lookup("values", text) or number(text)


def value_in(sentence: str) -> str | None:
    """The code of the one value that a sentence says in several words; `an` or `no` alone may be anything."""
    plain = " ".join(sentence.lower().split())
    phrases = [
        code
        for code, known in table()["values"].items()
        if any((" " in item or has_cjk(item)) and len(item) > 1 and stands_in(item, plain) for item in known)
    ]
    return phrases[0] if len(phrases) == 1 else None


def state_said(sentence: str) -> str | None:
    """What a sentence says that a flag should be: `True`, `False`, or nothing that is clear."""
    plain = " ".join(sentence.lower().replace("’", "'").split())
    phrases = [code for code, known in table()["states"].items() if any_stands_in(known, plain)]
    if not phrases and plain.endswith((" on", " an")):
        phrases = ["True"]
    if len(phrases) != 1:
        return None
    negated = "n't" in plain or any_stands_in(words("negations"), plain)
    return phrases[0] if not negated else "False" if phrases[0] == "True" else "True"


def stands_in(phrase: str, text: str) -> bool:
    """Whether a word or some words stand in a text."""
    if phrase not in text:
        return False
    return has_cjk(phrase) or re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def any_stands_in(phrases: Iterable[str], text: str) -> bool:
    """Whether one of several words stands in a text."""
    return any(stands_in(phrase, text) for phrase in phrases)


def level(text: str) -> str | None:
    """The level of a log call in words."""
    plain = re.sub(r"\b(?:log|level|logging|stufe|niveau|nivel)\b|级别|日志", " ", text.lower()).strip(
        " -_.,`'\""
    )
    plain = plain.rpartition(".")[2].strip()
    return lookup("levels", plain)


def operator(text: str) -> str | None:
    """An operator as code, from itself or words."""
    plain = text.strip(" `'\"")
    if plain in table()["operators"] or plain in ("@", "&", "|", "^", "<<", ">>", "not"):
        return plain
    if plain.endswith("=") and plain[:-1] in table()["operators"]:
        return plain
    bare = re.sub(r"\b(?:an?|the|operator|sign|bitwise)\b", " ", plain.lower()).strip()
    first = plain.split()[0] if plain else ""
    return lookup("operators", bare) or (first if re.fullmatch(r"\W+", first) and first != plain else None)


def type_code(text: str, known: Iterable[str] = ()) -> str | None:
    """An annotation: code as it is, `a list of strings` as `list[str]`. `known` are classes."""
    plain = text.strip(" .;!`'\"")
    classes = {item.lower(): item for item in known}
    bare = without_articles(plain)
    for one in (plain, bare):
        if one.lower() in classes and not hasattr(builtins, one):
            return classes[one.lower()]
        if (found := _codes("types").get(one.lower())) is not None:
            return found
    if _is_type(plain):
        return plain
    for form, phrases in table()["type_forms"].items():
        for phrase in phrases:
            parts = _form(phrase).match(bare.lower())
            if parts is None:
                continue
            found_parts = {
                name: type_code(bare[parts.start(name) : parts.end(name)], classes.values())
                for name in parts.groupdict()
            }
            if all(
                part and (not part.islower() or part.partition("[")[0] in _SIMPLE)
                for part in found_parts.values()
            ):
                return str(form.format(**found_parts))
    return None


@lru_cache(maxsize=256)
def _form(phrase: str) -> re.Pattern[str]:
    pattern = re.escape(phrase.lower()).replace(r"\{x\}", "(?P<x>.+?)").replace(r"\{y\}", "(?P<y>.+?)")
    return re.compile(pattern.replace(r"\ ", r"\s+") + r"\Z")


_SIMPLE = word_set("str int float bool bytes object list dict set tuple frozenset complex")


def _is_type(text: str) -> bool:
    """Whether a text can stand after a colon as it is: one name, or names in brackets and unions."""
    tree = parse_value(text)
    if tree is None:
        return False
    kinds = (
        ast.Name,
        ast.Attribute,
        ast.Subscript,
        ast.BinOp,
        ast.BitOr,
        ast.Constant,
        ast.Tuple,
        ast.List,
        ast.Load,
    )
    if not all(isinstance(node, kinds) for node in walk(tree)):
        return False
    return not isinstance(tree, ast.Constant) or tree.value is None or isinstance(tree.value, str)


def has_cjk(text: str) -> bool:
    return _CJK.search(text) is not None

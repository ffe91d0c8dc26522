"""Replacements for a written token where the message gives another value, error, text or type."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.written_lines import LineChange, Token
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.texts import reword_text
from spark_tui.intent.values.converters.new_names import styled
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.syntax.walking import names_in

_ERROR = re.compile(r"(?:[A-Z]\w*)?(?:Error|Exception|Warning|Exit|Interrupt|Stop\w*)\Z")
_VERSION = re.compile(r"v?\d[\d.]*\w*")
"""A text of digits, whose next one is a text as well."""
_LITERALS = frozenset(("None", "True", "False"))
_TYPES = (str, list, dict, set)
_ANNOTATED = re.compile(r"(?:(\w+)\s*:|(->))[^,()=:>]*\Z")

MEMBER = 0.95
"""How likely the member of an object that is given is meant for another one of it that was written."""
READ_AS_TEXT = assumed("words about the text were read as the text")
Replacement = tuple[float, str]
"""How likely a token is what something else is given for, and what stands in its place."""


@dataclass(frozen=True)
class GivenReplacement:
    """What a message gives as the replacement, and the texts of the changed files."""

    kind: str
    given: Span
    old: Sequence[str]
    is_code: bool = False
    """Whether what is given is shown as code."""
    beside: str = ""
    """The words of the message around it."""
    texts: tuple[str, ...] = ()
    is_f_string: bool = False
    """Whether what is given is shown as an f-string."""

    @cached_property
    def known(self) -> frozenset[str]:
        """The words of the files, which few replacements ask for."""
        return frozenset(word for text in self.texts for word in re.findall(r"\w+", text))

    @cached_property
    def held(self) -> str:
        """The literal that the constant which is given holds; empty if it is none."""
        name = bare_text(self.given.text)
        if not name.isidentifier() or not name.isupper():
            return ""
        lines = (re.search(rf"^{name}\s*(?::[^=\n]+)?=\s*(.+)$", text, re.MULTILINE) for text in self.texts)
        return next((line[1].strip() for line in lines if line and is_literal(line[1].strip())), "")


def find_replacement(asked: GivenReplacement, change: LineChange, token: Token) -> Replacement | None:
    """What stands in the place of a token, and how likely it is meant."""
    found = _member(asked, change, token) if asked.kind == "value" else None
    if found is None and (fits := _fit(asked, change, token)):
        new = _spelled(token.text, asked)
        found = (fits, new) if new is not None and not _breaks(change, token, new) else None
    return found if found is not None and found[1] != token.text else None


def _breaks(change: LineChange, token: Token, new: str) -> bool:
    """Whether what stands around a token cannot take something else there: a value is not called."""
    behind = change.text[token.end :].lstrip(" ")[:1]
    if token.text.isidentifier() and behind in ("(", ".", "["):
        return re.fullmatch(r"\w+(?:\.\w+)*", new) is None or new[0].isdigit() or new in _LITERALS
    return is_in_condition(change, token) and re.search(r"\s(?:or|and|if)\s", new) is not None


def find_annotated_name(change: LineChange, token: Token) -> str:
    """The name in front of an annotation, or `->` for that of a result; empty where there is none."""
    found = _ANNOTATED.search(change.text[change.text.rfind("\n", 0, token.start) + 1 : token.start])
    return (found[1] or found[2]) if found else ""


def is_in_condition(change: LineChange, token: Token) -> bool:
    """Whether a token stands in a condition: what is tested is rarely what is to be another value."""
    start = change.text.rfind("\n", 0, token.start) + 1
    return re.match(r"\s*(?:if|elif|while|assert)\b", change.text[start : token.start]) is not None


def bare_text(text: str) -> str:
    """A text without the quotes around it; one that stands at one end belongs to it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "`'\"" else text


def inner_text(text: str) -> str:
    """The text of a string literal."""
    return re.sub(r"\A\w{0,2}(\"\"\"|'''|\"|')([\s\S]*)\1\Z", r"\2", text)


def is_error(text: str) -> bool:
    """Whether a word is the name of an error class."""
    return _ERROR.match(text) is not None


def is_about_message(given: Span) -> bool:
    """Whether words rather tell what is to be in a message than are one: *with the name*, *"no " + name*."""
    told = followup_table()["about_message"]["words"]
    text = re.sub(r"\A\w{0,2}(?=[\"'])", "", given.text.strip())
    return not given.quoted and (re.match(told, text, re.IGNORECASE) is not None or '"' in text.strip('"'))


def only_judges(given: Span) -> bool:
    """Whether words say what a text is to be like, and not which one: *shorter*, *a bit clearer please*."""
    if not given.quoted and given.text.lower() in followup_table()["parts"]["text"]:
        return True
    kinds = ("judged", "articles", "filling", "wishes", "just", "also", "pronouns")
    said = re.findall(r"[^\W\d_]+", given.text.lower())
    judges = any(phrases.is_said("judged", word) for word in said)
    return (
        not given.quoted
        and judges
        and all(any(phrases.is_said(kind, word) for kind in kinds) for word in said)
    )


def is_string(text: str) -> bool:
    return text[-1:] in "'\"" and len(text) > 1


def is_literal(text: str) -> bool:
    return text[:1].isdigit() or text in _LITERALS or is_string(text)


def read_number(text: str) -> str | None:
    """The number that a text says, of seconds or bytes too."""
    amount = phrases.duration(text) or phrases.size(text)
    counted = re.fullmatch(r"(\S+) [^\W\d]+", text.strip())  # two spaces
    plain = phrases.number(text) or (phrases.number(counted[1]) if counted is not None else None)
    return phrases.plain_number(amount) if amount is not None else plain


def _member(asked: GivenReplacement, change: LineChange, token: Token) -> Replacement | None:
    """Another member of the same owner: a level of a log, a stream, a function of a module, a method, an
    attribute."""
    owner = re.search(r"(\w+(?:\.\w+)*)\.\Z", change.text[: token.start])
    given, text = phrases.without_articles(bare_text(asked.given.text)), token.text
    if token.before != "." or (asked.old and not set(asked.old) & {text, f"{owner and owner[1]}.{text}"}):
        return None
    level = phrases.level(given)
    new = level if text in phrases.table()["levels"] else None
    if new is None and owner is not None:
        home, _, stream = (phrases.lookup("streams", given) or "").rpartition(".")
        new = stream if home == owner[1] else None
        homes = standard_homes()
        both = owner[1] in homes.get(text, ()) and owner[1] in homes.get(given, ())
        both = both and not level  # a level takes the place of another one
        new = given if both or (given.upper() == given and given in asked.known and text.isupper()) else new
    if new is None and given.isidentifier() and not _lacks_arguments(given, change.text[token.end :]):
        own = owner is not None and owner[1] in {item.__name__ for item in _TYPES}
        called = own or change.text.startswith("(", token.end)  # a field may be called like a method
        like = called and any(hasattr(item, text) and hasattr(item, given) for item in _TYPES)
        held = not change.text.startswith("(", token.end) and any(
            re.search(rf"\.{given}\b(?!\()", one) for one in asked.texts
        )
        new = given if like or held else None
    return (MEMBER, new) if new else None


def _lacks_arguments(method: str, behind: str) -> bool:
    """Whether a method of texts that is called without arguments would need some."""
    try:
        getattr(str, method, str)("") if behind.startswith("()") else None
    except TypeError:
        return True
    return False


def _fit(asked: GivenReplacement, change: LineChange, token: Token) -> float:
    """How likely a token is what something else is given for."""
    text, kind, given, old = token.text, asked.kind, asked.given, asked.old
    if old:
        operator = not is_string(text) and not re.search(r"\w", text)  # a sign that is said is a text
        stands_there = not operator and (text in old or inner_text(text) in old)
        if stands_there:
            return 1.0
        return 0.6 if is_string(text) and any(item in text for item in old if item) else 0.0
    name = text.isidentifier() and not keyword.iskeyword(text)
    held = asked.held if kind == "value" and is_literal(text) else ""
    if held and (held == text or is_string(held) != is_string(text)):
        return 1.0 if held == text else 0.0
    if kind == "name":
        python = hasattr(builtins, text) and token.before != "def"  # a name of Python
        own = text not in ("self", "cls") and not python
        return 0.9 if name and own and token.before != "." and not is_error(text) else 0.0
    if kind == "exception":
        defined = token.before == "class"
        return (
            0.9 if (is_error(text) and not defined) or (name and token.before in ("raise", "except")) else 0.0
        )
    if kind == "message":
        return 0.9 if is_string(text) else 0.0
    if kind == "type":
        return _type_fit(asked, change, token) if name else 0.0
    if not is_literal(text):
        if not name or kind != "value" or token.before not in ("=", "return"):
            return 0.0
        return 0.6 if text.isupper() and given.text[:1].isdigit() else 0.25
    if given.quoted and not asked.is_code:
        return 0.9 if is_string(text) else 0.4
    if read_number(given.text) is not None:
        return 0.9 if text[:1].isdigit() else 0.2 if re.search(r"[^\W\d]\s", inner_text(text)) else 0.4
    if not re.search(r"\w", given.text):
        return 0.9 if is_string(text) else 0.0
    if bare_text(given.text) in _LITERALS or _is_code(asked):
        return 0.9 if not text[:1].isdigit() else 0.4
    return 0.9 if is_string(text) or phrases.value(given.text) is not None else 0.2


def _type_fit(asked: GivenReplacement, change: LineChange, token: Token) -> float:
    """Rather the type of what the message names, and rather one that becomes a fuller one."""
    if not find_annotated_name(change, token):
        return 0.0
    base, inside, _ = asked.given.text.strip("`'\"").partition("[")
    fuller = base.lower() == token.text.lower() if inside else token.text in re.findall(r"\w+", base)
    return 0.8 + 0.1 * bool(annotation_named(asked, change, token)) + 0.05 * fuller


def annotation_named(asked: GivenReplacement, change: LineChange, token: Token) -> str:
    """The parameter that a token annotates, or `->` for the result, where the message names it."""
    where = find_annotated_name(change, token)
    words = re.findall(r"\w+", asked.beside)
    kinds = ("returning_words", "returned_words")
    named = where in words or (
        where == "->" and any(phrases.is_said(kind, word) for kind in kinds for word in words)
    )
    return where if named else ""


def _spelled(text: str, asked: GivenReplacement) -> str | None:
    """What stands in the place of a token."""
    given, old, kind = asked.given, asked.old, asked.kind
    plain = given.text if given.quoted and not asked.is_code else given.text.strip()
    plain = bare_text(plain) if plain.startswith("`") else plain
    if kind in ("name", "exception", "type"):
        plain = (phrases.type_code(plain) or plain) if kind == "type" else bare_text(plain)
        if kind == "name" and re.fullmatch(r"\w+(?: \w+)+", plain):
            return styled(split_name(plain), text) if phrases.value(plain) is None else None
        return plain if re.fullmatch(r"[\w.\[\], |]+", plain) else None
    if kind == "value" and _is_code(asked):
        return plain
    if is_string(text):
        inner = inner_text(text)
        part = next((item for item in old if item in inner and item != inner), None)
        number = kind == "value" and not given.quoted and not old and not _VERSION.fullmatch(inner)
        value = phrases.number(plain) if number else None
        if value is not None or (plain in _LITERALS and not given.quoted):
            return value or plain
        shown = plain if given.quoted else bare_text(plain)
        words = kind == "value" and not given.quoted and re.fullmatch(r"[^\W\d_]+(?:\s.*)?", shown)
        if words and (" " in shown or "%" in inner) and not re.search(r"[^\W\d_]{3}", inner):
            return None  # words say what is to become of a format, and are none
        new = inner.replace(part, shown) if part else reword_text(text, inner, replace(given, text=shown))
        if new is None:
            return None
        at = text.index(inner) if inner else len(text) // 2
        prefix = "f" * (asked.is_f_string and "f" not in text[:at].lower())
        return prefix + text[:at] + new + text[at + len(inner) :]
    is_text = given.quoted and not asked.is_code
    if " " in plain and not is_text and phrases.value(plain) is None:
        return read_number(plain) if text[:1].isdigit() else None
    value = phrases.value(plain) or (read_number(plain) if text[:1].isdigit() else None)
    if value is not None and not is_text:
        return value
    code = re.fullmatch(r"[\w.]+(?:\([^()]*\))?|-?\d[\w.]*|[\[({].*[\])}]", plain)
    return plain if code and not is_text else literal(bare_text(plain))


def _is_code(asked: GivenReplacement) -> bool:
    """Whether what is given is an expression of names that stand there, or a constant."""
    text = asked.given.text.strip().strip("`")
    if asked.given.quoted and not asked.is_code:
        return False
    tree = parsed(text) if not is_literal(text) else None
    names = names_in(tree)
    if not names or not all(name in asked.known or hasattr(builtins, name) for name in names):
        return False
    return text.isupper() if text.isidentifier() else isinstance(tree, ast.expr)

"""What is meant by the name of a class: exceptions, annotations, decorators and bases."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.codemods.slots import CLASS
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.import_origins import known_imports, standard_homes
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.values.converters.exceptions import class_of_words, classes_of_failure
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, source_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import singular
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Definition, Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_MARKS = ("skip", "xfail")
"""What pytest marks tests with; other marks are of the repository."""
_BROUGHT_ALONG = {"urllib.request": "urllib.error"}
"""Modules that others import."""
_ERROR = re.compile(r"(?:Error|Exception|Warning|Exit|Interrupt|Iteration)\Z")
_NEVER_RAISED = re.compile(
    r"log(?:ger|ging)?\.\w+\Z|\.(?:debug|info|warning|critical|warn|exit)\Z", re.IGNORECASE
)


@converter
def exception(slot: SlotWords) -> list[Option]:
    """The class of an exception; several as a tuple."""
    text = re.sub(r"\Aexcept\s+|:\Z", "", slot.span.text.strip().strip("`'\"()"))
    parts = [
        part
        for part in re.split(
            r"\s*(?:,|\bor\b|\band\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|和|或)\s*", text
        )
        if part
    ]
    found = [_of_module(slot, part) or _exception(part) for part in parts]
    if len(parts) > 1 and None in found:
        told = [_by_what_is_tried(slot, part)[:1] for part in parts]
        each = dict.fromkeys(item[0].text for item in told if item)
        if all(told) and len(each) > 1:
            return [
                Option(f"({', '.join(each)})", 0.8, (assumed(f"{text} was assumed to be {', '.join(each)}"),))
            ]
    if any(item is None for item in found) or not found:
        return _by_what_is_tried(slot, text)
    if any(is_plain_class(slot, item[0]) for item in found if item is not None):
        return []
    known = [(of_imported(slot, item[0]), item[1]) for item in found if item is not None]
    return [
        Option(
            known[0][0] if len(known) == 1 else f"({', '.join(item[0] for item in known)})",
            min(item[1] for item in known),
            tuple(f"{name} may be no exception" for name, _ in known if _has_other_base(slot, name)),
        )
    ]


def _has_other_base(slot: SlotWords, name: str) -> bool:
    """Whether a class of the repository has bases of which none is called like an exception."""
    source, repo = source_of(slot.context, slot.anchor), slot.context.repo
    scopes = repo.index.scopes(source.path) if source is not None else None
    variable = scopes.variable(name, scopes.module) if scopes is not None else None
    values = repo.infer.variable(source.path, variable) if source is not None and variable is not None else ()
    classes = [value for value in values if isinstance(value, ClassValue)]
    bases = [
        last_name(base) for one in classes for each in repo.classes.ancestors(one) for base in each.node.bases
    ]
    return bool(classes) and not any(map(_ERROR.search, bases))


def is_plain_class(slot: SlotWords, name: str) -> bool:
    """Whether a name is a class of the repository that is no exception."""
    source, repo = source_of(slot.context, slot.anchor), slot.context.repo
    scopes = repo.index.scopes(source.path) if source is not None else None
    variable = scopes.variable(name, scopes.module) if scopes is not None else None
    if source is None or variable is None:
        return False
    values = repo.infer.variable(source.path, variable)
    return all(isinstance(item, ClassValue) and not repo.classes.has_foreign_base(item) for item in values)


def of_imported(slot: SlotWords, name: str) -> str:
    """The class of an imported module, where its name alone is bound nowhere: `smtplib.SMTPException`."""
    source = source_of(slot.context, slot.anchor)
    bound = slot.context.repo.index.scopes(source.path).module.bound if source is not None else ()
    if source is None or not name.isidentifier() or hasattr(builtins, name) or name in bound:
        return name
    imports = [statement for statement in source.statements if isinstance(statement, ast.Import)]
    for alias in (item for imported in imports for item in imported.names):
        for home in standard_homes().get(name, ()):
            if alias.name == home and alias.asname:
                return f"{alias.asname}.{name}"
            if not alias.asname and home in (alias.name, _BROUGHT_ALONG.get(alias.name)):
                return f"{home}.{name}"
    return name


def _by_what_is_tried(slot: SlotWords, text: str) -> list[Option]:
    """The classes that may be meant by what goes wrong where the anchor is."""
    source, node = source_of(slot.context, slot.anchor), slot.anchor.node
    if source is None or node is None:
        return []
    found = classes_of_failure(source, node, text)
    return [
        Option(one, 0.8 if not at else 0.4, (assumed(f"{text} was assumed to be {one}"),))
        for at, one in enumerate(found[:2])
    ]


def _of_module(slot: SlotWords, text: str) -> tuple[str, float] | None:
    """The class of all errors of an imported module that is named: *requests errors*."""
    words, source = re.findall(r"[\w-]+", text), source_of(slot.context, slot.anchor)
    known: dict[str, str] = phrases.table()["module_errors"]
    failing = len(words) > 1 and all(one.lower() in phrases.words("failing") for one in words[1:])
    if source is None or not failing or words[0] not in known:
        return None
    imports = (alias for one in source.statements if isinstance(one, ast.Import) for alias in one.names)
    shown = next((alias.asname or alias.name for alias in imports if alias.name == words[0]), "")
    return (f"{shown}.{known[words[0]]}", 0.95) if shown else None


def _exception(text: str) -> tuple[str, float] | None:
    spoken = class_of_words(text) if not hasattr(builtins, text) else None
    if spoken is not None:
        return spoken, 0.95
    plain = singular(plain_name(re.sub(r"\(.*\Z", "", text)))
    if re.fullmatch(r"[\w.]+", plain):
        last = plain.rpartition(".")[2]
        if hasattr(builtins, last) and "." not in plain:
            return plain, 1.0
        spelled = {
            key(item): item
            for item in dir(builtins)
            if item.endswith(("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration"))
        }
        if key(plain) in spelled:
            return spelled[key(plain)], 0.97
        if key(f"{plain}error") in spelled:
            return spelled[key(f"{plain}error")], 0.9
    found = class_of_words(plain)
    if found is not None:
        return found, 0.95
    named = plain[:1].isupper() and re.fullmatch(r"[^\W\d][\w.]*", plain)
    if _NEVER_RAISED.search(plain):
        return None
    return (plain, 0.95) if named or ("." in plain and " " not in plain) else None


_GOING_THROUGH = frozenset(("filter", "map", "zip", "enumerate", "reversed"))


@converter
def type_(slot: SlotWords) -> list[Option]:
    visible = (
        slot.context.visible(slot.anchor.path, None)
        if slot.anchor.path in slot.context.repo.index.paths
        else None
    )
    known = list(visible.module.values()) if visible is not None else []
    if visible is not None:  # a class comes before a constant that is spelled almost alike
        definitions = slot.context.source(slot.anchor.path).definitions
        known += [definition.name for definition in definitions if isinstance(definition, ast.ClassDef)]
    text = slot.span.text.strip().strip("`'\"")
    plain_none = text == "None" and slot.context.reading.intent == "annotate_return"
    if not plain_none and phrases.is_said("optional_type", text) and (wrapped := _or_none(slot)):
        return [Option(wrapped)]
    found = phrases.type_code(text, [item for item in known if item[:1].isupper()])
    if found is None or _is_no_type(found):
        return []
    return [Option(_without_repeats(found))]


def _is_no_type(name: str) -> bool:
    """Whether a name is that of a builtin of which nothing is said to be."""
    own = getattr(builtins, name, None)
    return name in _GOING_THROUGH or (callable(own) and not isinstance(own, type))


def _without_repeats(code: str) -> str:
    """A union without what it says twice: `Optional[str] | str | None`, of two ways to write one type."""
    parts, found = [parsed(code)], []
    while parts:
        part = parts.pop(0)
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            parts[:0] = [part.left, part.right]
        elif isinstance(part, ast.Subscript) and last_name(part.value) == "Optional":
            parts[:0] = [part.slice, ast.Constant(None)]
        elif part is not None:
            found.append(ast.unparse(part))
    return code if len(found) == len(set(found)) else " | ".join(dict.fromkeys(found))


def _or_none(slot: SlotWords) -> str:
    """The annotation that stands there, or None: as the file writes that."""
    node, source = slot.anchor.node, source_of(slot.context, slot.anchor)
    if isinstance(node, Function) and slot.context.has("parameter"):
        name = slot.context.text("parameter").strip("`'\"")
        node = next((parameter for parameter in parameters(node) if parameter.arg == name), None)
    written = node.returns if isinstance(node, Function) else getattr(node, "annotation", None)
    text = source.segment(written) if source is not None and written is not None else ""
    if source is None or not text or "None" in text or text.startswith("Optional["):
        return ""
    imported = re.search(r"^from typing import .*\bOptional\b", source.text, re.MULTILINE)
    return f"Optional[{text}]" if imported else f"{text} | None"


@converter
def decorator(slot: SlotWords) -> list[Option]:
    text = slot.span.text.strip().strip("`'\"").removeprefix("@")
    text = phrases.without_articles(text).removeprefix("@") if parsed(text) is None else text
    text = re.sub(r"\s+decorator\Z", "", text)
    text = phrases.lookup("decorators", text) or text
    behind = slot.context.situation.instruction[slot.span.end :]
    brackets = re.match(r"\([^()]*\)", behind) if "(" not in text else None
    text = _as_mark(slot, text)
    text += brackets[0] if brackets else _wrapped(slot, text)
    if text.startswith(("self.", "cls.")):
        return []  # the body of a class knows no object
    return [Option(text)] if isinstance(parsed(text), ast.Name | ast.Attribute | ast.Call) else []


def _as_mark(slot: SlotWords, text: str) -> str:
    """A mark of pytest for a test that is to have it: `pytest.mark.skip`, and others where *mark* is said."""
    node, source = slot.anchor.node, source_of(slot.context, slot.anchor)
    said = "mark" in re.findall(r"\w+", slot.context.beside_slots().lower())
    known = text.partition("(")[0] in _MARKS or (said and text.isidentifier())
    is_test = isinstance(node, Definition) and node.name.lower().startswith("test")
    bound = slot.context.repo.index.scopes(source.path).module.bound if source is not None else set()
    return f"pytest.mark.{text}" if known and is_test and text not in bound else text


def _wrapped(slot: SlotWords, text: str) -> str:
    """What `wraps` is given: the function that the decorated one calls, a parameter of the one around it."""
    node, source = slot.anchor.node, source_of(slot.context, slot.anchor)
    outer = source.function_of(node) if source is not None and isinstance(node, Function) else None
    if text.rpartition(".")[2] != "wraps" or outer is None or node is None:
        return ""
    called = {inner.func.id for inner in find_nodes(node, ast.Call) if isinstance(inner.func, ast.Name)}
    names = [parameter.arg for parameter in parameters(outer) if parameter.arg in called]
    return f"({names[0]})" if len(names) == 1 else ""


@converter
def base(slot: SlotWords) -> list[Option]:
    """A class by its name, in quotes or not. One that is unknown and is to inherit is no base."""
    if spoken := _class_in_words(slot):
        return [Option(of_imported(slot, spoken))]
    found = decorator(slot)
    name, known = found[0].text if found else "", slot.context.names
    if name.isidentifier() and _is_to_inherit(slot) and not (known.find(name) or hasattr(builtins, name)):
        raise Unresolved(f"there is no class {name}")
    return found


def _class_in_words(slot: SlotWords) -> str:
    """The class that a word stands for, of the repository or of Python: *an enum*, *an exception*."""
    text = phrases.without_articles(slot.span.text.strip())
    if slot.span.quoted or not text.islower():
        return ""
    if found := [item.target.name for item in slot.context.names.find(text, CLASS) if not item.doubts]:
        return found[0]
    if text in phrases.words("failing") and text != "warning":
        return "Exception"
    named = _exception(text) if text.replace(" ", "").isalpha() else None
    classes = {key(name): name for name in known_imports() if name[:1].isupper() and not name.isupper()}
    return named[0] if named is not None else {**classes, "abc": "ABC"}.get(key(text), "")


def _is_to_inherit(slot: SlotWords) -> bool:
    """Whether the reader exchanged the two classes of *Full should subclass AppError*: it has *Full* as the
    base, and the class that would change stands behind the verb."""
    text, (low, high) = slot.context.situation.instruction, (slot.span.start, slot.span.end)
    changed = slot.context.reading.slots.get("class", ())
    verb = re.compile(phrases.table()["inheriting"]["verb"], re.IGNORECASE)
    inherits = low >= 0 and verb.search(text, high) is not None and verb.search(text[:low]) is None
    return inherits and bool(changed) and changed[0].start >= high

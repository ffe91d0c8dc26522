"""Bases of classes, and classes that become dataclasses.

Comes in: orders. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.guess import guessed
from spark_tui.refactor.signatures.heads import Listed, added, head, listed, removed
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.signatures.talk import TARGET, Aim, accounted, aims, mended
from spark_tui.refactor.signatures.words import NOISE, type_of_value
from spark_tui.refactor.source import Change, Function, Source, body_behind_docstring, docstring, indent_of

_BASE_WORDS = NOISE | frozenset(
    words(
        """inherit inherits inheriting inherited base bases baseclass superclass super parent parents subclass subclasses subclassing extend extends extending derive derives derived child kind make is forgot add introduce put
        also be must should every say so from of as instead change switch replace remove drop no longer anymore inherit_from bae ancestor mixin mix gets introduce leave everything else it not bare delete needless object only implement implements"""
    )
)
_BASE = re.compile(
    r"\b(?:inherit\w*|bases?|bae|base ?class|super ?class|parents?|sub ?class\w*|extends?|extending|derive[sd]?|child|mixin|ancestors?|is a kind of|is also an?|implements?)\b|Ƒ ?\(",
    re.I,
)
_CLASS = r"`(?P<a>[A-Za-z_][\w.]*(?:\[[\w, ]+\])?)`|'(?P<b>[A-Za-z_][\w.]*)'|\"(?P<c>[A-Za-z_][\w.]*)\"|(?<![\w.])(?P<d>(?:[a-z_]\w*\.)*_*[A-Z]\w*(?:\[[\w, ]+\])?|object|object)(?!\w)"
_NO_CLASS = frozenset(
    words("class make let put add every actually we i enum-like inherit change the small btw todo please can")
)


def change_base(order: Order) -> Iterator[Edit]:
    for aim in aims(order, order.src.classes):
        text = mended(aim.text, _BASE_WORDS, order.identifiers)
        if not _BASE.search(text) or re.search(
            r"\b(?:method|attribute|rename|import|docstring|call|super\(\))\b(?! class)", text, re.I
        ):
            continue
        names = [(next(one for one in match.groups() if one), match) for match in re.finditer(_CLASS, text)]
        names = [(name, match) for name, match in names if TARGET not in name and name.lower() not in _NO_CLASS]
        assert isinstance(aim.node, ast.ClassDef)
        if re.search(rf"\b(?:from|extends?|subclass(?:es)?(?: of)?|child of) (?:the )?{TARGET}", text):
            continue  # it is the base that is meant
        edit = _based(aim, aim.node, text, names)
        if edit is not None:
            yield edit


def _based(aim: Aim, node: ast.ClassDef, text: str, names: list[tuple[str, re.Match[str]]]) -> Edit | None:
    src = aim.src
    have = [src.segment(base) for base in node.bases]
    old = [name for name, _ in names if name in have]
    new = [name for name, _ in names if name not in have]
    spare = list(dict.fromkeys(name for name, _ in names))
    off = re.search(
        r"\b(?:not|no longer|drop|remove|delete|without|no need|needless|instead of|replace|rather than|shouldn't|stop)\b",
        text,
        re.I,
    )
    pieces = _bases(src, node)
    changes: list[Change]
    if off and len(old) == 1 and len(new) == 1 and re.search(r"\b(?:instead of|replace|rather than|not)\b", text, re.I):
        span = src.span(node.bases[have.index(old[0])])
        changes = [(*span, new[0])]
    elif off and len(old) == 1 and not new and pieces is not None:
        if len(pieces.spans) == 1:
            changes = [(pieces.open - 1, pieces.close + 1, "")]
        else:
            changes = [removed(src.text, pieces, have.index(old[0]))]
    elif not off and len(new) == 1 and not old:
        if new[0].split("[")[0] == node.name:
            return None
        changes = _with_base(src, node, pieces, new[0])
    elif (
        not off
        and not names
        and (said := re.search(r"\b(enum|abc|exception|protocol|thread|error)\b", text, re.I)) is not None
    ):
        name = {
            "enum": "Enum",
            "abc": "ABC",
            "exception": "Exception",
            "protocol": "Protocol",
            "thread": "Thread",
            "error": "Exception",
        }[said[1].lower()]
        if name in have:
            return None
        changes, spare = _with_base(src, node, pieces, name), [said[1]]
        new = [name]
    else:
        return None
    return aim.edit([*imports_for(src, new), *changes], *spare, *accounted(aim.text, _BASE_WORDS))


def _name_end(src: Source, node: ast.ClassDef) -> int:
    match = re.compile(rf"class\s+{node.name}").match(src.text, src.offset(node.lineno, node.col_offset))
    return match.end() if match is not None else -1


def _bases(src: Source, node: ast.ClassDef) -> Listed | None:
    end = _name_end(src, node)
    return listed(src.text, end) if end >= 0 and src.text[end : end + 1] == "(" else None


def _with_base(src: Source, node: ast.ClassDef, pieces: Listed | None, name: str) -> list[Change]:
    if pieces is None:
        end = _name_end(src, node)
        return [(end, end, f"({name})")] if end >= 0 and src.text[end] == ":" else []
    if pieces.spans and len(node.bases) == 1 and src.segment(node.bases[0]) == "object":
        return [(*pieces.spans[0], name)] if name != "object" else []
    for base, span in zip(node.bases, pieces.spans, strict=False):
        if src.segment(base) in _ancestors(src, name):
            return [(*span, name)]
    return [added(src.text, pieces, len(node.bases), name)]


def _ancestors(src: Source, name: str) -> set[str]:
    """Classes that come with a class: beside it, a base that it has itself would be one too many."""
    known = getattr(builtins, name, None)
    out = {one.__name__ for one in known.__mro__[1:]} if isinstance(known, type) else set()
    for node in src.classes:
        if node.name == name:
            own = {src.segment(base) for base in node.bases} - {name}
            out |= own.union(*(_ancestors(src, one) for one in own if one not in out))
    return out


# -- dataclasses -----------------------------------------------------------------------------------------------------

_DATA_WORDS = NOISE | frozenset(
    words(
        """dataclass dataclasses make turn convert into use uses using put become change to with on as modernise modernize init boilerplate get rid fields field attributes attribute supposed self.x drop class
        want wants write all that x would like it be should so initializer constructor instead replace rewrite great sorry could would now"""
    )
)


def to_dataclass(order: Order) -> Iterator[Edit]:
    for aim in aims(order, order.src.classes):
        node, text = aim.node, mended(aim.text, _DATA_WORDS, order.identifiers)
        assert isinstance(node, ast.ClassDef)
        if not re.search(r"\bdata ?class\b", text, re.I) or re.search(
            r"\b(?:not|frozen|slots|field to|add a|new field|undo|remove @)\b", text, re.I
        ):
            continue
        changes = _as_dataclass(order.src, node)
        if changes is not None:
            yield aim.edit(changes, "dataclass", "data", "__init__", "@dataclass", *accounted(aim.text, _DATA_WORDS))


def _as_dataclass(src: Source, node: ast.ClassDef) -> list[Change] | None:
    if any("dataclass" in ast.unparse(one) for one in node.decorator_list):
        return None
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    module = re.search(r"^import dataclasses\b", src.text, re.M) is not None and not re.search(
        r"^from dataclasses import", src.text, re.M
    )
    name = "dataclasses.dataclass" if module else "dataclass"
    at = src.starts[src.first_line(node)]
    changes: list[Change] = [(at, at, f"{src.indent(node)}@{name}\n")]
    needs = ["dataclass"] if not module else []
    if not made:
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        return [*imports_for(src, needs), *changes] if fields else None
    lines = _fields(src, made[0], "dataclasses." if module else "")
    if lines is None or len(made) != 1 or made[0].decorator_list:
        return None
    if any("field(" in line for line in lines) and not module:
        needs.append("field")
    if any(": Any" in line for line in lines):
        needs.append("Any")
    first, last = src.first_line(made[0]), src.last_line(made[0])
    if first == src.line_at(src.span(node.body[0])[0]) and len(node.body) == 1 and not lines:
        lines = ["pass"]
    indent = indent_of(src.lines[first])
    changes.append((*src.line_span(first, last), "".join(f"{indent}{line}\n" for line in lines)))
    return [*imports_for(src, needs), *changes]


def _fields(src: Source, made: Function, module: str) -> list[str] | None:
    """The lines of the fields, in the order of the parameters; None where `__init__` does more than keep them."""
    of = head(src, made)
    if of is None or any(item.kind in ("args", "kwargs") for item in of.items):
        return None
    kept: dict[str, str] = {}
    hints: dict[str, str] = {}
    for one in body_behind_docstring(made):
        target = (
            one.targets[0]
            if isinstance(one, ast.Assign) and len(one.targets) == 1
            else one.target
            if isinstance(one, ast.AnnAssign)
            else None
        )
        value = one.value if isinstance(one, ast.Assign | ast.AnnAssign) else None
        own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        if not own or not isinstance(value, ast.Name) or value.id in kept:
            return None
        assert isinstance(target, ast.Attribute)
        if target.attr != value.id:
            return None
        kept[value.id] = target.attr
        if isinstance(one, ast.AnnAssign):
            hints[value.id] = src.segment(one.annotation)
    items = [item for item in of.items[1:] if item.arg is not None]
    if (
        sorted(kept) != sorted(item.name for item in items)
        or docstring(made) is not None
        or len(items) + 1 != len(of.items)
    ):
        return None
    types = guessed(src, of)
    lines = []
    for item in items:
        assert item.arg is not None
        default = src.segment(item.default) if item.default is not None else None
        hint = src.segment(item.arg.annotation) if item.arg.annotation is not None else hints.get(item.name)
        hint = (
            hint
            or {"[]": "list", "{}": "dict", "set()": "set"}.get(default or "")
            or (type_of_value(default) if default else None)
            or types.get(item.name)
            or "Any"
        )
        empty = {"[]": "list", "{}": "dict", "set()": "set"}.get(default or "")
        text = f" = {module}field(default_factory={empty})" if empty else f" = {default}" if default is not None else ""
        lines.append(f"{item.name}: {hint}{text}")
    return lines


_OPTION_WORDS = NOISE | frozenset(
    words(
        "dataclass dataclasses make should be frozen immutable slots slotted kw_only keyword only order orderable ordered comparable sortable with use using it set add turn on hashable read readonly"
    )
)
_OPTIONS = (
    (r"\bfrozen\b|\bimmutable\b|\bread-?only\b", "frozen"),
    (r"\bslots\b|\bslotted\b", "slots"),
    (r"\bkw_only\b|\bkeyword[- ]only\b", "kw_only"),
    (r"\border=True\b|\borderable\b|\bsortable\b", "order"),
)


def dataclass_option(order: Order) -> Iterator[Edit]:
    def fits(node: ast.AST) -> bool:
        return any("dataclass" in ast.unparse(one) for one in getattr(node, "decorator_list", []))

    for aim in aims(order, order.src.classes, fits):
        text = mended(aim.text, _OPTION_WORDS, order.identifiers)
        found = [name for pattern, name in _OPTIONS if re.search(pattern, text, re.I)]
        if len(found) != 1 or re.search(r"\b(?:not|no|remove|without|drop|field|attribute|un\w+)\b", text, re.I):
            continue
        decorator = next(one for one in aim.node.decorator_list if "dataclass" in ast.unparse(one))
        end = aim.src.span(decorator)[1]
        if isinstance(decorator, ast.Call):
            if any(word.arg == found[0] for word in decorator.keywords):
                continue
            pieces = listed(aim.src.text, aim.src.span(decorator.func)[1])
            if pieces is None:
                continue
            change = added(aim.src.text, pieces, len(pieces.spans), f"{found[0]}=True")
        else:
            change = (end, end, f"({found[0]}=True)")
        yield aim.edit([change], *accounted(text, _OPTION_WORDS), "true", found[0])


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"inherit|\bbas?e|bae\b|super ?class|parent|sub ?class|extend|derive|child|mixin|ancestor|kind of|also an?|implement|class \w+ ?\(",
            re.I,
        ),
        change_base,
    ),
    Rule(re.compile(r"data ?cla", re.I), to_dataclass),
    Rule(
        re.compile(r"frozen|immutable|slots|kw_only|keyword[- ]only|order|sortable|read-?only", re.I), dataclass_option
    ),
)

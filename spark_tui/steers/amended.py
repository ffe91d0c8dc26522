"""What an answer brought, made as a further remark wants it: with a default, of a type, as a property, with a code.

Comes in: the text in which an answer stands, one clause of a message. Goes out: the text that is wanted. Must not know:
engines, ids, what was asked at first.

A rule is asked where its form is the whole clause. It looks only at what the answer brought, and does nothing where
there is not exactly one place that may be meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.refactor.source import Change, Function, parameters
from spark_tui.steers import amended_items, amended_ways
from spark_tui.steers.amended_items import VALUE, value
from spark_tui.steers.stands import Stands, one

Rule = Callable[[Stands, re.Match[str]], Iterator[str]]
_TYPE = r"(?:[a-z]\w*\.)?(?:int|str|float|bool|bytes|list|dict|set|tuple|Path|Decimal|datetime|date|Any|object|string|integer|boolean|[A-Z]\w+)(?:\[[\w, .\[\]|]+\])?(?: \| \w+)*"
_TYPES = {"string": "str", "integer": "int", "boolean": "bool"}
_LEAD = r"(?:and |with |also |but |please |make (?:it|that) |it should (?:have|be|get) |give it |it(?:'s| is) |has |having |let it (?:have|be) )*"
_OWN = r"(?:(?P<who>(?!(?:an?|the|of|with|and|type|as|to)\b)`?\w+`?) (?:should (?:have|get|be) |gets |has |is |with |needs )?)?"


def amended(text: Stands, clause: str) -> str | None:
    """The text that is wanted, where one rule says which."""
    if text.src.tree is None:
        return None
    found: list[str] = []
    for form, rule in (*RULES, *amended_items.RULES, *amended_ways.RULES):
        match = form.fullmatch(clause)
        if match is not None:
            found += [made for made in rule(text, match) if made != text.src.text and text.holds(made)]
    return found[0] if len(set(found)) == 1 else None


# -- parameters and fields -------------------------------------------------------------------------------------------


def _default(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*with a default of 5*, *default 5*, *int, default 5*, *5 by default*, *defaulting to None*."""
    said = match.groupdict()
    annotation = _TYPES.get(said.get("t") or "", said.get("t") or "")
    default = value(said["v"]) if said.get("v") else ""
    yield from _declared(text, (said.get("who") or "").strip("`"), annotation, default)


def _declared(text: Stands, who: str, annotation: str, default: str) -> Iterator[str]:
    src = text.src
    added = [(node, arg) for node, arg in text.added if not who or arg.arg == who]
    fields = [
        node
        for node in text.new(ast.AnnAssign)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id in (who or node.target.id)
    ]
    if len(added) == 1:
        node, arg = added[0]
        changes = _with_default(text, node, arg, annotation, default)
        if changes is not None:
            yield text.changed(changes)
    elif not added and len(fields) == 1 and isinstance(fields[0], ast.AnnAssign):
        field = fields[0]
        out = src.segment(field.target) + ": " + (annotation or src.segment(field.annotation))
        out += f" = {default}" if default else f" = {src.segment(field.value)}" if field.value is not None else ""
        block = src.block(field)
        behind = [
            other
            for other in block[block.index(field) + 1 :]
            if isinstance(other, ast.AnnAssign) and other.value is None
        ]
        if default and behind:
            low, high = src.line_span(src.first_line(field), src.last_line(field))
            end = src.line_span(src.first_line(behind[-1]), src.last_line(behind[-1]))[1]
            yield text.changed([(low, high, ""), (end, end, f"{src.indent(field)}{out}\n")])
        else:
            yield text.changed([(*src.span(field), out)])


def _with_default(text: Stands, node: Function, arg: ast.arg, annotation: str, default: str) -> list[Change] | None:
    src, spec = text.src, node.args
    placed = [*spec.posonlyargs, *spec.args]
    defaults: dict[ast.arg, ast.expr] = dict(
        zip(placed[len(placed) - len(spec.defaults) :], spec.defaults, strict=True)
    )
    defaults |= {one: two for one, two in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if two is not None}
    if arg in (spec.vararg, spec.kwarg):
        return None
    start, end = src.span(arg)
    typed = annotation or (src.segment(arg.annotation) if arg.annotation is not None else "")
    stood = defaults.get(arg)
    given = default or (src.segment(stood) if stood is not None else "")
    if stood is not None:
        end = src.span(stood)[1]
    made = arg.arg + (f": {typed}" if typed else "")
    made += (f" = {given}" if typed else f"={given}") if given else ""
    if given and arg in placed:
        needed = [one for one in placed[placed.index(arg) + 1 :] if one not in defaults]
        if needed:
            # Behind those that have to be given.
            after = src.span(needed[-1])[1]
            follows = src.span(placed[placed.index(arg) + 1])[0]
            return [(start, follows, ""), (after, after, f", {made}")]
    return [(start, end, made)]


# -- definitions -----------------------------------------------------------------------------------------------------


def _decorated(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*as a property*, *make it a static method*."""
    name = re.sub(r"[ -]", "", match["d"].lower())
    if name not in ("property", "staticmethod", "classmethod"):
        return
    named = [node for node in text.src.functions if node.name in match.string and text.src.class_of(node) is not None]
    node = one(named or [made for made in text.made if text.src.class_of(made) is not None])
    if not isinstance(node, Function) or node.decorator_list:
        return
    own = node.args.args[0] if node.args.args else None
    if (name == "property" and (parameters(node) or own is None)) or own is None or own.arg != "self":
        return
    changes: list[Change] = []
    at = text.src.line_span(text.src.first_line(node), text.src.last_line(node))[0]
    changes.append((at, at, f"{text.src.indent(node)}@{name}\n"))
    uses = any(isinstance(item, ast.Name) and item.id == "self" for item in ast.walk(node))
    if name != "property":
        if uses:
            return
        low, high = text.src.span(own)
        if name == "classmethod":
            changes.append((low, high, "cls"))
        else:
            placed = [*node.args.posonlyargs, *node.args.args]
            follows = text.src.span(placed[1])[0] if len(placed) > 1 else high
            changes.append((low, follows, ""))
    else:
        for call in text.src.nodes:
            # Where it is called it is read from now on.
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == node.name:
                if call.args or call.keywords:
                    return
                changes.append((text.src.span(call.func)[1], text.src.span(call)[1], ""))
    yield text.changed(changes)


# -- calls and elements ----------------------------------------------------------------------------------------------


def _without(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*without the sorting*: a keyword of a call whose name is said in another form."""
    word = match["w"].lower()
    stem = re.sub(r"(?:ing|ed|ation|s|e)$", "", word)
    if len(stem) < 3:
        return
    found = []
    for node in text.src.nodes:
        if isinstance(node, ast.Call):
            given = [*node.args, *node.keywords]
            for item in node.keywords:
                if item.arg and any(part.startswith(stem) for part in item.arg.lower().split("_")):
                    low, high = text.src.offset(item.lineno, item.col_offset), text.src.span(item.value)[1]
                    if any(start < high and low < end for start, end in text.spans):
                        found.append((node, given.index(item), low, high))
    if len(found) != 1:
        return
    node, at, low, high = found[0]
    if at:
        before = [*node.args, *node.keywords][at - 1]
        low = text.src.span(before.value if isinstance(before, ast.keyword) else before)[1]
    yield text.changed([(low, high, "")])


def _form(form: str) -> re.Pattern[str]:
    return re.compile(form, re.I)


def _keyword_only(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*keyword only*: the parameter that was added last."""
    if len(text.added) != 1:
        return
    node, arg = text.added[0]
    spec = node.args
    if arg in spec.args and spec.args[-1] is arg and spec.vararg is None and not spec.kwonlyargs:
        at = text.src.span(arg)[0]
        yield text.changed([(at, at, "*, ")])


RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_form(r"(?:as |make (?:it|that) |it should be |should be |but )*(?:an? )?keyword[- ]only(?: (?:argument|parameter|arg))?"), _keyword_only),
    (_form(rf"{_LEAD}{_OWN}(?:an? |of |type |as (?:an? )?)*(?-i:(?P<t>{_TYPE}))?(?:,| and| with|, with)? ?(?:an? |the )?defaults?(?:ing)?(?: value)?(?: of| to| is| stays| should be| should stay| remains| as|:| =|=)? ?(?P<v>{VALUE})"), _default),
    (_form(rf"{_LEAD}(?P<v>{VALUE}) (?:by default|as (?:the |a |its )?default(?: value)?)"), _default),
    (_form(rf"{_LEAD}(?:of type |type |typed as |annotated as |as )?(?:an? )?(?-i:(?P<t>{_TYPE}))(?: type| hint)?"), _default),
    (_form(r"(?:and |but |please )*(?:(?:make|turn) (?:it|that|this|`?\w+`?) (?:into )?|as |it should be |should be |with )?(?:an? )?@?(?P<d>property|static ?method|class ?method)(?: decorator| though)?"), _decorated),
    (_form(r"(?:but |and )*(?:without|no|not|drop|remove|skip|leave out)(?: the| any)? (?P<w>[a-z]+)"), _without),
)  # fmt: skip

"""What *unknown* is: *unknown items*, *if the user doesn't exist*, *no product in the data*, as a test.

Comes in: a phrase and a function. Goes out: the condition, where the code shows by what a thing is known. Must not know:
orders, what is done then.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.conditions import Condition
from spark_tui.refactor.naming import parts, singular
from spark_tui.refactor.source import Function, Source, parameters

_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        r"^(?:(?:if|when|for|on|with|in case of|the|an?|any|all|there is|there's)\s+)*(?:unknown|no such|non-?existing|nonexistent|unrecogni[sz]ed|missing|undefined|invalid|wrong)\s+(?P<a>[a-z_]+(?: [a-z_]+)?)$",
        r"^(?:(?:if|when|whenever|in case|that|the|an?|there is|such|requested|given)\s+)*(?P<a>[a-z_]+(?: id| name)?)\s+(?:is|are|was|were|does|do|did|could|can|has)?\s*(?:not|n't|n’t)?(?:isn'?t|isnt|doesn'?t|doesnt|wasn'?t|couldn'?t be|not be|been)?\s*(?:be )?(?:exists?|found(?: there)?|known|unknown|missing|there|in (?:the )?(?P<b>[a-z_]+)|missing (?:from|in) (?:the )?(?P<c>[a-z_]+))$",
        r"^(?:(?:if|when|whenever|in case)\s+)?(?:there(?: is|'s| was)? )?no(?: such)? (?P<a>[a-z_]+)(?: (?:is|was) (?:found|given|sent|there|in (?:the )?(?P<b>[a-z_]+)))?(?: (?:in|with) (?:the )?(?P<c>[a-z_]+|that \w+))?$",
    )
)
_LOOKS_UP = re.compile(r"(?:^|[._])(?:get|find|first|fetchone|lookup|search|one_or_none|match|pick)\w*$|^(?:get|find|lookup|load|search)_?\w*$")  # fmt: skip


def unknown(src: Source, function: Function, phrase: str) -> Condition | None:
    """The test for a thing that is not known; None where the code does not show by what it would be."""
    text = re.sub(r"\s+", " ", phrase).strip(" ,;:.?!")
    for form in _FORMS:
        match = form.match(text)
        if match is None or not re.search(
            r"\b(?:no|not|nobody|nothing|un\w+|missing|non\w*|invalid|wrong|undefined)\b|n't\b|nt\b", text, re.I
        ):
            continue
        noun = singular(match["a"].lower())
        if re.fullmatch(r"(?:nobody|nothing|no-?one|one|such)", noun):
            return _not_found(src, function, None)
        said = next((one for key, one in match.groupdict().items() if key in "bc" and one), None)
        if said is not None:
            return _no_key(function, noun, said)
        found = _not_found(src, function, noun)
        if re.search(r"\bmissing|\bno\b|\bgiven|\bsent", text, re.I):
            found = found or _no_key(function, noun)
        return found or _not_in(src, function, noun) or _no_key(function, noun)
    return None


def _fits(name: str, noun: str) -> bool:
    own = [singular(part) for part in parts(name)]
    return own == noun.split() or noun.replace(" ", "_") == name or (own[:1] == [noun] and own[1:] in (["id"], ["name"], ["key"], ["code"], ["index"]))  # fmt: skip


def _not_found(src: Source, function: Function, noun: str | None) -> Condition | None:
    """What was looked up and may be None."""
    made = [
        one
        for one in ast.walk(function)
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Name)
        and (noun is None or _fits(one.targets[0].id, noun))
        and isinstance(one.value, ast.Call)
        and _LOOKS_UP.search(ast.unparse(one.value.func))
        and not (ast.unparse(one.value.func).endswith(".get") and len(one.value.args) > 1)
        and not re.search(r"^(?:request|requests|session|http)\w*\.|get_json$", ast.unparse(one.value.func))
    ]
    if len(made) != 1:
        return None
    name = ast.unparse(made[0].targets[0])
    return Condition(f"{name} is None", name, "must not be None") if src.function_of(made[0]) is function else None


def _not_in(src: Source, function: Function, noun: str) -> Condition | None:
    """What is looked up in something that the function, or else the file, names."""
    bound = {one.arg for one in parameters(function)}
    bound |= {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names = [name for name in bound if _fits(name, noun)]
    if len(names) != 1:
        return None
    full = {
        target.id
        for one in (src.tree.body if src.tree else [])
        if isinstance(one, ast.Assign)
        and ((isinstance(one.value, ast.Dict) and one.value.keys) or (isinstance(one.value, ast.Set | ast.List | ast.Tuple) and one.value.elts))
        for target in one.targets
        if isinstance(target, ast.Name)
    }  # fmt: skip
    here = _looked_up(function, names[0], ast.Load)
    found = here & full or {one for node in src.functions for one in _looked_up(node, names[0], ast.Load)} & full
    found = found or here | _looked_up(function, names[0], ast.Del)
    if len(found) != 1:
        return None
    return Condition(f"{names[0]} not in {found.pop()}", names[0], "is unknown")


def _looked_up(function: Function, name: str, context: type[ast.expr_context]) -> set[str]:
    """In what a function looks a name up."""
    return {
        ast.unparse(one.value)
        for one in ast.walk(function)
        if isinstance(one, ast.Subscript)
        and isinstance(one.ctx, context)
        and ast.unparse(one.slice) == name
        and isinstance(one.value, ast.Name | ast.Attribute)
    }


def _no_key(function: Function, noun: str, whose: str | None = None) -> Condition | None:
    """A key that the function takes for granted."""
    plain = {one.arg for one in parameters(function)}
    plain |= {ast.unparse(one.targets[0]) for one in ast.walk(function) if isinstance(one, ast.Assign)}
    found = {
        (ast.unparse(one.value), one.slice.value)
        for one in ast.walk(function)
        if isinstance(one, ast.Subscript)
        and isinstance(one.ctx, ast.Load)
        and isinstance(one.slice, ast.Constant)
        and isinstance(one.slice.value, str)
        and isinstance(one.value, ast.Name)
        and one.value.id in plain
        and whose in (None, one.value.id)
        and singular(one.slice.value.lower()) == noun
    }
    if len(found) != 1:
        return None
    of, key = found.pop()
    return Condition(f'"{key}" not in {of}', of, f"has no {key}")

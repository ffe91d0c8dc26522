"""Conditions as people say them, as code: *amount is negative*, *an empty cart*, *not already in seen*.

Comes in: a phrase, and the names that can be meant. Goes out: the test, and what its opposite demands in words. Must not
know: orders, what is done when it holds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from spark_tui.refactor.naming import Naming, expression
from spark_tui.refactor.predicates import LESS, MORE, oppose, told

CONNECTIVE = re.compile(
    r"^(?:(?:only|right away|early|immediately|always|directly|and|or|then|but)\s+)*(?:if|when|whenever|whenver|where|wherever|while|unless|should|once|as soon as|in case(?: of)?|in the case (?:of|that)|for the case (?:of|that)|on|for|against|with|given|that|which|whose|who|cause|because|until|after checking (?:that|if|whether))\s+",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Condition:
    """`test` is code; `subject` the expression that it is about; `demand` what would have to hold instead, said of the
    subject (*must not be empty*); `needs` a module that the code uses."""

    test: str
    subject: str
    demand: str
    needs: str = ""

    @property
    def message(self) -> str:
        """What to tell who breaks it."""
        return f"{self.subject} {self.demand}"


_BARE = (
    (re.compile(r"^(?:negative)\s+(?P<s>.+)$", re.I), "is negative"),
    (re.compile(r"^(?:non[- ]?positive)\s+(?P<s>.+)$", re.I), "is not positive"),
    (re.compile(r"^(?:zero or negative|negative or zero)\s+(?P<s>.+)$", re.I), "is zero or less"),
    (re.compile(r"^(?:zero|0)\s+(?P<s>.+)$", re.I), "is zero"),
    (re.compile(r"^(?:None|null|missing|absent|unset|undefined)\s+(?P<s>.+)$", re.I), "is missing"),
    (re.compile(r"^(?:empty)\s+(?P<s>.+)$", re.I), "is empty"),
    (re.compile(r"^(?:empty or (?:None|missing)|(?:None|missing) or empty)\s+(?P<s>.+)$", re.I), "is empty"),
    (re.compile(r"^(?:blank|whitespace[- ]only)\s+(?P<s>.+)$", re.I), "is blank"),
    (re.compile(r"^(?:odd)\s+(?P<s>.+)$", re.I), "is odd"),
    (re.compile(r"^(?:even)\s+(?P<s>.+)$", re.I), "is even"),
    (re.compile(r"^non[- ](?P<v>\w+)\s+(?P<s>.+)$", re.I), "is not a {v}"),
    (re.compile(r"^(?:no|without(?: an?| any)?)\s+(?P<s>[\w .`'\"]+)$", re.I), "is empty"),
    (re.compile(r"^(?:None|null)\s+(?:as|for)\s+(?P<s>.+)$", re.I), "is None"),
    (re.compile(r"^zero\s+(?:as|for)\s+(?P<s>.+)$", re.I), "is zero"),
)
_SPLIT = re.compile(r"\s+(or|and|nor|&&|\|\|)\s+", re.I)
_N_T = re.compile(r"\b(is|are|was|were|does|do|did|has|have|ca|can|wo)n['’]?t\b", re.I)
_LEAD = re.compile(
    r"^(?:(?:early|right away|immediately|straight away|directly|at once|already|only|also|then|just|the case|of|that|somebody (?:passes|gives)|someone (?:passes|gives)|you (?:pass|give)|(?:it|we) (?:gets?|is given|are given)|(?:called|invoked|given|passed) with)\s+)+",
    re.I,
)

_MOST_WORDS = 40
_MOST_JOINED = 5
"""Every way to part a condition is tried, and every way to part what is behind it."""


def condition(phrase: str, naming: Naming, subject: str | None = None) -> Condition | None:
    """What a whole phrase says; None where any of it is not understood. `subject` is meant where none is said."""
    text = re.sub(r"\s+", " ", phrase).strip(" ,;:.?!")
    text = _N_T.sub(lambda match: f"{match[1]} not", text)
    if re.match(r"^not\s+(?!in\b)", text, re.I) and (bare := naming.thing(text[4:])):
        return Condition(f"not {bare}", bare, "must be set")
    negated = bool(re.match(r"^unless\s", text, re.I))
    for _ in range(4):
        text = CONNECTIVE.sub("", text)
        text = _LEAD.sub("", text)
    if not text or text.count(" ") > _MOST_WORDS:
        return None
    found = _one(text, naming) if expression(text) is None or "`" in phrase else _joined(text, naming)
    found = found or _joined(text, naming) or _one(text, naming)
    if found is None and subject is not None:
        found = _about(subject, re.sub(r"^(?:it|they)\s+", "", text), naming)
    if found is not None and negated:
        test = oppose(found.test)
        tree = expression(test)
        demand = _of_code(test, tree).demand if tree is not None else "is invalid"
        return Condition(test, found.subject, demand, found.needs)
    return found


def _one(text: str, naming: Naming) -> Condition | None:
    code = naming.code(text)
    tree = expression(code) if code else None
    odd = isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is | ast.IsNot)
    odd = odd and isinstance(getattr(tree, "comparators", [None])[0], ast.Constant) and "None" not in text
    named = tree is not None and not odd and any(isinstance(node, ast.Name) for node in ast.walk(tree))
    if code and tree is not None and named and not isinstance(tree, ast.Tuple | ast.List | ast.Dict):
        return _of_code(code, tree)
    if text.startswith("not ") and (bare := naming.thing(text[4:])):
        return Condition(f"not {bare}", bare, "must be set")
    said = _said(text, naming)
    if said is not None:
        return said
    bare = re.sub(r"^(?:(?:there (?:is|are|was|were)|an?|the|any|all|every|your|its)\s+)+", "", text, flags=re.I)
    for pattern, predicate in _BARE:
        match = pattern.match(bare)
        if match is not None and (s := naming.thing(match["s"])) is not None:
            return _about(
                s, predicate.format(**{key: one for key, one in match.groupdict().items() if key != "s"}), naming
            )
    being = re.match(
        r"^(?:it|its|it['’]s|it is|we are|we['’]re|this is)\s+(?P<no>not\s+)?(?:already\s+|still\s+)?(?P<s>\w+)$",
        text,
        re.I,
    )
    if being is not None and (state := naming.thing(being["s"])) is not None:
        return Condition(f"not {state}" if being["no"] else state, state, "must not be set")
    thing = naming.thing(text)
    return Condition(thing, thing, "must not be set") if thing else None


def _said(text: str, naming: Naming) -> Condition | None:
    """Subject and predicate: the longest subject that is a thing."""
    cuts = [match.start() for match in re.finditer(r"\s|(?=['’]s\s)", text)]
    for cut in reversed(cuts):
        s = naming.thing(text[:cut])
        if s is not None and (found := _about(s, text[cut:].strip(), naming)):
            return found
    return None


def _about(s: str, predicate: str, naming: Naming) -> Condition | None:
    found = told(s, predicate, naming)
    return Condition(found[0], s, found[1], found[2]) if found else None


def _joined(text: str, naming: Naming) -> Condition | None:
    """*x or y is None*, *x is None or negative*, *x is None and y is empty*."""
    splits = list(_SPLIT.finditer(text))
    for match in splits if len(splits) <= _MOST_JOINED else ():
        word = "and" if match[1].lower() in ("and", "&&") else "or"
        left, right = text[: match.start()], text[match.end() :]
        first, second = (
            _one(re.sub(r"^(?:either|both|neither)\s+", "", left), naming),
            _one(right, naming) or _joined(right, naming),
        )
        if second is not None and (thing := naming.thing(re.sub(r"^(?:either|both)\s+", "", left))):
            predicate = _tail(right, naming)
            first = (_about(thing, predicate, naming) if predicate else None) or first
        elif first is not None and second is None:
            second = _about(first.subject, right, naming)
        if first is not None and second is not None and first.test != second.test:
            one, two = (re.fullmatch(rf"{re.escape(first.subject)} == (.+)", each.test) for each in (first, second))
            if one is not None and two is not None and word == "or":
                return Condition(
                    f"{first.subject} in ({one[1]}, {two[1]})",
                    first.subject,
                    f"must not be one of {one[1]}, {two[1]}".replace('"', "'"),
                )
            demand = (
                first.demand
                if first.demand == second.demand
                else f"{first.demand} or {second.demand.removeprefix('must ')}"
            )
            demand = demand.replace("must not be None or not be ", "must not be None or ")
            subject = first.subject if first.subject == second.subject else f"{first.subject} and {second.subject}"
            return Condition(f"{first.test} {word} {second.test}", subject, demand, first.needs or second.needs)
    return None


def _tail(text: str, naming: Naming) -> str:
    """The predicate of a phrase that has a subject."""
    for cut in reversed([match.start() for match in re.finditer(r"\s", text)]):
        s = naming.thing(text[:cut])
        if s is not None and _about(s, text[cut:].strip(), naming):
            return text[cut:].strip()
    return ""


def _of_code(code: str, tree: ast.expr) -> Condition:
    """A demand for a test that was given as code."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        inner = tree.operand
        if isinstance(inner, ast.Compare) and len(inner.ops) == 2:
            low, high = ast.unparse(inner.left), ast.unparse(inner.comparators[1])
            return Condition(code, ast.unparse(inner.comparators[0]), f"must be between {low} and {high}")
        if (
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == "isinstance"
            and len(inner.args) == 2
        ):
            kind = ast.unparse(inner.args[1])
            return Condition(
                code, ast.unparse(inner.args[0]), f"must be {'an' if kind[:1].lower() in 'aeio' else 'a'} {kind}"
            )
        return Condition(code, ast.unparse(inner), "must not be empty")
    if isinstance(tree, ast.Compare) and len(tree.ops) == 2:
        low, high = ast.unparse(tree.left), ast.unparse(tree.comparators[1])
        return Condition(code, ast.unparse(tree.comparators[0]), f"must not be between {low} and {high}")
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
        demands: Iterable[tuple[type[ast.cmpop], str]] = (
            (ast.LtE, "must be positive" if right == "0" else f"must be more than {right}"),
            (ast.Lt, "must not be negative" if right == "0" else LESS.format(v=right)),
            (ast.Gt, MORE.format(v=right)), (ast.GtE, f"must be less than {right}"),
            (ast.Is, f"must not be {right}"), (ast.Eq, f"must not be {right}"), (ast.NotEq, f"must be {right}"),
            (ast.NotIn, f"must be in {right}"), (ast.In, f"must not be in {right}"), (ast.IsNot, f"must be {right}"),
        )  # fmt: skip
        return Condition(code, left, dict(demands).get(type(tree.ops[0]), "is invalid").replace('"', "'"))
    return Condition(code, code.replace('"', "'"), "must not hold")

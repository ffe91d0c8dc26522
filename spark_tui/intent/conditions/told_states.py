"""States that the code has a name for: *the cart is empty* beside a method `is_empty`, *the order is shipped*
where `SHIPPED` is what its state is set to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions.condition_words import opposite_states
from spark_tui.intent.conditions.worded import without_copula
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import is_said, without_articles, words
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import called_name, decorator_names, last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import identifier_words, word_set

_ASKING = ("is_{}", "has_{}", "{}", "_{}", "_is_{}")
_OPPOSITE = re.compile(r"(?:in|un|non)(?=\w{4})")
"""The beginning of a word for the opposite: *inactive*."""
_NEVER = ("never", "nie", "niemals", "jamais", "nunca")
_HOLDING = ("append", "add", "remove", "discard", "index", "count")
"""Methods of collections that are given one of their items."""
_PROPERTIES = ("property", "cached_property")
_NO_ITEMS = re.compile(
    r"(?:there (?:is|are)|it has|holds|has)? ?(?:no|not any) (items?|elements?|entry|entries|values?|things?)"
    r"(?: (?:left|at all|there|yet|in it))?",
    re.IGNORECASE,
)
_COLLECTIONS = word_set(
    "list dict set tuple frozenset deque OrderedDict defaultdict Counter UserList UserDict"
    " List Dict Set Tuple MutableSequence MutableMapping MutableSet Sequence Mapping"
)
_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_OTHER = re.compile(
    r"(?:\w+\sis\s)?(?:(?:any\s)?(?:other|different|foreign|another)|not\s(?:of\s)?(?:the\s)?(?:same|its))\s"
    r"(?:types?|class(?:es)?|objects?)",
    re.IGNORECASE,
)
_OPENING = ("open", "fdopen")
_LAST = re.compile(r"\s+(?:already|yet|now|anymore)\Z", re.IGNORECASE)
_SAID = re.compile(r"(?P<front>\S.*)\s(?P<state>[^\W\d_]\w+)", re.DOTALL)


def find_state(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """The test for an object being in a state that its class can tell by that name."""
    text = _LAST.sub("", span.text.strip().strip("`").rstrip(".,;!?"))
    if test := _of_other_class(context, text, anchor):
        return [Option(test)]
    said = _without_items(context, text, anchor) or _said(text)
    if said is None or anchor.path not in context.repo.index.paths or anchor.node is None:
        return []
    subject, state, negated = said
    own = context.visible(anchor.path, anchor.node).inner.get(key(state), "self.")
    if not subject and not own.startswith("self."):
        return []  # a parameter or local of that name is meant, no state of the object
    for holder, owner, doubts in _holders(context, anchor, subject):
        code = _asked(context, holder, owner, state, anchor)
        if not code and (opposite := _OPPOSITE.match(state)):
            code = _asked(context, holder, owner, state[opposite.end() :], anchor)
            negated = negated != bool(code)
        if not code:
            others = sorted(opposite_states(state))
            code = next(filter(None, (_asked(context, holder, owner, one, anchor) for one in others)), "")
            negated = negated != bool(code)
        if code:
            return [Option(negate_code(code) if negated else code, 1.0, doubts)]
        compared = _compared(context, anchor, owner, state)
        if compared:
            sign = "!=" if negated else "=="
            return [Option(f"{holder}.{compared[0]} {sign} {compared[1]}", 1.0, doubts)]
    test = _in_collection(context, anchor, subject, state) or _of_file(context, anchor, subject, state)
    return [Option(negate_code(test) if negated else test)] if test else []


def _of_other_class(context: Context, text: str, anchor: Anchor) -> str:
    """That what an object is compared with is of another class: *for other types*."""
    node = anchor.node
    owner = context.source(anchor.path).class_of(node) if isinstance(node, Function) else None
    given = [item.arg for item in parameters(node)][1:] if isinstance(node, Function) else []
    compares = isinstance(node, Function) and node.name in _COMPARING and len(given) == 1
    if owner is None or not compares or _OTHER.fullmatch(text) is None:
        return ""
    return f"not isinstance({given[0]}, {owner.name})"


def _without_items(context: Context, text: str, anchor: Anchor) -> tuple[str, str, bool] | None:
    """That the object is empty, where *there are no items* and nothing there is called so."""
    found = _NO_ITEMS.fullmatch(text)
    named = found is not None and context.visible(anchor.path, anchor.node).inner.get(key(found[1]))
    return ("", "empty", False) if found is not None and not named else None


def _in_collection(context: Context, anchor: Anchor, subject: str, state: str) -> str:
    """That a name is in what is called like the state, where the code puts it there, takes it from there or
    looks for it: *the user is muted* for `user in self.muted`."""
    source, inner = context.source(anchor.path), context.visible(anchor.path, anchor.node).inner
    node = anchor.node or ast.Pass()
    function = node if isinstance(node, Function) else source.function_of(node)
    name, held = inner.get(key(subject)), inner.get(key(state))
    if name is None or held is None or name == held or function is None:
        return ""
    for node in walk(source.class_of(function) or function):
        called = node.func if isinstance(node, ast.Call) else None
        given = node.args if isinstance(node, ast.Call) else [getattr(node, "left", None)]
        if isinstance(called, ast.Attribute) and called.attr in _HOLDING:
            owner: ast.AST | None = called.value
        else:
            asks = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn)
            owner = node.comparators[0] if isinstance(node, ast.Compare) and asks else None
        given_names = [ast.unparse(item) for item in given[:1] if item is not None]
        if owner is not None and ast.unparse(owner) == held and given_names == [name]:
            return f"{name} in {held}"
    return ""


def _of_file(context: Context, anchor: Anchor, subject: str, state: str) -> str:
    """That a file which the code opens is closed, or open."""
    name = context.visible(anchor.path, anchor.node).inner.get(key(subject), "")
    opened = (
        stmt
        for stmt in find_nodes(context.source(anchor.path).tree, ast.Assign)
        if called_name(stmt.value) in _OPENING and name in map(ast.unparse, stmt.targets)
    )
    if state not in ("closed", "open") or next(opened, None) is None:
        return ""
    return f"{name}.closed" if state == "closed" else f"not {name}.closed"


def _said(text: str) -> tuple[str, str, bool] | None:
    """What is in a state, the state, and whether that is denied: *the order is not open*, *open orders*."""
    found = _SAID.fullmatch(text)
    if found is None:
        return ("", text.lower(), False) if opposite_states(text) else None
    plain = " ".join(word for word in found["front"].split() if word not in words("rest"))
    bare = " ".join(word for word in plain.split() if word.lower() not in _NEVER)
    front, negated = without_copula(bare)
    negated = negated or bare != plain
    which, _, relative = front.rpartition(" ")
    if which and is_said("relatives", relative):
        front = without_s(which)  # each of several
    if (front, negated) != (plain, False):
        return without_articles(front), found["state"].lower(), negated
    adjective = without_articles(plain)
    if adjective.isalpha() and (adjective != plain or without_s(found["state"]) != found["state"]):
        return without_s(found["state"]), adjective.lower(), False
    return None


def _holders(
    context: Context, anchor: Anchor, subject: str
) -> Iterator[tuple[str, ClassValue, tuple[str, ...]]]:
    """What a subject may be at the anchor, with its class: a name, or the object itself."""
    source, node = context.source(anchor.path), anchor.node or ast.Pass()
    function = node if isinstance(node, Function) else source.function_of(node)
    owner = source.class_of(function) if function is not None else None
    inner = context.visible(anchor.path, node).inner
    name = inner.get(key(subject)) or _each_of(node, subject) if subject.isidentifier() else None
    if name is not None:
        for where, symbol in context.repo.index.symbols("".join(map(str.title, identifier_words(subject)))):
            for value in context.repo.classes.find(where, symbol.qualname):
                yield name, value, (assumed(f"{name} was assumed to be of the class {value.node.name}"),)
    elif owner is not None and function is not None and _has_object(function):
        own = [key(owner.name), *map(key, identifier_words(owner.name)[-1:])]
        if key(subject) in own or not subject or is_said("pronouns", subject):
            yield parameters(function)[0].arg, ClassValue(anchor.path, owner), ()


def _each_of(node: ast.AST, subject: str) -> str | None:
    """What stands for each of several things in a loop or comprehension over them: `a` in *accounts*."""
    for each in (node, *getattr(node, "generators", ())):
        if isinstance(each, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(each.target, ast.Name):
            things = re.findall(r"[^\W\d_]+", ast.unparse(each.iter).lower())
            if subject.lower() in map(without_s, things):
                return each.target.id
    return None


def _has_object(function: Function) -> bool:
    """Whether a method is given the object, whole: not while it is made."""
    bare = not {"staticmethod", "classmethod"}.isdisjoint(decorator_names(function))
    return bool(parameters(function)) and not bare and function.name not in ("__init__", "__new__")


def _asked(context: Context, holder: str, owner: ClassValue, state: str, anchor: Anchor) -> str:
    """The call or attribute that tells of a state. A method that is only called like it may bring it about:
    `open()`."""
    for form in _ASKING:
        name = form.format(state)
        member = context.repo.classes.lookup(owner, name)
        node = member[1] if member is not None else None
        if isinstance(node, Function) and node is not anchor.node:
            if any(one in _PROPERTIES for one in decorator_names(node)):
                return f"{holder}.{name}"
            plain = isinstance(node, ast.FunctionDef) and not node.decorator_list and form.strip("_") != "{}"
            if plain and len(parameters(node)) == 1:
                return f"{holder}.{name}()"
        elif node is not None and not isinstance(node, Function | ast.ClassDef):
            return f"{holder}.{name}"
    return _nothing_held(context, holder, owner, anchor) if state in words("empty_text") else ""


def _nothing_held(context: Context, holder: str, owner: ClassValue, anchor: Anchor) -> str:
    """That a collection is empty, or that an object whose class does not say how much it holds has nothing in
    what is gone through of it."""
    if any(last_name(base) in _COLLECTIONS for base in map(_unsubscribed, owner.node.bases)):
        return f"not {holder}"
    if any(context.repo.classes.lookup(owner, name) for name in ("__len__", "__bool__")):
        return ""
    read = (node.iter for node in walk(anchor.node) if isinstance(node, ast.For | ast.comprehension))
    parts = [re.match(rf"{holder}\.\w+(?!\w|\()", ast.unparse(each)) for each in read]
    return next((f"not {part[0]}" for part in parts if part is not None), "")


def _unsubscribed(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _compared(context: Context, anchor: Anchor, owner: ClassValue, state: str) -> tuple[str, str] | None:
    """The attribute that is set to a state of that name, or compared with it, and the state as code."""
    for path in dict.fromkeys((owner.path, anchor.path)):
        for attribute, value in _pairs(context.source(path)):
            if context.repo.classes.lookup(owner, attribute) is None:
                continue
            if isinstance(value, ast.Constant) and value.value == state:
                return attribute, repr(state)
            # What the other file has is imported with the edit.
            bound = context.repo.index.scopes(path).module.bound
            known = ast.unparse(value).split(".")[0] in bound and last_name(value).lower() == state
            if isinstance(value, ast.Name | ast.Attribute) and known:
                return attribute, ast.unparse(value)
    return None


def _pairs(source: Source) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that are set to something or compared with it, each with that."""
    for stmt in find_nodes(source.tree, ast.Assign):
        for target in stmt.targets:
            if isinstance(target, ast.Attribute):
                yield target.attr, stmt.value
    for test in find_nodes(source.tree, ast.Compare):
        if isinstance(test.left, ast.Attribute) and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is):
            yield test.left.attr, test.comparators[0]

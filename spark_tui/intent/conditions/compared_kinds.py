"""Whether a test fits what the code says its subject is: a time, a text, a key, an object, a member of an
enumeration."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.intent.conditions.condition_words import condition_kinds_said
from spark_tui.intent.conditions.lengths import uses_of, with_length, with_no_time, without_length
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.facts.enumerations import enumerations, member
from spark_tui.intent.facts.literal_types import classes_hinted, may_be_number
from spark_tui.intent.facts.made_types import default_in, is_count, made_type, values_of
from spark_tui.intent.facts.optional_values import optional
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, not_said, taken_for
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, names_in, walk

_NO_NUMBERS = frozenset(("str", "bytes", "list", "dict", "set", "tuple", "timedelta", "datetime", "date"))
_HOLDING = frozenset(("list", "dict", "set", "tuple", "deque"))
_NO_TEXTS = _HOLDING | {"int", "float", "timedelta", "datetime", "date", "Decimal"}
_NEVER_EMPTY = frozenset(("int", "float", "date", "datetime", "timedelta", "Path", "Decimal"))
_UNORDERED = [{one, two} for one in ("int", "float") for two in _NO_NUMBERS]
_UNORDERED += [{"str", one} for one in _NEVER_EMPTY]
_LOOKED_UP = frozenset(("key", "element"))
_LOOKED_FOR = _LOOKED_UP | {"compared"}
_NUMBER = re.compile(r"(\w+) ([<>]=?|[=!]=) (\d+(?:\.\d+)?)")
_EXISTS = re.compile(r"\b(?:exists?|existiert|existe|existente)\b|存在")
_BLANK = re.compile(r"\bblank\b", re.IGNORECASE)
_NONE = re.compile(r"(?<!\w)(?:None|null)(?!\w)", re.IGNORECASE)


def as_in_code(test: str, text: str, root: ast.AST, source: Source) -> str:
    """A test in words as the code around it would make it."""
    test = with_length(as_state(test, root, source), text, root, source)
    there = as_key(as_held(as_member(test, source), root, source), text, root)
    there = with_no_time(as_blank(there, text, root, source), root, source)
    return in_unit_of_default(without_length(there, root, source), text, root)


def as_blank(test: str, text: str, root: ast.AST, source: Source) -> str:
    """That a text has nothing but white space, where the words say that it is blank."""
    tree = parsed(test) if _BLANK.search(text) else None
    denied = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    named = tree.operand if isinstance(tree, ast.UnaryOp) and denied else tree
    if not isinstance(named, ast.Name | ast.Attribute) or not isinstance(root, Function):
        return test
    shown = ast.unparse(named)
    is_text = made_type(named, root, source) == "str" or "text" in uses_of(named, root)
    hint = _hint(shown, root)
    is_none = shown in optional(source, root) or (
        hint is not None and ast.unparse(hint).strip("'\"") != "str"
    )
    return f"{'not ' * denied}{shown}.strip()" if is_text and not is_none else test


def as_member(test: str, source: Source) -> str:
    """A comparison with the member of an enumeration that a text names, where the file sets and compares the
    subject with its members."""
    tree = parsed(test)
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq | ast.NotEq):
        return test
    right = tree.comparators[0]
    if not isinstance(right, ast.Constant) or not isinstance(right.value, str | int) or right.value is True:
        return test
    sign = "==" if isinstance(tree.ops[0], ast.Eq) else "!="
    left = ast.unparse(tree.left)
    for owner in _enumerations(tree.left, source):
        if found := member(owner, right.value):
            return f"{left} {sign} {found}"
    return test


def as_state(test: str, root: ast.AST, source: Source) -> str:
    """An object in a state, as its class keeps it: `task.state == State.DONE` for *a done task*, where the
    function reads what such an object has."""
    found = re.fullmatch(r"(\w+) ([=!]=) (['\"])(\w+)\3", test)
    if found is None:
        return test
    uses = list(find_nodes(root, ast.Attribute))
    read = {use.attr for use in uses if isinstance(use.value, ast.Name) and use.value.id == found[1]}
    for node in source.definitions:
        body = node.body if isinstance(node, ast.ClassDef) else []
        fields = {
            ast.unparse(stmt.target): ast.unparse(stmt.annotation)
            for stmt in body
            if isinstance(stmt, ast.AnnAssign)
        }
        own = {*fields, *(stmt.name for stmt in body if isinstance(stmt, Function))}
        for owner in enumerations(source) if read and read <= own else ():
            kept = [name for name, hint in fields.items() if hint == owner.name]
            if len(kept) == 1 and (state := member(owner, found[4])):
                return f"{found[1]}.{kept[0]} {found[2]} {state}"
    return test


def as_held(test: str, root: ast.AST, source: Source) -> str:
    """That a name is in a collection, where it is compared with one that the file puts it in, or where it is
    a key there and the words say that it is one of the things behind the keys."""
    tree = parsed(test)
    denied = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    call = tree.operand if isinstance(tree, ast.UnaryOp) and denied else tree
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "isinstance" and len(call.args) == 2:
        name = ast.unparse(call.args[0])
        classes = {item.name for item in source.definitions if isinstance(item, ast.ClassDef)}
        looked_up = find_nodes(root, ast.Subscript)
        owners = {ast.unparse(node.value) for node in looked_up if ast.unparse(node.slice) == name}
        if len(owners) == 1 and owners != {"self"} and ast.unparse(call.args[1]) in classes:
            return f"{name} {'not ' * denied}in {owners.pop()}"
    if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq | ast.NotEq):
        name, owner = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
        calls = (node for node in find_nodes(source.tree, ast.Call) if len(node.args) == 1)
        if {f"{owner}.add({name})", f"{owner}.append({name})"} & set(map(ast.unparse, calls)):
            return f"{name} {'not ' * isinstance(tree.ops[0], ast.NotEq)}in {owner}"
    return test


def as_key(test: str, text: str, root: ast.AST) -> str:
    """That a key is in something, where the words name one that the function looks up there, and what the
    test has instead is no variable of it."""
    tree = parsed(test)
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.In | ast.NotIn):
        return test
    held = ast.unparse(tree.comparators[0])
    keys = (
        node.args[0] if isinstance(node, ast.Call) and node.args else getattr(node, "slice", None)
        for node in walk(root)
        if (isinstance(node, ast.Subscript) and ast.unparse(node.value) == held)
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == f"{held}.get")
    )
    texts = (one.value for one in keys if isinstance(one, ast.Constant) and isinstance(one.value, str))
    named = [one for one in texts if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)]
    own = names_in(root)
    if not named or (isinstance(tree.left, ast.Constant) and tree.left.value in named):
        return test
    if isinstance(tree.left, ast.Name) and tree.left.id in own:
        return test
    sign = "in" if isinstance(tree.ops[0], ast.In) else "not in"
    return f'"{named[0]}" {sign} {held}'


def in_unit_of_default(test: str, text: str, root: ast.AST) -> str:
    """A time or size in the unit of the constant that a parameter has by default."""
    found, function = _NUMBER.fullmatch(test), root if isinstance(root, Function) else None
    default = default_in(function, found[1]) if found is not None and function is not None else None
    if found is None or not isinstance(default, ast.Name):
        return test
    name, counted = key(found[1]), key(default.id)
    for item in re.findall(r"\S+ [^\W\d_]+", text) + re.findall(r"\d\S*[^\W\d_]+", text):
        for read in (phrases.duration_in_unit, phrases.size_in_unit):
            said, amount = read(item, name), read(item, counted)
            if said is not None and amount is not None and phrases.plain_number(said) == found[3]:
                own = phrases.unit_of(name) or phrases.unit_of(name, "size_names")
                return test if own else f"{found[1]} {found[2]} {phrases.plain_number(amount)}"
    return test


def doubts_of_subject(test: ast.expr, root: ast.AST, source: Source, text: str) -> Iterator[str]:
    """Why a test does not fit what the code says of its subject."""
    function = root if isinstance(root, Function) else source.function_of(root)
    said = parsed(text)
    if function is None or (said is not None and ast.unparse(said) == ast.unparse(test)):
        return
    for node in _tests(test):
        if isinstance(node, ast.Compare):
            yield from _compared(node, function, source, text)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and len(node.args) == 2:
            shown, made = ast.unparse(node.args[0]), made_type(node.args[0], function, source)
            own = isinstance(node.args[1], ast.Name) and not hasattr(builtins, node.args[1].id)
            if own and (hasattr(builtins, made) or "key" in uses_of(node.args[0], function)):
                yield assumed(f"{shown} is no object there, and was assumed to be one")
            elif made in _NO_NUMBERS and names_in(node.args[1]) <= {"int", "float"}:
                yield assumed(f"{shown} is of type {made}, and was assumed to be a number")
        elif isinstance(node, ast.Name) and node.id not in optional(source, root):
            uses, kind = uses_of(node, function), made_type(node, function, source)
            hinted = classes_hinted(_hint(node.id, function))
            full = _NEVER_EMPTY | ({"bool"} if "empty" in condition_kinds_said(text) else set())
            if kind in full or (hinted and hinted <= full):
                kind = kind or " or ".join(sorted(hinted))
                yield assumed(f"{node.id} is of type {kind}, and was assumed to be something empty")
            if "absent" in condition_kinds_said(text) and uses & _LOOKED_UP:
                yield not_said(f"{ast.unparse(test)} does not say where {node.id} is looked for")
            elif "empty" in condition_kinds_said(text) and _is_listed(node.id, function):
                yield assumed(f"{node.id} is a folder, and its path was assumed to be empty")
            elif "attributes" in uses and not uses & {"tested", "iterated", "items", "many", "container"}:
                yield not_said(f"the code does not say that {node.id} may be empty")


def _is_listed(name: str, function: Function) -> bool:
    """Whether a function goes through what is in a folder that is called so."""
    forms = [f"os.{call}({name})" for call in ("listdir", "scandir", "walk")]
    calls = {ast.unparse(node) for node in find_nodes(function, ast.Call)}
    return bool(calls & {*forms, f"{name}.iterdir()", f"Path({name}).iterdir()"})


def _compared(node: ast.Compare, function: Function, source: Source, text: str) -> Iterator[str]:
    if len(node.ops) > 1 and not isinstance(node.left, ast.Constant):
        return
    left, right = node.left, node.comparators[0]
    if isinstance(left, ast.Constant):
        left, right = right, left
    shown, kind = ast.unparse(left), made_type(left, function, source)
    value = right.value if isinstance(right, ast.Constant) else ...
    if isinstance(node.ops[0], ast.Is | ast.IsNot) and value is None:
        yield from _of_none(node, function, source, text)
    elif type(value) in (int, float):
        if kind in _NO_NUMBERS or any(_enumerations(left, source)):
            yield assumed(f"{shown} is of type {kind or 'Enum'}, and was assumed to be a number")
        if not may_be_number(_hint(shown, function)):
            yield assumed(f"{shown} is annotated as something else, and was assumed to be a number")
        amounts = re.findall(r"\S+ [^\W\d_]+", text)
        if any(item.endswith(" m") and phrases.duration(item) for item in amounts):
            yield assumed("m was assumed to be minutes")
        if any(phrases.duration(item) for item in amounts) and is_count(source, shown):
            yield assumed(f"{shown} was assumed to be a time: the file counts with it")
    elif value is ... and isinstance(node.ops[0], ORDERED):
        if {kind, made_type(right, function, source)} in _UNORDERED:
            yield assumed(f"{shown} was assumed to be like {ast.unparse(right)}")
    elif isinstance(node.ops[0], ast.Eq | ast.NotEq) and isinstance(value, str):
        uses = uses_of(left, function)
        known = {item.value for item in find_nodes(source.tree, ast.Constant)}
        shouted = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None and not value.islower()
        quoted = re.search(rf"['\"`“„«‘]{re.escape(value)}", text) is not None
        unknown = value not in known and not shouted and not quoted
        if unknown or "attributes" in uses or kind in _NO_TEXTS or any(_enumerations(left, source)):
            yield taken_for(value, f"a text that {shown} may be")
    elif isinstance(node.ops[0], ast.Eq | ast.NotEq) and value is ...:
        other = made_type(right, function, source)
        if (kind in _HOLDING) != (other in _HOLDING):
            yield not_said(f"the code does not say that {shown} is like {ast.unparse(right)}")


def _of_none(node: ast.Compare, function: Function, source: Source, text: str) -> Iterator[str]:
    """That a parameter which has to be given is asked for None, where it is looked for or put somewhere."""
    name = node.left.id if isinstance(node.left, ast.Name) else ""
    given = next((item for item in parameters(function) if item.arg == name), None)
    if given is None or _NONE.search(text) or name in optional(source, function):
        return
    if given.annotation is not None and "None" in ast.unparse(given.annotation):
        return
    uses, denied = uses_of(node.left, function), isinstance(node.ops[0], ast.IsNot)
    needed = denied and default_in(function, name) is None and "optional" not in uses
    unmet = "absent" in condition_kinds_said(text) and (uses & _LOOKED_FOR or _EXISTS.search(text))
    if needed or unmet:
        yield not_said(f"the code does not say that {name} may be None")


def _hint(name: str, function: Function) -> ast.expr | None:
    return next((item.annotation for item in parameters(function) if item.arg == name), None)


def _tests(test: ast.expr) -> Iterator[ast.expr]:
    """The tests that are joined or negated in one."""
    parts = test.values if isinstance(test, ast.BoolOp) else []
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        parts = [test.operand]
    if not parts:
        yield test
    for part in parts:
        yield from _tests(part)


def _enumerations(subject: ast.expr, source: Source) -> Iterator[ast.ClassDef]:
    """The enumerations of the file whose members the file gives to names like the subject."""
    last = ast.unparse(subject).rpartition(".")[2]
    values = values_of(last, source)
    owners = {ast.unparse(value.value) for value in values if isinstance(value, ast.Attribute)}
    numbers = ("IntEnum", "IntFlag")  # which are compared as numbers
    for node in (item for item in enumerations(source) if item.name in owners):
        if not any(ast.unparse(base).endswith(numbers) for base in node.bases):
            yield node

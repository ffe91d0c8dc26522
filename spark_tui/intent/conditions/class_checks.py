"""Several classes in one condition: `neither a str nor a Pattern` is one `isinstance`; and tests that objects
of some classes always pass, or never."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.codemods.families.statements.errors import is_name
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_OF_ERRORS = re.compile(r"(?i)err|exc|cause|reason|fail|warn|\Ae\Z")
"""What names of objects have that may be exceptions."""
_CHECK = re.compile(r"(not |)isinstance\(([\w.]+), ([\w.]+)\)")


def check_other_classes(code: str, others: Sequence[str]) -> list[str]:
    """The check of a class for other classes, which `not a str or Pattern` denies too."""
    known = _CHECK.fullmatch(code)
    return [f"{known[1]}isinstance({known[2]}, {other})" for other in others] if known is not None else []


def merge_class_checks(codes: Sequence[str], word: str) -> str:
    """Checks of one thing as one, or nothing where they are something else."""
    found = [known for code in codes if (known := _CHECK.fullmatch(code)) is not None]
    wanted = "not " if word == " and " else ""
    if len(found) < len(codes) or {(known[1], known[2]) for known in found} != {(wanted, found[0][2])}:
        return ""
    classes = ", ".join(dict.fromkeys(known[3] for known in found))
    return f"{wanted}isinstance({found[0][2]}, ({classes}))"


def is_check_for_error(test: ast.AST, source: Source) -> bool:
    """Whether something is asked for being an exception of the file that is not called like one: *items that
    are out of stock* beside an `OutOfStock`."""
    if not isinstance(test, ast.Call) or called_name(test) != "isinstance" or len(test.args) != 2:
        return False
    errors = {
        stmt.name
        for stmt in source.definitions
        if isinstance(stmt, ast.ClassDef) and any(_is_error(last_name(base)) for base in stmt.bases)
    }
    return ast.unparse(test.args[1]) in errors and not _OF_ERRORS.search(last_name(test.args[0]))


def _is_error(name: str) -> bool:
    return name.endswith(("Error", "Exception", "Warning"))


def is_truth_of_self(test: ast.AST, root: ast.AST, source: Source) -> bool:
    """Whether an object is asked for its own truth, which its class does not define: it is always true."""
    function = root if isinstance(root, Function) else source.function_of(root)
    owner = source.class_of(function) if function is not None else None
    if owner is None or function is None or owner.bases or not isinstance(test, ast.Name):
        return False
    own = {stmt.name for stmt in owner.body if isinstance(stmt, Function)}
    return test.id == "self" == parameters(function)[0].arg and own.isdisjoint(("__len__", "__bool__"))


def is_truth_of_constant(test: ast.AST, root: ast.AST, source: Source) -> bool:
    """Whether an attribute is asked for its truth that is a text of the class, and is never set again."""
    owner = source.class_of(root)
    if owner is None or not isinstance(test, ast.Attribute) or not is_name(test.value, "self"):
        return False
    sets = [one for one in owner.body if isinstance(one, ast.Assign) and is_name(one.targets[0], test.attr)]
    texts = [one.value.value for one in sets if isinstance(one.value, ast.Constant)]
    again = any(
        one.attr == test.attr and isinstance(one.ctx, ast.Store | ast.Del)
        for one in find_nodes(source.tree, ast.Attribute)
    )
    return len(sets) == len(texts) == 1 and isinstance(texts[0], str) and bool(texts[0]) and not again


def is_sized_by_truth(test: ast.AST) -> bool:
    """Whether a number is compared with what a call says of something: `len(items) > self.is_done()`."""
    if not isinstance(test, ast.Compare) or isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        return False
    return any(called_name(side).startswith(("is_", "has_")) for side in (test.left, *test.comparators))


def is_of_object(test: ast.AST, root: ast.AST) -> bool:
    """Whether a method of texts is asked of something that has members which no text has."""
    called = test.func if isinstance(test, ast.Call) else None
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name):
        return False
    own = (one.attr for one in find_nodes(root, ast.Attribute) if is_name(one.value, called.value.id))
    return hasattr(str, called.attr) and any(not hasattr(str, attr) for attr in own)

"""What is given in the place of an object and follows no change of its class: mocks, namespaces, classes of
tests that have the same method, and objects that pass on what they are asked for."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.callsites import Located
from spark_tui.codemods.uses.protocols import protocol_doubts
from spark_tui.pysource.inference.values import ClassValue, InstanceValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set

_MADE = word_set("Mock MagicMock AsyncMock NonCallableMock SimpleNamespace Namespace create_autospec")
_WITH_FIELDS = word_set("namedtuple make_dataclass")
_OF_MOCKS = word_set(
    "return_value side_effect called call_count call_args call_args_list assert_called assert_called_once"
    " assert_called_with assert_called_once_with assert_not_called assert_awaited assert_awaited_once_with"
)
_EXPECTING = word_set(
    "assert_called_with assert_called_once_with assert_any_call assert_awaited_with assert_awaited_once_with"
    " assert_any_await call"
)
_NAMED = ("Fake", "Mock", "Stub", "Dummy", "Double")


def find_stand_ins(repo: Repository, family: Collection[ClassValue], name: str) -> Iterator[Unfollowed]:
    """Where something with a member of the same name stands in for an object of some classes."""
    near = {class_value.path for class_value in family}
    near |= {importer for path in near for importer in repo.index.importers(path)}
    own = {class_value.node for class_value in family}
    for path in sorted(repo.index.files_with_member(name)):
        scopes = repo.index.scopes(path)
        for keyword in scopes.keywords:
            call = keyword.call
            if keyword.name == name and isinstance(call, ast.Call) and last_name(call.func) in _MADE:
                reason = f"the {ast.unparse(call.func)} may stand for an object of the class"
                yield Unfollowed(path, call.lineno, reason)
        for use in scopes.attributes_by_name.get(name, ()):
            asked = scopes.source.parents.get(use.node)
            if isinstance(asked, ast.Attribute) and asked.attr in _OF_MOCKS:
                reason = f"{ast.unparse(use.node)} is a mock that stands for it"
                yield Unfollowed(path, use.node.lineno, reason)
            for value in repo.infer.values(path, use.node.value, use.scope):
                if isinstance(value, InstanceValue) and value.of not in family and _passes_on(repo, value.of):
                    reason = f"{ast.unparse(use.node)}: {value.of.node.name} passes on what it is asked for"
                    yield Unfollowed(path, use.node.lineno, reason)
    for path in sorted(near.intersection(repo.index.files_with(name))):
        for call in repo.index.scopes(path).calls:
            if _has_field(call, name):
                shown = f"what {ast.unparse(call.func)}(…) makes"
                yield Unfollowed(path, call.lineno, f"{shown} may stand for an object of the class")
    for path, symbol in repo.index.symbols(name):
        qualname = symbol.qualname.rpartition(".")[0]
        testing = path in near and path.rpartition("/")[2].startswith(("test", "conftest"))
        for found in repo.classes.find(path, qualname) if qualname else ():
            if found.node not in own and (testing or any(word in found.node.name for word in _NAMED)):
                yield Unfollowed(path, symbol.line, f"{found.node.name} may stand for an object of the class")


def _has_field(call: ast.Call, name: str) -> bool:
    """Whether a call makes a class with a member: `type("Fake", (), {"total": …})`, `namedtuple`."""
    match call:
        case ast.Call(func=ast.Name("type"), args=[_, _, ast.Dict(keys)]):
            return any(isinstance(key, ast.Constant) and key.value == name for key in keys)
        case ast.Call(func, args=[_, fields]) if last_name(func) in _WITH_FIELDS:
            texts = (str(one.value) for one in ast.walk(fields) if isinstance(one, ast.Constant))
            return any(name in text.replace(",", " ").split() for text in texts)
    return False


def find_method_stand_ins(repo: Repository, functions: Collection[Located]) -> Iterator[Unfollowed]:
    """The same, for some methods of the same name."""
    owners = [(path, repo.index.source(path).class_of(node), node.name) for path, node in functions]
    family = [ClassValue(path, owner) for path, owner, _ in owners if owner is not None]
    names = {name for _, owner, name in owners if owner is not None and not name.startswith("__")}
    for name in sorted(names):
        yield from find_stand_ins(repo, family, name)
        yield from protocol_doubts(repo, name, family)


def _passes_on(repo: Repository, value: ClassValue) -> bool:
    return repo.classes.lookup(value, "__getattr__") is not None


def expected_arguments(repo: Repository, function: str, parameter: str) -> Iterator[Unfollowed]:
    """Where a mock is asked whether it was given an argument by its name, in files that name the function."""
    for path in sorted({*repo.index.files_with_member(parameter)} & {*repo.index.files_with(function)}):
        for keyword in repo.index.scopes(path).keywords:
            call = keyword.call
            if keyword.name != parameter or not isinstance(call, ast.Call):
                continue
            if {last_name(call.func), last_name(getattr(call.func, "value", call))} & _EXPECTING:
                reason = f"{ast.unparse(call.func)}(…) may expect the argument {parameter}"
                yield Unfollowed(path, call.lineno, reason)

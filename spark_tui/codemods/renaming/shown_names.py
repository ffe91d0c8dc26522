"""Places that show a name as text, or look one up by its text: a rename changes what they do."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.callsites import Sites, find_parameter_readers
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.source import Definition, Function
from spark_tui.pysource.syntax.parsing import positional, walk_lines
from spark_tui.pysource.syntax.walking import walk, walk_each

_SHOWN = re.compile(r"=\s*[!:}]")
_SETTINGS = (".json", ".toml", ".yaml", ".yml", ".ini", ".cfg")
_KEEPING = frozenset(("setattr", "setdefault", "register", "add", "update"))
_BY_TEXT = frozenset(("attrgetter", "methodcaller"))


def note_f_strings(renaming: Renaming, path: str) -> None:
    """Name the f-strings that show a renamed expression as text: `f"{total=}"`."""
    source = renaming.repo.index.source(path)
    edits = [edit for edit in renaming.edits.values() if edit.path == path]
    if source.tree is None or not _SHOWN.search(source.text):
        return
    rows = sorted({source.line_number(edit.start) for edit in edits})
    for node in walk_lines(source.tree, rows):
        if isinstance(node, ast.FormattedValue):
            low, high = source.span(node.value)
            renamed = any(low <= edit.start and edit.end <= high for edit in edits)
            if renamed and _SHOWN.match(source.text[high:].lstrip()):
                renaming.unsure(path, node.value.lineno, "the text shows the name of what it is given")


def note_settings(renaming: Renaming) -> None:
    """Name the settings that are the name, where something is looked up by its `__name__`."""
    word = re.compile(rf"(?<![\w.-]){re.escape(renaming.old)}(?![\w.-])")
    for path in renaming.repo.index.all_paths:
        text = (renaming.repo.index.text(path) or "") if path.endswith(_SETTINGS) else ""
        found = word.search(text)
        if found is not None:
            renaming.unsure(path, text.count("\n", 0, found.start()) + 1, "a setting has the name")


def note_named_after(renaming: Renaming) -> None:
    """Name the methods that are called after a class, as those of visitors are: `visit_Assign`."""
    index = renaming.repo.index
    for name in sorted(name for name in index.symbol_names if name.endswith(f"_{renaming.old}")):
        for path, symbol in index.symbols(name):
            renaming.unsure(path, symbol.line, f"{name} is called after the class")


def note_kept_by_name(renaming: Renaming, target: Target) -> None:
    """Name the decorators, bases and metaclasses that keep what is renamed under its name."""
    repo, node = renaming.repo, target.node
    assert isinstance(node, Definition)
    makers: list[tuple[int, str, ast.AST]] = []
    for decorator in node.decorator_list:
        maker = called(decorator)
        values = repo.infer.values(target.path, maker, repo.index.scopes(target.path).module)
        found = (value.node for value in values if isinstance(value, FunctionValue | ClassValue))
        makers += [(decorator.lineno, f"@{ast.unparse(maker)}", one) for one in found]
    for base in (
        repo.classes.ancestors(ClassValue(target.path, node)) if isinstance(node, ast.ClassDef) else ()
    ):
        scope = repo.index.scopes(base.path).module
        metas = [keyword.value for keyword in base.node.keywords if keyword.arg == "metaclass"]
        kinds = (value for meta in metas for value in repo.infer.values(base.path, meta, scope))
        makers += [(node.lineno, one.node.name, one.node) for one in kinds if isinstance(one, ClassValue)]
        hook = repo.classes.own_members(base).get("__init_subclass__", ())
        makers += [(node.lineno, base.node.name, one) for one in hook if base.node is not node]
    for line, shown, keeper in makers:
        if _keeps_by_name(keeper):
            renaming.unsure(target.path, line, f"{shown} keeps it under its name")


def _keeps_by_name(maker: ast.AST) -> bool:
    """Whether some code sets an item whose key is the `__name__` of something, or passes both on."""
    nodes = list(walk(maker))
    named = {
        positional(one)[1].arg
        for one in nodes
        if isinstance(one, Function) and one.name in ("__new__", "__init__") and len(positional(one)) > 3
    }
    for _ in range(2):
        named |= {
            target.id
            for one in nodes
            if isinstance(one, ast.Assign) and _has_name(one.value, named)
            for target in one.targets
            if isinstance(target, ast.Name)
        }
    for one in nodes:
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store) and _has_name(one.slice, named):
            return True
        keeps = isinstance(one, ast.Call) and last_name(one.func) in _KEEPING
        if keeps and any(_has_name(arg, named) for arg in getattr(one, "args", ())):
            return True
    return False


def _has_name(node: ast.AST, named: set[str]) -> bool:
    return any(
        (isinstance(one, ast.Attribute) and one.attr in ("__name__", "__qualname__"))
        or (isinstance(one, ast.Name) and one.id in named)
        for one in walk(node)
    )


def note_kept_name(renaming: Renaming, target: Target) -> None:
    """Name where a file with an import in `__all__` asks for names: that of the import stays as it was."""
    index = renaming.repo.index
    if target.kind is SymbolKind.IMPORT and renaming.old in (index.summary(target.path).exports or ()):
        for use in index.scopes(target.path).attributes_by_name.get("__name__", ()):
            shown = ast.unparse(use.node)
            renaming.unsure(target.path, use.node.lineno, f"{shown} is still {renaming.old!r} there")


def note_local_lookups(renaming: Renaming, target: Target) -> None:
    """Name where the function of a local or parameter looks its names up as texts."""
    scope = target.variable.scope if target.variable is not None else None
    if scope is not None:
        renaming.unsure_at(local_lookups(renaming.repo.index.source(target.path), scope.node))


def note_lookups_by_text(renaming: Renaming, path: str) -> None:
    """Name the strings by which a member is asked for later: `attrgetter("total")`."""
    for call in renaming.repo.index.scopes(path).calls:
        if last_name(call.func) in _BY_TEXT:
            for arg in call.args:
                text = arg.value if isinstance(arg, ast.Constant) else None
                if isinstance(text, str) and renaming.old in text.split("."):
                    renaming.unsure(path, call.lineno, f"{ast.unparse(call)} asks an object for it")


def note_passed_functions(renaming: Renaming, sites: Sites) -> None:
    """Name where a function is passed on with its arguments by name, or its parameters are looked at."""
    for path in sorted({one for one, _ in sites.values}):
        for node in walk(renaming.repo.index.source(path).tree):
            keys = node.keys if isinstance(node, ast.Dict) else ()
            texts = (key.value for key in keys if isinstance(key, ast.Constant))
            if isinstance(node, ast.Dict) and renaming.old in texts:
                renaming.unsure(path, node.lineno, f"a dictionary has the key {renaming.old!r}")
    for path, node in sites.values:
        parents = renaming.repo.index.source(path).parents
        call = parents.get(node)
        call = parents.get(call) if isinstance(call, ast.keyword) else call
        if not isinstance(call, ast.Call):
            continue
        parts = walk_each((*call.args, *call.keywords))
        if any(isinstance(part, ast.keyword) and part.arg == renaming.old for part in parts):
            shown = ast.unparse(call.func)
            renaming.unsure(path, call.lineno, f"{shown}(…) may know the parameter by its name")
    renaming.unfollowed.update(find_parameter_readers(renaming.repo, sites.values))

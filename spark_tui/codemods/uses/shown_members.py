"""Places where a name stands outside of the code: templates, texts that show an object, dictionaries made of
fields, and examples that are run as tests, in docstrings and on pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from spark_tui.codemods.plan import Places
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, InstanceValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository

_TEMPLATES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".tmpl", ".mako", ".djhtml")
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\$\{.*?\}", re.DOTALL)
_AS_DICTIONARY = frozenset(("asdict", "_asdict", "fields"))


def shown_members(repo: Repository, path: str, node: ast.ClassDef, names: Collection[str]) -> Places:
    """The file, line and reason of each such place of some members of a class."""
    words = "|".join(map(re.escape, sorted(names)))
    yield from in_templates(repo, re.compile(rf"\.(?:{words})(?!\w)"))
    shown = re.compile(rf"(?<!\w){re.escape(node.name)}\((?:.*\W)?(?:{words})=")
    for where in sorted(repo.index.files_with(node.name)):
        for string in repo.index.source(where).strings:
            if node.name in (value := str(string.value)) and shown.search(value):
                yield where, string.lineno, f"a text shows a {node.name} with it"
    if node.decorator_list or any(last_name(base) == "NamedTuple" for base in node.bases):
        yield from _as_dictionary(repo, path, node, names)


def called_by_text(repo: Repository, name: str) -> Places:
    """Where a method is called by its name as a text, or by a template."""
    yield from in_templates(repo, re.compile(rf"\.{re.escape(name)}\("))
    for path in sorted(repo.index.files_with("methodcaller")):
        for call in repo.index.scopes(path).calls:
            texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
            if last_name(call.func) == "methodcaller" and name in texts:
                yield path, call.lineno, f"{ast.unparse(call)} calls it"


def in_templates(repo: Repository, pattern: re.Pattern[str]) -> Places:
    """Where the code of a template has something."""
    for path in repo.index.all_paths:
        text = repo.index.text(path) or "" if path.endswith(_TEMPLATES) else ""
        for code in _CODE.finditer(text):
            found = pattern.search(code[0])
            if found is not None:
                line = text.count("\n", 0, code.start() + found.start()) + 1
                yield path, line, f"a template uses {found[0]}"


def _as_dictionary(repo: Repository, path: str, node: ast.ClassDef, names: Collection[str]) -> Places:
    near = {path, *repo.index.importers(path)}
    for where in sorted(near & set(repo.index.files_with(*_AS_DICTIONARY))):
        scopes = repo.index.scopes(where)
        for call in scopes.calls:
            of = next(iter(call.args), None)
            if isinstance(call.func, ast.Attribute) and call.func.attr == "_asdict":
                of = call.func.value
            if of is None or last_name(call.func) not in _AS_DICTIONARY:
                continue
            values = repo.infer.values(where, of, scopes.scope_at[call])
            own = (value.of if isinstance(value, InstanceValue) else value for value in values)
            if UNKNOWN in values or ClassValue(path, node) in own:
                yield where, call.lineno, f"{ast.unparse(call)} gives {min(names)} by its name"


_PAGES = (".rst", ".md", ".txt")


def examples_with(
    repo: Repository, paths: Collection[str], modules: Collection[str], names: Collection[str]
) -> Places:
    """Where examples in some files, on pages that import one of the modules, or texts that do, use a name."""
    words = "|".join(map(re.escape, sorted(names)))
    homes = "|".join(map(re.escape, sorted(modules)))
    if not words or not homes:
        return
    used = re.compile(rf"^[ \t]*(?:>>>|\.\.\.) .*?(?<!\w)({words})(?!\w)", re.MULTILINE)
    imports = re.compile(rf"^[ \t]*>>> (?:from|import) .*?(?<![\w.])(?:{homes})(?!\w)", re.MULTILINE)
    for path in (*sorted(paths), *(item for item in repo.index.all_paths if item.endswith(_PAGES))):
        text = repo.index.text(path) or ""
        if any(name in text for name in names) and ">>> " in text and (path in paths or imports.search(text)):
            found = used.search(text)
            if found is not None:
                line = text.count("\n", 0, found.start(1)) + 1
                yield path, line, f"an example uses {found[1]}"
    asked = re.compile(rf"from ({homes}) import [^\n;]*(?<!\w)({words})(?!\w)")
    for path in sorted(repo.index.files_with(*names)):
        text = repo.index.text(path) or ""
        for string in repo.index.source(path).strings if any(home in text for home in modules) else ():
            mentions = asked.search(str(string.value))
            if mentions is not None:
                yield path, string.lineno, f"a text imports {mentions[2]} from {mentions[1]}"


def examples_importing(repo: Repository, module: str) -> Places:
    """Where an example in a file or on a page imports a module."""
    pattern = re.compile(rf"^[ \t]*>>> (?:from|import) .*?(?<![\w.]){re.escape(module)}(?!\w)", re.MULTILINE)
    for path in repo.index.all_paths:
        text = (repo.index.text(path) or "") if path.endswith((*_PAGES, ".py")) else ""
        found = pattern.search(text) if ">>> " in text else None
        if found is not None:
            yield path, text.count("\n", 0, found.start()) + 1, f"an example imports {module}"

"""Places that may use a name where it cannot be followed: files that cannot be read or do not parse, code in
`exec` and `eval`, lists of names as strings, and names that are put together for `getattr`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice

from spark_tui.codemods.plan import Finding, Places
from spark_tui.codemods.uses.calling_texts import calling_lines
from spark_tui.codemods.uses.looked_up import (
    IMPORTING,
    computed_lookups,
    ends,
    held_names,
    is_imported_by_name,
    is_own_dictionary,
    lookups_by_word,
    may_ask_for,
    may_be,
    texts_looked_up,
)
from spark_tui.codemods.uses.own_names import lost_members, own_names_line
from spark_tui.codemods.uses.shown_members import examples_with, shown_members
from spark_tui.pysource.files.tree import SearchedTree
from spark_tui.pysource.inference.values import ClassValue, ModuleValue, class_behind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import values_set

_RUN = re.compile(r"(?<![\w.])(?:exec|eval)\(")
_SETTINGS = (".toml", ".cfg", ".ini", ".md", ".rst", ".txt", ".yml", ".yaml", ".json", ".in", ".sh", ".bat")
_TEXT_FILES = (*_SETTINGS, ".ps1", ".service", "Makefile", "Dockerfile", "Procfile", "justfile")
_LISTING_MODULES = ("iter_modules", "walk_packages")
_MOST_LINES = 3


def hidden_uses(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where names that are gone from a module or class may still be used."""
    found: list[tuple[str, int, str]] = []
    names, full_names, near, homes = set[str](), set[str](), set[str](), set[str]()
    for path in paths:
        if not before.has(path) or after.index.source(path).tree is None:
            continue
        kept = after.index.scopes(path).module.bound
        gone = _defined(before, path) - kept
        names |= gone
        near |= {path, *before.index.importers(path)}
        modules = before.index.modules.names(path)
        homes |= {*modules}
        if after.has(path):
            full_names |= {f"{module}{sign}{name}" for module in modules for name in gone for sign in ".:"}
        if gone:  # who imports a changed file is not known yet
            for module in offering(after, path):
                found += find_lookups_by_name(after, module, gone)
            found += _listed(after, {path, *after.index.importers(path)}, gone, kept)
        for owner, node, lost in lost_members(before, after, path):
            names |= lost
            full_names |= {f"{owner}.{name}" for name in lost}
            held = held_names(before, before.classes.find(path, owner), lost)
            found += _of_class(after, ClassValue(path, node), lost, held)
            found += shown_members(after, path, node, lost)
            found += texts_looked_up(after, ClassValue(path, node), lost)
            found += _listed(after, {path}, lost, after.classes.own_members(ClassValue(path, node)))
    found += _imported_by_name(after, names)
    found += lookups_by_word(after, names)
    found += examples_with(after, near, homes, names)
    for where, line, name in find_in_text_files(after, full_names):
        found.append((where, line, f"it mentions {name}"))
    for where, line, reason in (*unread_files(before, names), *find_mentions(after, names), *found):
        yield Finding(where, line, "hidden uses", reason, sure=False)


def unread_files(repo: Repository, names: Collection[str]) -> Places:
    """The Python files that cannot be read and may have one of the names, or are of a repository inside."""
    tree = repo.index.tree
    if names and isinstance(tree, SearchedTree):
        for path in tree.in_other_repositories(names):
            yield path, 1, f"the file is of another repository and mentions {' or '.join(sorted(names))}"
    for path in sorted(set(repo.index.modules.paths).difference(repo.index.paths)) if names else ():
        if isinstance(tree, SearchedTree) and not tree.may_hold(path, names):
            continue
        yield path, 1, f"the file cannot be read and may use {' or '.join(sorted(names))}"


def find_in_text_files(repo: Repository, full_names: Collection[str]) -> Places:
    """The lines of documentation and settings that have one of the names in full, the first of each file."""
    for path in repo.index.all_paths if full_names else ():
        text = repo.index.text(path) or "" if path.endswith(_TEXT_FILES) else ""
        if there := sorted(name for name in full_names if name in text):
            pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, there))})(?!\w)")
            for found in islice(pattern.finditer(text), _MOST_LINES):
                yield path, text.count("\n", 0, found.start()) + 1, found[0]


def find_computed_lookups(repo: Repository, path: str, function: Function) -> Places:
    """Where a computed name may be that of a function; a constructor goes by its class."""
    source = repo.index.source(path)
    owner, name = source.class_of(function), function.name
    yield from lookups_by_word(repo, {name})
    if owner is not None and name not in ("__init__", "__new__"):
        yield from _of_class(repo, ClassValue(path, owner), {name}, held=set())
    elif source.function_of(owner or function) is None:
        name = owner.name if owner is not None else name
        yield from find_lookups_by_name(repo, path, {name})
        line = own_names_line(repo, path)
        if line:
            yield path, line, f"the module looks at its own names here and may reach {name}"


def _defined(repo: Repository, path: str) -> set[str]:
    """The names of a module that it does not only import."""
    summary = repo.index.summary(path)
    own = {item.qualname for item in summary.symbols}
    return repo.index.scopes(path).module.bound - {
        item.alias for item in summary.imports if item.alias not in own
    }


def find_mentions(repo: Repository, names: Collection[str]) -> Places:
    """Files that do not parse and have one of the names, texts that are code and have it: those that run,
    those that call it, and examples in docstrings; and texts with a field of it, as `"{0.size}"`."""
    for name in sorted(names):
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for path in sorted(repo.index.files_with(name)):
            text = repo.index.text(path) or ""
            if not repo.index.parses(path):
                found = word.search(text)
                line = text.count("\n", 0, found.start()) + 1 if found is not None else 0
                yield path, line, f"the file does not parse and mentions {name}"
                continue
            yield from _put_together(repo, path, name)
            run = {line: how for line, how, code in _run_code(repo, path) if word.search(code)}
            for line, how in run.items():
                yield path, line, f"{how} runs code that mentions {name}"
            for line in calling_lines(repo.index.source(path), name):
                if line not in run:
                    yield path, line, f"a text calls {name}"
            field = re.compile(rf"\{{\w*(?:\.\w+|\[\w+\])*\.{re.escape(name)}(?!\w)")
            for string in repo.index.source(path).strings if field.search(text) else ():
                if field.search(str(string.value)):
                    yield path, string.lineno, f"a text may be formatted with {name}"


def _put_together(repo: Repository, path: str, name: str) -> Places:
    """Where the end of a full name, or the name of an argument, says what is patched: `module + ".total"`,
    `patch.multiple(module, total=…)`."""
    scopes = repo.index.scopes(path)
    for string in (one for one in scopes.source.strings if str(one.value).endswith(f".{name}")):
        if isinstance(scopes.source.parents.get(string), ast.BinOp | ast.JoinedStr):
            yield path, string.lineno, f"a text that is put together may name {name}"
    for keyword in (one for one in scopes.keywords if one.name == name):
        if isinstance(keyword.call, ast.Call) and last_name(keyword.call.func) == "multiple":
            yield path, keyword.node.lineno, f"patch.multiple(…) names {name}"


def _run_code(repo: Repository, path: str) -> Iterator[tuple[int, str, str]]:
    """The lines of `exec` and `eval`, which of them it is, and the text that is given."""
    text = repo.index.text(path) or ""
    if not ("exec(" in text or "eval(" in text) or not _RUN.search(text):
        return
    for call in repo.index.scopes(path).calls:
        run = call.func.id if isinstance(call.func, ast.Name) else ""
        if run in ("exec", "eval") and call.args:
            texts = (node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant))
            yield call.lineno, run, "\n".join(item for item in texts if isinstance(item, str))


def find_lookups_by_name(repo: Repository, path: str, names: set[str]) -> Places:
    """Where names of a module may be looked up on it as texts."""
    importers = repo.index.importers(path) if names else ()
    for importer in sorted(one for one in importers if _has_module(repo, one, path)):
        for node, values in computed_lookups(repo, importer, where=partial(may_ask_for, names=names)):
            if any(isinstance(value, ModuleValue) and value.path == path for value in values):
                yield from may_be(importer, node, names)


def _imported_by_name(repo: Repository, names: set[str]) -> Places:
    """Where a name is taken from a module that is imported by its name: `getattr(import_module(…), name)`."""
    for path in sorted({*repo.index.files_with("getattr")}.intersection(repo.index.files_with(*names))):
        scopes = repo.index.scopes(path)
        for _, call in scopes.calls_by_name.get("getattr", ()):
            owner, asked = (*call.args, None, None)[:2]
            set_to = values_set(scopes.source.statements, owner.id) if isinstance(owner, ast.Name) else ()
            if not any(is_imported_by_name(repo, path, one) for one in (owner, *set_to)):
                continue
            known = asked.value if isinstance(asked, ast.Constant) else None
            for string in scopes.source.strings:
                if string.value in names and known in (None, string.value):
                    yield (
                        path,
                        string.lineno,
                        f"{string.value!r} may be taken from a module that is imported here",
                    )


def _listed(repo: Repository, paths: set[str], names: set[str], others: Collection[object]) -> Places:
    """Lists of strings that name something beside others of its module or class."""
    for path in sorted(paths & set(repo.index.files_with(*names))) if names else ():
        source = repo.index.source(path)
        for string in source.strings:
            display = source.parents.get(string) if string.value in names else None
            if isinstance(display, ast.List | ast.Tuple | ast.Set | ast.Dict):
                beside = (node.value for node in ast.walk(display) if isinstance(node, ast.Constant))
                if any(value in others for value in beside):
                    yield path, string.lineno, f"a list of names has {string.value!r}"


def offering(repo: Repository, path: str) -> list[str]:
    """A file, and those that offer all of its names again, by `from … import *`."""
    index, out = repo.index, [path]
    for offered in out:
        for importer in sorted(index.importers(offered) - {*out}):
            stars = (one for one in index.imports(importer) if one.name == "*")
            modules = (index.imported_module(importer, one) for one in stars)
            if any(index.modules.find(module, importer) == offered for module in modules):
                out.append(importer)
    return out


def _has_module(repo: Repository, importer: str, path: str) -> bool:
    """Whether a file imports another one as a module, and not only names from it."""
    found = (
        (f"{repo.index.imported_module(importer, imported)}.{imported.name}".rstrip("."), imported.name)
        for imported in repo.index.imports(importer)
    )
    return any(not what or repo.index.modules.find(name, importer) == path for name, what in found)


def _of_class(repo: Repository, owner: ClassValue, names: set[str], held: set[str]) -> Places:
    """In the files of related classes: by a text of which a part is known, or in the file of the class. Its
    objects hold only some of the names themselves."""
    family = [*repo.classes.ancestors(owner), *repo.classes.descendants(owner)]
    nodes = {id(ancestor.node) for ancestor in family}
    homes = {ancestor.path for ancestor in family}
    for path in sorted({*homes, *repo.index.importers(owner.path)}):
        for node, values in computed_lookups(repo, path, where=partial(may_ask_for, names=names)):
            asked = any(ends(node)) or path == owner.path or path not in homes
            of = filter(None, map(class_behind, values))
            if asked and any(id(item.node) in nodes for item in of):
                yield from may_be(path, node, held if is_own_dictionary(node, values) else names)


def imported_by_computed_name(repo: Repository, module: str) -> Places:
    """Where a module may be imported by a text of which only a part is known, or found in its folder."""
    package, _, _ = module.rpartition(".")
    for path in sorted(repo.index.files_with(*IMPORTING, *_LISTING_MODULES)):
        near = bool(package) and repo.index.modules.name(path).split(".")[0] == package.split(".")[0]
        for call in repo.index.scopes(path).calls:
            called = last_name(call.func)
            if called in _LISTING_MODULES and package:
                yield path, call.lineno, f"{ast.unparse(call)} may list it"
            elif called in IMPORTING and call.args:
                first = call.args[0]
                if isinstance(first, ast.Constant):
                    continue
                start, end = ends(first)
                fits = module.startswith(start) and module.endswith(end)
                if (fits and start + end) or (near and (fits or start.startswith("."))):
                    yield path, call.lineno, f"{ast.unparse(call)} may import it"

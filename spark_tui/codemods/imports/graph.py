"""What the files of a repository import when they are imported, through others too: circles, packages from
elsewhere, and files that cannot be imported everywhere."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.imports.callers import enclosing_function, runs_on_import
from spark_tui.codemods.plan import Plan, Unfollowed
from spark_tui.codemods.uses.callsites import HARMLESS
from spark_tui.codemods.uses.class_doubts import listed_doubts, pickle_doubts
from spark_tui.codemods.uses.through_modules import moved_away
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition
from spark_tui.pysource.summary import Imported
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_NOT_EVERYWHERE = word_set(
    "msvcrt winreg winsound _winapi fcntl termios tty pty grp pwd resource syslog curses readline tkinter"
)
_SETTING = r"patch_all|basicConfig|install\w*|set(?!attr)\w+|simplefilter|filterwarnings|seed"
_SHARED = re.compile(rf"(?:sys\.\w+|os\.environ)\.|.*\.(?:{_SETTING})\Z")
"""What is called to set something for all files."""


def find_import_doubts(repo: Repository, plan: Plan) -> Iterator[Unfollowed]:
    """New imports of a plan that close a circle, or that need a package which was not needed before."""
    after = repo.with_changes(plan.texts(repo))
    for path in plan.paths:
        if not after.has(path):
            continue
        yield from find_circles(repo, after, path)
        before = files_reached(repo, path)
        added = files_reached(after, path) - before
        needed = _foreign(after, {*added, path}) - _foreign(repo, before)
        for name in sorted(needed):
            yield Unfollowed(path, 1, f"importing it would need {name} too")
        for item in sorted(added):
            reason = describe_demands(after, item)
            if reason:
                yield Unfollowed(path, 1, f"importing it would import {item} too, which {reason}")


def find_circles(repo: Repository, after: Repository, path: str) -> Iterator[Unfollowed]:
    """The files that a file imports newly and that import it."""
    for found, _ in sorted({*_named(after, path)} - {*_named(repo, path)}):
        # The packages that it is in are imported before it.
        opened = {found} | {*packages_of(found)} - {*packages_of(path)}
        if any(path in files_reached(after, item) for item in opened):
            yield Unfollowed(path, 1, f"it and {found} would import each other")


def moving_doubts(
    repo: Repository, plan: Plan, node: ast.stmt, name: str, old: str, new: str
) -> Iterator[Unfollowed]:
    """What a definition finds changed in the file that it moves to, and what importing it asks for there."""
    yield from moved_away(repo, old, node, name)
    if isinstance(node, ast.ClassDef):
        yield from pickle_doubts(repo, old, node)
    after = repo.with_changes(plan.texts(repo))
    if new not in files_reached(after, old):
        for decorator in getattr(node, "decorator_list", ()):
            maker = called(decorator)
            if last_name(maker) not in HARMLESS:
                reason = f"@{ast.unparse(maker)} runs when {new} is imported, which {old} does not do"
                yield Unfollowed(old, decorator.lineno, reason)
        if isinstance(node, ast.ClassDef):
            yield from listed_doubts(repo, repo.index.source(old), node)
    reason = describe_demands(repo, new)
    before = files_reached(repo, old)
    if reason and new not in before:
        yield Unfollowed(new, 1, f"importing it there imports {new}, which {reason}")
    other_folder = old.rpartition("/")[0] != new.rpartition("/")[0]
    if other_folder and getattr(node, "name", "").lower().startswith("test"):
        yield Unfollowed(new, 1, "a test runner may not look there, or give its tests other fixtures")
    if new.rpartition("/")[2].startswith("test"):
        for name in sorted(_foreign(repo, files_reached(repo, new)) - _foreign(repo, before)):
            yield Unfollowed(new, 1, f"a test there needs {name} too")
    yield from find_import_doubts(repo, plan)
    yield from folder_doubts(after, old, new)


def folder_doubts(after: Repository, old: str, new: str) -> Iterator[Unfollowed]:
    """A doubt where what is imported moves from one folder that Python has to look into to another."""
    folder = after.index.modules.import_root(new)
    if folder != after.index.modules.import_root(old) and after.index.importers(new):
        yield Unfollowed(new, 1, f"it is imported from {folder or 'the top folder'}: does Python look there?")


def package_doubts(after: Repository, old: str, new: str) -> Iterator[Unfollowed]:
    """Doubts where a module moves to another folder to import from, or into a package whose own imports lead
    back to those who import it."""
    yield from folder_doubts(after, old, new)
    importers = {new, *after.index.importers(new)}
    for init in packages_of(new):
        entered = init not in packages_of(old) and init in after.index.paths
        if entered and files_reached(after, init) & importers:
            yield Unfollowed(old, 1, f"{init} is imported with it then, and imports it back")


def packages_of(path: str) -> list[str]:
    """The files that are imported before one: those of the packages that it is in."""
    folders = path.split("/")[:-1]
    return ["/".join([*folders[: at + 1], "__init__.py"]) for at in range(len(folders))]


def order_doubts(repo: Repository, path: str) -> Iterator[Unfollowed]:
    """A doubt where the order of a file's imports matters: one of them leads back to the file."""
    for item in sorted(files_imported(repo, path)):
        if path in files_reached(repo, item):
            yield Unfollowed(path, 1, f"{item} imports it back: the order of its imports may matter")
            return


def effect_order(repo: Repository, path: str) -> list[str]:
    """The imports of a file whose order may matter, in their order: those that bring all names, a name that
    another one brings too, or a file that does something to others when it is imported, with the files of the
    repository that are imported before that."""
    found = [item for item in repo.index.summary(path).imports if not item.late]
    bound = Counter(alias for alias, _ in {(item.alias, _brought(item)) for item in found})
    out: list[str] = []
    earlier = set[str]()
    for one in found:
        module = repo.index.imported_module(path, one)
        homes = (repo.index.modules.find(name, path) for name in (f"{module}.{one.name}", module))
        home = next(filter(None, homes), None)
        acts = home is not None and home != path and acts_on_others(repo, home)
        if one.name == "*" or bound[one.alias] > 1 or acts:
            out.append(" ".join((f"{module}:{one.name}", *(sorted(earlier - {home}) if acts else ()))))
        earlier |= {home} if home is not None else set()
    return out


def _brought(one: Imported) -> tuple[str, str]:
    """What an import binds its name to: of `import os.path` that is `os`."""
    head = one.module.partition(".")[0]
    return ("." * one.level + (one.module if one.name or one.alias != head else head), one.name)


def acts_on_others(repo: Repository, path: str) -> bool:
    """Whether importing a file registers something with another file of the repository, or sets what all
    files share: the environment, the search path."""
    scopes = repo.index.scopes(path)
    imported = {item.alias for item in repo.index.summary(path).imports if item.alias}
    for stmt in scopes.source.body:
        acting: list[ast.expr] = []
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
            acting = [stmt.value.func]
        elif isinstance(stmt, Definition):
            acting = list(stmt.decorator_list)
        elif isinstance(stmt, ast.Assign | ast.AugAssign):
            acting = [target for target in targets(stmt) if not isinstance(target, ast.Name | ast.Tuple)]
        for node in acting:
            name = next((part for part in ast.walk(node) if isinstance(part, ast.Name)), None)
            if name is None or name.id not in imported:
                continue
            shared = not isinstance(stmt, Definition) and _SHARED.match(ast.unparse(node)) is not None
            if shared or _is_here(repo, path, name) or isinstance(getattr(node, "ctx", None), ast.Store):
                return True
    return False


def _is_here(repo: Repository, path: str, node: ast.Name) -> bool:
    """Whether a name means something of the repository."""
    values = repo.infer.values(path, node, repo.index.scopes(path).module)
    return any(getattr(value, "path", "") in repo.index.paths for value in values)


def _named(repo: Repository, path: str) -> Iterator[tuple[str, str]]:
    """What a file imports by name: the file that has the name, and the name."""
    for item in repo.index.imports(path):
        module = repo.index.imported_module(path, item)
        for name, what in ((f"{module}.{item.name}", ""), (module, item.name)):
            found = repo.index.modules.find(name, path)
            if found is not None and found != path and not item.late:
                yield found, what
                break


def files_imported(repo: Repository, path: str) -> set[str]:
    """The files that a file imports itself when it is imported."""
    out: set[str] = set()
    for item in repo.index.imports(path):
        if item.late:
            continue
        module = repo.index.imported_module(path, item)
        for name in (module, f"{module}.{item.name}" if item.name else ""):
            found = repo.index.modules.find(name, path) if name else None
            if found is not None and found != path:
                out.add(found)
    return out


def files_reached(repo: Repository, path: str, begun: Collection[str] = ()) -> set[str]:
    """The file and all that it imports, through others too, but not through those whose import has begun."""
    seen, queue = {path}, [path]
    while queue:
        new = files_imported(repo, queue.pop()) - seen - {*begun}
        seen |= new
        queue += new
    return seen


def _foreign(repo: Repository, paths: set[str]) -> set[str]:
    """Packages that are neither in the repository nor in the standard library and that an import of the files
    cannot do without."""
    out: set[str] = set()
    for path in paths:
        names = {item.module.split(".")[0] for item in repo.index.summary(path).imports if not item.level}
        away = {name for name in names - sys.stdlib_module_names if not repo.index.modules.is_package(name)}
        away = {name for name in away if not _is_own(repo, name, path)} - out
        if away:
            out |= away & _top_level(repo, path)
    return out


def _is_own(repo: Repository, name: str, importer: str) -> bool:
    """Whether a file of the repository is imported by this name; one inside a package has a longer one."""
    found = repo.index.modules.find(name, importer)
    return found is not None and repo.index.modules.name(found) == name


def describe_demands(repo: Repository, path: str) -> str:
    """What a file asks of the machine that imports it; empty for most."""
    source = repo.index.source(path)
    for statement in source.statements:
        if isinstance(statement, ast.Assert | ast.Raise) and enclosing_function(source, statement) is None:
            return f"may raise in line {statement.lineno}"
        call = statement.value if isinstance(statement, ast.Expr) else None
        at_import = isinstance(call, ast.Call) and enclosing_function(source, statement) is None
        if isinstance(call, ast.Call) and at_import and runs_on_import(repo, path, statement):
            return f"calls {ast.unparse(call.func)}() in line {statement.lineno}"
    found = _top_level(repo, path) & _NOT_EVERYWHERE
    return f"needs {min(found)}, which not every system has" if found else ""


def _top_level(repo: Repository, path: str) -> set[str]:
    """The first words of what a file imports at its top, outside of any block."""
    found: set[str] = set()
    for stmt in repo.index.source(path).body:
        if isinstance(stmt, ast.Import):
            found |= {name.name.split(".")[0] for name in stmt.names}
        elif isinstance(stmt, ast.ImportFrom) and not stmt.level and stmt.module:
            found.add(stmt.module.split(".")[0])
    return found

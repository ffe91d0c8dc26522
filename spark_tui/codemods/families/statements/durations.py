"""How long a function takes, in the log."""

from __future__ import annotations

import ast

from spark_tui.codemods.checks.deferred_results import deferred_results
from spark_tui.codemods.checks.early_names import is_for_types
from spark_tui.codemods.families.statements.guards import wrap_lines
from spark_tui.codemods.families.statements.logs import Level, find_or_make_logger
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import comment_lines_above, need_function, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_taken_builtin
from spark_tui.codemods.slots import CALLABLE, Symbol
from spark_tui.codemods.uses.protocols import base_names
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import names_in, walk

_OF_LOGGING = ("Handler", "Formatter", "Filter")
_NAMES = ("start", "started", "began", "started_at")


@codemod
class LogDuration:
    """Log how many seconds a function takes, also where it returns early or raises an error."""

    target: Symbol = slot("the function", kinds=CALLABLE)
    level: Level = slot("the level of the log call", default=Level.INFO)
    printed: bool = slot("whether it is printed in place of logged", default=False)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target)
        if source.returned(node) is None:
            raise Refusal(f"{target.qualname} is a generator: what takes its values would be timed as well")
        if any(isinstance(one, ast.Attribute | ast.Name) and _clock(one) for one in walk(node)):
            raise Refusal(f"{target.qualname} reads the clock already", why="nothing")
        run = node.body[1:] if docstring(node) is not None else node.body
        if not run:
            raise Refusal(f"{target.qualname} does nothing")
        refuse_inline(source, run)
        scopes = repo.index.scopes(source.path)
        taken = scopes.scope_of[node].bound | names_in(node)
        name = next((one for one in _NAMES if one not in taken), "")
        if not name:
            raise Refusal(f"{', '.join(_NAMES)} are names there already")
        clock, edits = _imported(repo, source, node)
        spent = f"{clock}() - {name}"
        if self.printed:
            refuse_taken_builtin(repo, source, node.body[0], "print")
            said = f'print(f"{target.qualname} took {{{spent}:.3f}} s")'
        else:
            logger, made = find_or_make_logger(repo, source)
            if scopes.lookup(logger, scopes.scope_of[node]) not in (None, scopes.module):
                raise Refusal(f"{logger} means something else in {target.qualname}")
            edits += made
            said = f'{logger}.{self.level.value}("{target.qualname} took %.3f s", {spent})'
        doubts = [*deferred_results(repo, source, run, "time that is taken")]
        owner = source.class_of(node)
        bases = base_names(ClassValue(source.path, owner)) if owner is not None and not self.printed else []
        if owner is not None and any(base.endswith(_OF_LOGGING) for base in bases):
            reason = f"{owner.name} may be called for each line that is logged"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        edits = [*_joined(edits, source.newline), _wrapped(source, run, f"{name} = {clock}()", said)]
        return plan_edits(repo, edits, doubts)


def _clock(node: ast.Attribute | ast.Name) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id
    return name in ("perf_counter", "monotonic", "perf_counter_ns")


def _imported(repo: Repository, source: Source, node: Function) -> tuple[str, list[Edit]]:
    """How a function calls the clock, and the import that it needs."""
    scopes = repo.index.scopes(source.path)
    for name, module, clock in (("perf_counter", "time", "perf_counter"), ("time", "", "time.perf_counter")):
        owner = scopes.lookup(name, scopes.scope_of[node])
        variable = scopes.variable(name, scopes.module)
        bindings = variable.bindings if variable is not None else []
        alias = bindings[0].node if len(bindings) == 1 else None
        if owner in (None, scopes.module) and is_for_types(scopes, name):
            continue
        if owner is scopes.module and isinstance(alias, ast.alias) and alias.name == name:
            statement = scopes.aliases[alias]
            if (statement.module if isinstance(statement, ast.ImportFrom) else "") == module:
                return clock, []
        if name == "perf_counter" and (owner is not None or bindings):
            raise Refusal(f"perf_counter means something else in {source.path}")
        if owner is not None or bindings:
            return "perf_counter", [insert_import(repo, source.path, "time", "perf_counter", "")]
    return "time.perf_counter", [insert_import(repo, source.path, "time", "", "")]


def _joined(edits: list[Edit], newline: str) -> list[Edit]:
    """The edits with the imports in front of what else goes to their place."""
    imports = sorted((one for one in edits if one.new.strip().startswith(("import ", "from "))), key=_line)
    others = [one for one in edits if one not in imports]
    if len(imports) == 2 and imports[0].start == imports[1].start and newline * 2 in imports[0].new.strip():
        # A file without imports: the logger stands below the first one.
        first, second = imports
        head, rest = first.new.split(_line(first), 1)
        return [
            Edit(first.path, first.start, first.end, head + _line(first) + newline + _line(second) + rest)
        ]
    return [*imports, *others]


def _line(edit: Edit) -> str:
    return edit.new.strip().splitlines()[0]


def _wrapped(source: Source, run: list[ast.stmt], begin: str, said: str) -> Edit:
    first, last = own_lines(source, run)
    first = comment_lines_above(source, first)
    unit, newline, indent = source.indent_unit, source.newline, source.indent(run[0])
    head = f"{indent}{begin}{newline}{indent}try:{newline}"
    tail = f"{indent}finally:{newline}{indent}{unit}{said}{newline}"
    return wrap_lines(source, first, last, head, tail)

"""The annotation of a function that gives an iterator in place of a list, with its import."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.imports.lines import exchange_imports
from spark_tui.codemods.imports.unused import needed_elsewhere
from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.words import word_set

_LISTS = word_set("list List Sequence MutableSequence Collection")
_MODULES = ("typing", "collections.abc", "typing_extensions")
_WIDE = word_set("Iterable Iterator Generator Any object")


def annotate_as_iterator(
    repo: Repository, source: Source, node: Function, edits: list[Edit]
) -> Iterator[Edit]:
    """The edits that annotate the result as an iterator, with its import; `edits` are the others."""
    hint, scopes = node.returns, repo.index.scopes(source.path)
    if hint is None:
        return
    head = hint.value if isinstance(hint, ast.Subscript) else hint
    low, high = source.span(head)
    name = last_name(head)
    if isinstance(hint, ast.Constant) and (body := source.literal_body(hint)) is not None:
        name = str(hint.value).partition("[")[0]
        low, high = body[0], body[0] + len(name)
    if name in _WIDE:
        return
    if name not in _LISTS:
        raise Refusal(f"{node.name} is annotated to return {ast.unparse(hint)}")
    if isinstance(head, ast.Attribute):
        yield Edit(source.path, high - len(head.attr), high, "Iterator")
        return
    yield Edit(source.path, low, high, "Iterator")
    variable = scopes.variable(name, scopes.module)
    alias = variable.bindings[0].node if variable is not None and len(variable.bindings) == 1 else None
    statement = scopes.aliases[alias] if isinstance(alias, ast.alias) else None
    module = statement.module if isinstance(statement, ast.ImportFrom) else ""
    if module not in _MODULES:
        module, statement = "collections.abc", None
    if too_old(repo, 9, "Iterator[…]") and not has_lazy_annotations(source):
        module = "typing"
    spans = [(low, high), *((one.start, one.end) for one in edits if one.path == source.path)]
    loads = variable.loads if variable is not None else []
    kept = any(not any(start <= one.span[0] < end for start, end in spans) for one in loads)
    kept = kept or any(name in one.new for one in edits)
    kept = kept or bool(needed_elsewhere(repo, source.path, name))
    known = "Iterator" in scopes.module.bound
    if known:
        _refuse_other_iterator(repo, source)
    if kept or not isinstance(statement, ast.ImportFrom) or not isinstance(alias, ast.alias):
        yield from exchange_imports(repo, source.path, {}, [] if known else [(module, "Iterator", "")])
    elif known or len(statement.names) == 1:
        wanted = [] if known else [(module, "Iterator", "")]
        yield from exchange_imports(repo, source.path, {statement: [alias]}, wanted)
    else:
        yield _with_iterator(source, statement, alias)


def _with_iterator(source: Source, statement: ast.ImportFrom, gone: ast.alias) -> Edit:
    """The edit that imports `Iterator` in place of another name, where it belongs if the names are sorted."""
    names = [source.segment(one) for one in statement.names]
    new = [name for name, one in zip(names, statement.names, strict=True) if one is not gone]
    low, high = source.span(statement.names[0])[0], source.span(statement.names[-1])[1]
    if names != sorted(names) or "\n" in source.text[low:high]:
        return Edit(source.path, *source.span(gone), "Iterator")
    return Edit(source.path, low, high, ", ".join(sorted([*new, "Iterator"])))


def _refuse_other_iterator(repo: Repository, source: Source) -> None:
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable("Iterator", scopes.module)
    for one in variable.bindings if variable is not None else ():
        statement = scopes.aliases.get(one.node) if isinstance(one.node, ast.alias) else None
        if getattr(statement, "module", "") not in _MODULES:
            raise Refusal(f"Iterator means something else in {source.path}")

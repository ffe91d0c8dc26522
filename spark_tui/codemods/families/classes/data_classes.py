"""Classes that only hold data become dataclasses."""

from __future__ import annotations

import ast

from spark_tui.codemods.classes.fields import init_of, list_stored_fields
from spark_tui.codemods.families.classes.members import is_dataclass, member_names
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import need_class, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits
from spark_tui.codemods.slots import CLASS, Symbol
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.names.undefined import is_fragment
from spark_tui.pysource.repository import Repository


@codemod
class ToDataclass:
    """Turn a class whose `__init__` only stores its parameters into a dataclass."""

    target: Symbol = slot("the class", kinds=CLASS)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        if is_dataclass(node):
            raise Refusal(f"{target.qualname} is a dataclass already", why="nothing")
        if node.decorator_list or node.keywords or (node.bases and ast.unparse(node.bases[0]) != "object"):
            raise Refusal(f"{target.qualname} has bases or decorators")
        init = init_of(node)
        if init is None or init.decorator_list:
            raise Refusal("it has no plain __init__")
        if any(
            isinstance(one, ast.AnnAssign) and "ClassVar" not in ast.unparse(one.annotation)
            for one in node.body
        ):
            raise Refusal("what is annotated in its body would become a field, too")
        if "__slots__" in names_set(node) and init.args.defaults:
            raise Refusal("a field with a default cannot have a slot")
        fields = list_stored_fields(source, init)
        low, high = own_lines(source, [init])
        span = source.line_span(low, high)
        if comments_in(source, *span):
            raise Refusal("there are comments in its __init__")
        doubtful = []
        if any(field.kind == "object" for field in fields):
            reason = "fields without a type are written as `object`"
            doubtful.append(Unfollowed(source.path, init.lineno, reason))
        if "__eq__" not in member_names(repo, source, node):
            reason = "objects are compared by value and not hashable now"
            doubtful.append(Unfollowed(source.path, node.lineno, reason))
        indent = source.indent(init)
        text = "".join(f"{indent}{field.declared}{source.newline}" for field in fields)
        edits = [Edit(source.path, *span, text)]
        scopes = repo.index.scopes(source.path)
        bound = scopes.module.bound
        name = "dataclass"
        if "dataclass" not in bound and "dataclasses" in bound:
            name = "dataclasses.dataclass"
            text = text.replace("= field(", "= dataclasses.field(")
            edits = [Edit(source.path, *span, text)]
        else:
            needed = ["dataclass", *(["field"] if "= field(" in text else [])]
            missing = [item for item in needed if item not in bound]
            if missing and not is_fragment(scopes):
                edits.append(insert_import(repo, source.path, "dataclasses", ", ".join(missing), ""))
        if any(field.kind not in (field.annotation, "object") for field in fields):
            reason = "the types of fields with a default were read from it"
            doubtful.append(Unfollowed(source.path, init.lineno, reason))
        for field in fields:
            if field.mutable and field.taken:
                reason = f"{field.name} is a new one for each object"
                doubtful.append(Unfollowed(source.path, init.lineno, reason))
        start = source.starts[source.first_line(node)]
        edits.append(Edit(source.path, start, start, f"{source.indent(node)}@{name}{source.newline}"))
        return plan_edits(repo, edits, doubtful)

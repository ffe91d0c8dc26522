"""What stands at the edges of a file: the guard of a script, the first lines, what it gives out.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said
from spark_tui.refactor.docs.text import quotes
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, docstring

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "add put write insert include need needs guard guards guarded main call calls called run runs running ran script code rest bottom end part only once executed execute program entry point idiom usual standard typical wrap wrapped wrapping protect hide move behind under "
        "inside if __name__ __main__ name check block import imported importing directly module top level toplevel module-level shebang hashbang line env python python3 first encoding coding utf utf-8 8 declaration header comment __all__ all export exports exported public list define missing remove delete drop without don't doesn't",
    )
)
_GUARD = re.compile(
    r"__name__|__main__|\bmain[ -](?:guard|block|idiom|check)\b|\b(?:only|just) (?:be )?(?:called |run |runs |executed |call |execute )?(?:main )?(?:when|if) (?:it(?:'s| is)?|this|the (?:file|script|module)|we)? ?(?:is )?(?:run|executed|called|started)"
    r"|\bonly when (?:run|executed|called|started)|(?:\bnot|\bnever|n'?t) (?:run|be run|be called|be executed|execute|called|call)\b.*\b(?:on|when|at|during|if) .*\bimport|\bname[ -]main\b",
    re.I,
)


def _guarded(order: Order) -> Iterator[Edit]:
    """What runs at the end of the file goes under `if __name__ == "__main__":`."""
    src = order.src
    if src.tree is None or src.headers or "__main__" in src.text or not _GUARD.search(order.said):
        return
    body = list(src.tree.body)
    first = len(body)
    while first and not isinstance(
        body[first - 1], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    ):
        first -= 1
    tail = body[first:]
    calls = [one for one in tail if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    named = [
        one
        for one in calls
        if isinstance(one.value, ast.Call)
        and re.search(rf"(?<![\w.]){re.escape(ast.unparse(one.value.func))}\b", order.said)
    ]
    if (
        re.search(r"\bcall|\bmain\b(?!_)", order.said, re.I)
        and calls
        and isinstance(calls[-1], ast.Expr)
        and tail[-1] is calls[-1]
    ):
        mains = [one for one in (named or calls) if one is tail[-1] and isinstance(one.value, ast.Call)]
        starts = isinstance(tail[-1].value, ast.Call) and _is_main(tail[-1].value)
        if mains and (starts or named):
            tail = list[ast.stmt](mains)
    if (
        not tail
        or (first == 0 and len(tail) == len(body))
        or any(isinstance(one, ast.If | ast.Try) and "__name__" in ast.unparse(one) for one in tail)
    ):
        return
    if tail[0] is not tail[-1] and _only_values(tail):
        return
    begin, end = src.first_line(tail[0]), src.last_line(tail[-1])
    while begin and src.lines[begin - 1].startswith("#") and not src.lines[begin - 1].startswith("#!"):
        begin -= 1
    if any(
        "\n" in src.segment(node)
        for one in tail
        for node in ast.walk(one)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ):
        return
    mark = '"' if src.text.count('"') >= src.text.count("'") else "'"
    lines = [f"if __name__ == {mark}__main__{mark}:"]
    lines += [f"{src.step}{line}" if line.strip() else line for line in src.lines[begin:end]]
    said = Said(order, VOCABULARY)
    used = (
        *said.understood,
        "__name__",
        "__main__",
        "started",
        "called",
        "when",
        *(re.findall(r"\w+", ast.unparse(named[0])) if named else ()),
    )
    yield order.edit_text(src.with_lines(begin, end, lines), *used)


def _is_main(call: ast.Call) -> bool:
    inner = call.args[0] if call.args and isinstance(call.args[0], ast.Call) else call  # sys.exit(main())
    return isinstance(inner.func, ast.Name) and re.fullmatch(r"_?(?:main|run|cli|start|app)", inner.func.id) is not None


def _only_values(tail: list[ast.stmt]) -> bool:
    return all(isinstance(one, ast.Assign | ast.AnnAssign) for one in tail)


def _first_line(order: Order) -> Iterator[Edit]:
    """A shebang, or the line that says the encoding."""
    src = order.src
    if src.headers or order.first_line != 1:
        return
    said = Said(order, VOCABULARY)
    shebang = re.search(r"\b(?:shebang|hashbang)\b|#!", order.said, re.I)
    has = bool(src.lines) and src.lines[0].startswith("#!")
    gone = re.search(r"\b(?:remove|delete|drop|strip|get rid of)\b", said.text, re.I)
    if shebang and gone and has:
        yield order.edit_text(src.with_lines(0, 1, ()), *said.understood, "get", "rid", "strip")
    elif shebang and not gone and not has:
        given = re.search(r"#!\s?[^\s`'\"]+(?: python[\d.]*)?", order.said)
        path = re.search(r"/usr/\S+", order.said)
        line = given[0] if given else f"#!{path[0]}" if path else "#!/usr/bin/env python3"
        yield order.edit([(0, 0, f"{line}\n")], *said.understood, line)
    encoding = re.search(
        r"\b(?:en)?coding\b.*\b(?:line|declaration|header|comment|cookie|utf)|utf-?8.*\b(?:en)?coding\b|-\*-",
        order.said,
        re.I,
    )
    declared = [number for number, line in enumerate(src.lines[:2]) if re.match(r"#.*coding[:=]", line)]
    if encoding and gone and declared:
        yield order.edit_text(src.with_lines(declared[0], declared[0] + 1, ()), *said.understood, "cookie", "utf8")
    elif (
        encoding
        and not gone
        and not declared
        and re.search(r"\b(?:line|declaration|header|comment|cookie|top|file)\b|-\*-", order.said, re.I)
    ):
        at = src.starts[1] if has else 0
        yield order.edit([(at, at, "# -*- coding: utf-8 -*-\n")], *said.understood, "cookie", "utf8", "*")


def _all(order: Order) -> Iterator[Edit]:
    """`__all__` behind the imports: what the file defines and has no underscore in front."""
    src = order.src
    if (
        src.tree is None
        or src.headers
        or re.search(r"(?m)^__all__\b", src.text)
        or re.search(r"\b(?:remove|delete|drop|rename|from)\b", order.said, re.I)
    ):
        return
    said = Said(order, VOCABULARY)
    names = [
        one.name
        for one in src.tree.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not one.name.startswith("_")
    ]
    picked = [name for name in names if re.search(rf"(?<![\w.]){re.escape(name)}\b", order.said)]
    names = picked or names
    if not names:
        return
    mark = (
        "'"
        if quotes(src)[0] == "'" or src.text.replace('"""', "").count("'") > src.text.replace('"""', "").count('"')
        else '"'
    )
    text = f"__all__ = [{', '.join(mark + name + mark for name in names)}]"
    if len(text) > 100:
        text = "__all__ = [\n" + "".join(f"{src.step}{mark}{name}{mark},\n" for name in names) + "]"
    yield order.edit([_behind_imports(src, text)], *said.understood, "__all__", *picked)


def _behind_imports(src: Source, text: str) -> tuple[int, int, str]:
    body = src.tree.body if src.tree else []
    imports = [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]
    start = docstring(src.tree) if src.tree else None
    at = imports[-1] if imports else start
    if at is not None:
        end = src.starts[src.last_line(at)]
        return end, end, f"\n{text}\n"
    return 0, 0, f"{text}\n\n\n"


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"__name__|__main__|\bmain\b|\bimport|\bscript\b|\bguard", re.I), _guarded),
    Rule(re.compile(r"\bshebang\b|\bhashbang\b|#!|coding\b", re.I), _first_line),
    Rule(re.compile(r"\b__all__\b"), _all),
)

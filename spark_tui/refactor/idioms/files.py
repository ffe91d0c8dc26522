"""Files and paths: with for open and close, pathlib for os.path, os.path.join for a slash.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import behind, moved, outer, own_lines, replaced, uses
from spark_tui.refactor.source import Source

_OPENED = re.compile(
    r"(?:[\w.]+\.)?(?:open|urlopen|connect|socket|Session|NamedTemporaryFile|TemporaryFile|ZipFile|Popen|fdopen|TarFile|ThreadPoolExecutor|Client)"
)


def closed(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.statements:
        if (
            not isinstance(node, ast.Assign)
            or len(node.targets) != 1
            or not isinstance(node.targets[0], ast.Name)
            or not own_lines(src, node)
        ):
            continue
        if not isinstance(node.value, ast.Call) or not _OPENED.fullmatch(src.segment(node.value.func)):
            continue
        spot = _with(
            src, node, node.targets[0].id, re.search(r"\bfile|\bopen\b", src.segment(node.value.func) + "") is not None
        )
        if spot is not None:
            yield spot
    for statement in src.statements:  # open(p).read()
        yield from _read_at_once(src, statement)


def _with(src: Source, node: ast.Assign, name: str, plain: bool) -> Spot | None:
    after = behind(src, node)
    close = next((one for one in after if _closes(one, name)), None)
    last_use = max((at for at, one in enumerate(after) if uses([one], name)), default=-1)
    finished: list[ast.stmt] = []
    if close is not None:
        if after.index(close) != last_use:
            return None
        body = after[: after.index(close)]
        end = src.last_line(close)
    else:
        held = (
            after[0]
            if after and isinstance(after[0], ast.Try) and len(after[0].finalbody) == 1 and not after[0].handlers
            else None
        )
        if held is not None and _closes(held.finalbody[0], name):
            body, finished = held.body, [held]
            end = src.last_line(held)
            if last_use > 0:
                return None
        elif last_use < 0 or not plain:
            return None
        else:
            body = after[: last_use + 1]
            end = src.last_line(body[-1])
    if not body or any(isinstance(one.ctx, ast.Store) for one in uses(body, name)):
        return None
    start, stop = src.span(node.value)
    call = src.text[start:stop]
    indent = src.indent(node)
    head = f"{indent}with {call} as {name}:"
    first = src.first_line(body[0]) if finished else src.last_line(node)
    rows = (
        list(src.lines[first : src.last_line(body[-1])]) if finished else moved(src, first, src.last_line(body[-1]), 1)
    )
    while rows and not rows[0].strip():
        rows.pop(0)
    rows = [*head.split("\n"), *rows]
    if close is not None:
        rows += [row for row in src.lines[src.last_line(body[-1]) : src.first_line(close)] if row.strip()]
    return Spot(node, (replaced(src, src.first_line(node), end, rows),), (name, "open", "close", "read", "file"), end)


def _closes(node: ast.stmt, name: str) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "close"
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == name
    )


def _read_at_once(src: Source, statement: ast.stmt) -> Iterator[Spot]:
    """`x = open(p).read()`, `json.load(open(p))`, `for line in open(p)`."""
    if not isinstance(statement, ast.Assign | ast.Return | ast.Expr | ast.For) or not own_lines(src, statement):
        return
    value = statement.iter if isinstance(statement, ast.For) else statement.value
    if value is None:
        return
    found = [
        one
        for one in ast.walk(value)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "open"
    ]
    if len(found) != 1 or (found[0] is value and not isinstance(statement, ast.For)):
        return
    taken = set(re.findall(r"\w+", src.text))
    name = next((one for one in ("f", "file", "fh", "handle") if one not in taken), "")
    if not name or "\n" in src.segment(found[0]):
        return
    a, b = src.span(found[0])
    first, last = src.first_line(statement), src.last_line(statement)
    base = src.starts[first]
    text = src.text[base:a] + name + src.text[b : src.starts[last]]
    rows = [
        f"{src.indent(statement)}with {src.segment(found[0])} as {name}:",
        *(src.step + row if row.strip() else row for row in text.split("\n")[:-1]),
    ]
    yield Spot(statement, (replaced(src, first, last, rows),), ("open", "read", "file"))


_PATHS = {
    "os.path.exists": "{0}.exists()", "os.path.isfile": "{0}.is_file()", "os.path.isdir": "{0}.is_dir()", "os.path.isabs": "{0}.is_absolute()", "os.path.islink": "{0}.is_symlink()",
    "os.path.basename": "{0}.name", "os.path.dirname": "{0}.parent", "os.path.abspath": "{0}.resolve()", "os.path.realpath": "{0}.resolve()", "os.path.expanduser": "{0}.expanduser()",
    "os.path.getsize": "{0}.stat().st_size", "os.path.getmtime": "{0}.stat().st_mtime", "os.makedirs": "{0}.mkdir(parents=True)", "os.mkdir": "{0}.mkdir()", "os.rmdir": "{0}.rmdir()",
    "os.remove": "{0}.unlink()", "os.unlink": "{0}.unlink()", "os.getcwd": "Path.cwd()", "os.listdir": "{0}.iterdir()", "os.stat": "{0}.stat()",
}  # fmt: skip
_IMPORT = "from pathlib import Path"


def _as_path(src: Source, call: ast.Call, path: str) -> str | None:
    name, args = re.sub(r"^path\.", "os.path.", src.segment(call.func)), [src.segment(item) for item in call.args]
    if any(isinstance(item, ast.Starred) for item in call.args):
        return None
    if name == "os.getcwd" and not args:
        return f"{path}.cwd()"
    options = [src.segment(item) for item in call.keywords]
    if not args or "\n" in "".join(args):
        return None
    inner = call.args[0]
    first = f"{path}({args[0]})"
    if isinstance(inner, ast.Call) and (nested := _as_path(src, inner, path)) is not None and name != "os.path.join":
        first = f"({nested})" if " / " in nested and not nested.startswith("(") else nested
    if name == "os.path.join" and len(args) >= 2 and not options:
        start = _as_path(src, inner, path) if isinstance(inner, ast.Call) else None
        if start is not None and start.endswith(".name"):
            start = None
        rest = [
            f"({text})" if isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp) else text
            for node, text in zip(call.args[1:], args[1:], strict=True)
        ]
        new = " / ".join([start or first, *rest])
        return f"({new})" if isinstance(src.parents.get(call), ast.Attribute | ast.BinOp) else new
    if name == "os.makedirs" and options == ["exist_ok=True"] and len(args) == 1:
        return f"{first}.mkdir(parents=True, exist_ok=True)"
    if name == "os.rename" and len(args) == 2:
        return f"{first}.rename({args[1]})"
    if name == "os.path.splitext" and len(args) == 1 and isinstance(parent := src.parents.get(call), ast.Subscript):
        return f"{first}.suffix" if src.segment(parent.slice) == "1" else None
    return _PATHS[name].format(first) if name in _PATHS and len(args) == 1 and not options else None


def paths(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    if "pathlib" not in asked.text and not re.search(r"\bPath\b", asked.order.said):
        return
    plain = any(
        isinstance(one, ast.Import) and any(alias.name == "pathlib" for alias in one.names) for one in src.statements
    )
    path = (
        "pathlib.Path"
        if plain
        and "Path"
        not in asked.order.identifiers - {"Path"} | ({"Path"} if "from pathlib import Path" in src.text else set())
        else "Path"
    )
    done: list[tuple[int, int]] = []
    for node in src.nodes:
        if not isinstance(node, ast.Call) or not re.fullmatch(r"(?:os\.)?(?:path\.)?\w+", src.segment(node.func)):
            continue
        new = _as_path(src, node, path)
        if new is None or any(a <= src.span(node)[0] < b for a, b in done):
            continue
        at: ast.AST = node
        if src.segment(node.func).endswith("splitext"):
            at = src.parents[node]
        done.append(src.span(at))
        yield Spot(
            node,
            ((*src.span(at), new),),
            ("os", "path", src.segment(node.func)),
            imports="" if path != "Path" else _IMPORT,
        )


def slashes(asked: Asked) -> Iterator[Spot]:
    """`a + "/" + b` as a join."""
    src = asked.src
    for node in src.nodes:
        if (
            not isinstance(node, ast.BinOp)
            or not isinstance(node.op, ast.Add)
            or isinstance(src.parents.get(node), ast.BinOp)
        ):
            continue
        terms: list[ast.expr] = []
        at: ast.expr = node
        while isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add):
            terms.insert(0, at.right)
            at = at.left
        terms.insert(0, at)
        if (
            len(terms) < 3
            or len(terms) % 2 == 0
            or any(src.segment(one)[1:-1] not in ("/", "\\\\") for one in terms[1::2])
            or any(not isinstance(one, ast.Constant) for one in terms[1::2])
        ):
            continue
        yield Spot(
            node,
            ((*src.span(node), f"os.path.join({', '.join(outer(src, one) for one in terms[::2])})"),),
            ("os", "path", "join"),
            imports="import os",
        )


WAYS = (
    way(
        r"\bwith\b.*\b(?:open|file|read|write|reading|writing|statement|block|stat\w*|block|close)|\b(?:open|files?|handle|file handle)\b.*\bwith\b|context[- ]?manager|\bctx\b|file handle|with open|close(?:s|d)? .*properly|leak|sim115",
        closed,
        "with open opens opened opening close closes closed closing file files handle handles handler statement block context manager managers ctx leak leaks leaking leaked wrap wrapped surround indent indented handled properly automatically "
        "sim115 as afterwards exit safely resource resources what variable under must ... fp need should read reading write writing written even error errors exception exceptions always sure gets get closed",
    ),
    way(
        r"pathlib|\bpath\b.*\b(?:os\.path|os functions|instead)|\bos\.path\b.*\bpath\b|\bpath (?:please|thing|object)|\brather a path|\ba path\b|\bptH?\d+\b|line \d+.*\bpath\b|\bl\d+.*\bpath\b|with path\b|to path\b|\bpath\(",
        paths,
        "pathlib pathlibify path paths os os.path object objects functions function import too import pain equivalent thing same that can do modern instead rather join exists isfile isdir basename dirname abspath expanduser getsize remove unlink makedirs mkdir everywhere call calls pth p",
        together=True,
    ),
    way(
        r"os\.path\.join|\bpath\.join",
        slashes,
        "os path join os.path.join slash slashes concatenation string plus hardcoded separator instead rather call",
    ),
)

# ruff: noqa: E501 - word lists
"""Small whole files, plain as an application's: parts of one module put together, shortened, said in everyday names.

Libraries are annotated, documented and long; what people type at a terminal about is mostly none of these.
Comes in: source text. Goes out: `Window`s of some twenty to sixty lines that begin at their file's first line.
Must not know: instructions, tokens, the model.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from random import Random

from spark_tui.train.sayings import words
from spark_tui.train.windows import Change, Function, Window, apply_changes, docstring_node, is_name, parse

MOST_LINES = 16
"""Of a function; longer ones are cut down to their first statements."""
_NOUNS = sorted(
    words("""
account address alarm album answer appointment article auction badge balance basket bid bill board book booking budget building cart
category channel choice city client color comment company contact country coupon course crop customer day deadline delivery
deposit device discount district document donation driver employee event exam expense fee field file flight folder form friend game
garden goal grade group guest holiday hour house image ingredient inventory invoice item job journal key kitchen label lesson letter
level library loan location log machine mail map match meal measure meeting member memo menu message meter model money month
movie name news note number offer office order owner page parcel parking party password patient payment person phone photo plan plant
player playlist poll post price product profile project question queue quiz quote rate rating reading recipe record refund
region reminder rent report request reservation review reward road role room route row rule salary sale sample schedule school score
seat sensor service shelf shift shop signal site size slot song speed staff stage station status step stock store street student
subject table tag task tax team temperature ticket time title token topic tour track trade train transfer trip unit user vacation
value vehicle vendor visit visitor vote voucher warehouse water weather week weight winner word worker year zone
"""),
)
_VERBS = sorted(
    words("""
accept add apply approve archive assign average bill book build calculate cancel charge check clean clear close collect compare
compute convert count create delete describe drop export fetch fill filter find fix format generate get group handle import join list load
log lookup make mark merge move notify open order pack parse pay pick plan print process publish put rank read register reject
remind remove render report reserve reset resolve restore run save schedule search select send set show sort split start stop store
sum summarize swap sync total track update upload validate verify write
"""),
)
_KEPT_DECORATORS = words("property staticmethod classmethod contextmanager dataclass")
_FILES = sorted(
    words(
        "app main run cli utils helpers tools server models views jobs tasks core api store report script bot game shop common"
    )
)
_FOLDERS = sorted(words("app src shop api core web tools scripts bot services jobs"))


def small_files(path: str, text: str, rng: Random, *, count: int = 4) -> Iterator[Window]:
    """Up to `count` files made of parts of the module."""
    tree = parse(text)
    if tree is None:
        return
    lines = text.split("\n")
    parts = [part for node in tree.body if (part := _part(lines, node, rng))]
    for _ in range(2 * count if parts else 0):
        if count == 0:
            return
        found = _file(lines, tree, parts, rng)
        if found is not None:
            count -= 1
            yield Window(_path(path, rng), found)


def _path(path: str, rng: Random) -> str:
    if rng.random() < 0.3:
        return path
    name = rng.choice(_FILES if rng.random() < 0.4 else _NOUNS)
    return f"{name}.py" if rng.random() < 0.5 else f"{rng.choice(_FOLDERS)}/{name}.py"


def _part(lines: list[str], node: ast.stmt, rng: Random) -> str:
    """A function, or a class with some of its methods, or nothing."""
    if isinstance(node, Function):
        return _function(lines, node)
    if not isinstance(node, ast.ClassDef):
        return ""
    methods = [made for item in node.body if isinstance(item, Function) and (made := _function(lines, item))]
    simple = [
        lines[item.lineno - 1]
        for item in node.body
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.lineno == item.end_lineno
    ]
    if not methods:
        return ""
    first = next((made for made in methods if "def __init__" in made), "")
    others = [made for made in methods if made != first]
    taken = [made for made in others if made in rng.sample(others, min(len(others), rng.randint(1, 4)))]
    head = [lines[node.lineno - 1], *simple[:3], *([""] if simple else [])]
    if not head[0].rstrip().endswith(":"):
        return ""
    return "\n".join(head) + "\n" + "\n\n".join([*([first] if first else []), *taken])


def _function(lines: list[str], node: Function) -> str:
    """Its text; where it is long, its first statements and its last."""
    first = min([node.lineno, *(item.lineno for item in node.decorator_list)]) - 1
    end = node.end_lineno or node.lineno
    if end - first <= MOST_LINES:
        return "\n".join(lines[first:end])
    body = node.body[1:] if docstring_node(node) is not None and len(node.body) > 1 else node.body
    head_end = node.body[0].lineno - 1
    taken = lines[first:head_end]
    for item in body:
        if item.lineno - 1 < head_end or len(taken) + (item.end_lineno or 0) - item.lineno + 1 > MOST_LINES:
            break
        taken += lines[item.lineno - 1 : item.end_lineno]
    last = body[-1]
    if len(taken) <= head_end - first:
        return ""
    if isinstance(last, ast.Return) and last.lineno == last.end_lineno and lines[last.lineno - 1] != taken[-1]:
        taken.append(lines[last.lineno - 1])
    return "\n".join(taken)


def _file(lines: list[str], tree: ast.Module, parts: list[str], rng: Random) -> str | None:
    target = rng.randint(18, 60)
    chosen: list[int] = []
    size = 6
    for number in rng.sample(range(len(parts)), min(len(parts), 12)):
        if size + parts[number].count("\n") + 3 <= target + 4:
            chosen.append(number)
            size += parts[number].count("\n") + 3
    if not chosen:
        return None
    body = plain("\n\n\n".join(parts[number] for number in sorted(chosen)) + "\n", rng)
    if body is None:
        return None
    used = set(re.findall(r"\w+", body))
    imports: list[str] = []
    constants: list[str] = []
    for node in tree.body:
        line = lines[node.lineno - 1]
        if node.lineno != node.end_lineno:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound = {(item.asname or item.name).split(".")[0] for item in node.names}
            if bound & used and not line.startswith("from __future__"):
                imports.append(line)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            wanted = node.targets[0].id in used or (rng.random() < 0.1 and len(constants) < 3)
            constants += [line] if wanted and len(line) < 90 else []
    head = "\n".join(imports[:6]) + ("\n\n" if imports and constants else "\n" if imports else "")
    head += "\n".join(constants[:5]) + ("\n" if constants else "")
    text = (head + ("\n\n" if head.strip() else "") + body).lstrip("\n")
    text = text.rstrip("\n") + "\n" + _start(text, rng)
    if rng.random() < 0.6:
        text = everyday(text, rng)
    found = parse(text)
    longest = max(map(len, text.split("\n")))
    return text if found is not None and longest <= 140 and text.isascii() and text.count("\n") >= 10 else None


def plain(text: str, rng: Random) -> str | None:
    """Without most annotations, docstrings, decorators and comments, each dropped by chance."""
    tree = parse(text)
    if tree is None:
        return None
    window = Window("x.py", text, tree)
    bare, undocumented, undecorated = rng.random() < 0.7, rng.random() < 0.65, rng.random() < 0.8
    changes: list[Change] = []
    for node in window.nodes:
        if isinstance(node, ast.arg) and node.annotation is not None and bare:
            start, end = window.span(node)
            changes.append((start + len(node.arg), end, ""))
        if not isinstance(node, Function | ast.ClassDef):
            continue
        if isinstance(node, Function) and node.returns is not None and bare:
            start, end = window.span(node.returns)
            arrow = text.rindex("->", 0, start)
            changes.append((len(text[:arrow].rstrip()), end, ""))
        doc = docstring_node(node)
        if doc is not None and len(node.body) > 1 and (undocumented or doc.lineno != doc.end_lineno):
            changes.append((*window.line_span(node.body[0].lineno, node.body[0].end_lineno or 0), ""))
        for item in node.decorator_list if undecorated else ():
            if ast.unparse(item).split("(")[0].split(".")[-1] not in _KEPT_DECORATORS:
                changes.append((*window.line_span(item.lineno, item.end_lineno or 0), ""))
    try:
        made = apply_changes(text, changes)
    except ValueError:
        return None
    if rng.random() < 0.4:
        made = re.sub(r"(?m)^ *#.*\n", "", made)
    made = re.sub(r"  # (?:type|noqa|pylint|pragma|mypy|fmt).*", "", made)
    return re.sub(r"\n{4,}", "\n\n\n", made)


def _start(text: str, rng: Random) -> str:
    """Code that runs: a main function, or a few calls."""
    tree = parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if tree is not None else []
    if not functions or rng.random() < 0.55:
        return ""
    calls = []
    for node in rng.sample(functions, min(len(functions), rng.randint(1, 3))):
        count = len(node.args.args) - len(node.args.defaults)
        call = f"{node.name}({', '.join(rng.choice(_VALUES) for _ in range(count))})"
        calls.append(rng.choice([f"{rng.choice(_NOUNS)} = {call}", f"print({call})", call]))
    known = {line.split(" = ")[0] for line in calls if " = " in line}
    calls += [f"print({name})" for name in sorted(known)]
    if rng.random() < 0.4:
        return "\n\n" + "\n".join(calls) + "\n"
    body = "".join(f"    {line}\n" for line in calls)
    guard = 'if __name__ == "__main__":\n'
    if "main" in {node.name for node in functions} or rng.random() < 0.4:
        return "\n\n" + guard + body
    return "\n\ndef main():\n" + body + "\n\n" + guard + "    main()\n"


_VALUES = ("1", "3", "10", "0.5", '"data.txt"', '"abc"', "[1, 2, 3]", "None", "True", '"config.json"', "[]", "100")


def everyday(text: str, rng: Random) -> str:
    """Functions, classes and some variables under names of shops, schools and games, the same one everywhere."""
    tree = parse(text)
    if tree is None:
        return text
    taken = set(re.findall(r"\w+", text)) | set(dir(builtins)) | set(keyword.kwlist)
    imported = {
        (item.asname or item.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for item in node.names
    }
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name != "main" and not node.name.startswith("__") and rng.random() < 0.8:
            names[node.name] = f"{rng.choice(_VERBS)}_{rng.choice(_NOUNS)}{rng.choice(('', '', 's'))}"
        elif isinstance(node, ast.ClassDef) and rng.random() < 0.8:
            parts = rng.sample(_NOUNS, rng.choice((1, 1, 2)))
            names[node.name] = "".join(part.capitalize() for part in parts)
        elif isinstance(node, ast.arg) and node.arg not in ("self", "cls", "args", "kwargs") and rng.random() < 0.5:
            names[node.arg] = _noun(rng)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and rng.random() < 0.35:
            names[node.id] = _noun(rng).upper() if node.id.isupper() else _noun(rng)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and rng.random() < 0.4:
            names[node.attr] = _noun(rng)
    final: dict[str, str] = {}
    for old, new in names.items():
        if old in imported or hasattr(builtins, old) or new in taken or not is_name(new) or len(old) < 2:
            continue
        final[old] = new
        taken.add(new)
    if not final:
        return text
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, final)) + r")\b")
    return pattern.sub(lambda match: final[match[0]], text)


def _noun(rng: Random) -> str:
    roll = rng.random()
    if roll < 0.5:
        return rng.choice(_NOUNS) + rng.choice(("", "", "s"))
    return f"{rng.choice(_NOUNS)}_{rng.choice(_NOUNS if roll < 0.7 else _TAILS)}"


_TAILS = (
    "id",
    "name",
    "count",
    "list",
    "total",
    "path",
    "date",
    "limit",
    "size",
    "type",
    "map",
    "text",
    "index",
    "value",
)

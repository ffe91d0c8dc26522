"""Messages that ask for a class, shown with its bases or a docstring: *new exception Late(ShopError)*."""

from __future__ import annotations

import ast
import builtins
import re
from functools import lru_cache

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.slots import CLASS
from spark_tui.intent.answering.config_answers import calls_answer, refused
from spark_tui.intent.building.building import call
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.executing import imports_for, plan_of
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.tables import table_beside

_LONGEST = 400
_SEPARATOR = re.compile(r"\s*(?:,|\band\b|\bund\b|\bet\b|\by\b|和|、)\s*")
_table = table_beside(__file__, "new_classes.toml")


@lru_cache(maxsize=2)
def _form(kind: str) -> re.Pattern[str]:
    table = _table()
    verb, head, derived, docs, behind = (
        "|".join(table[one]) for one in ("verb", kind, "from", "docstring", "behind")
    )
    base = r"`?[A-Za-z_][\w.]*`?"
    bases = rf"{base}(?:(?:\s*,\s*|\s+(?:and|und|et|y)\s+|[和、]){base})*"
    return re.compile(
        rf"\s*(?:{verb})(?:{head})`?(?P<name>[A-Z]\w*)"
        rf"(?:\(\s*(?P<shown>[\w., ]*)\)`?|`?\s*[,，]?\s*(?:{derived})\s*(?P<told>{bases})|`?)"
        rf"(?:\s*[,;:.，：]?\s*(?:{docs})\s*[:=：]?\s*(?P<quote>['\"])(?P<text>[^\n]+)(?P=quote))?"
        rf"\s*,?\s*(?:{behind})[.!]?\s*",
        re.IGNORECASE,
    )


def new_class_answer(situation: Situation) -> Answer | None:
    """The answer to a message that says no more than what class there is to be, and of which classes: of an
    exception that may be `Exception`, or the one that the others of the file derive from."""
    text, repo = situation.instruction, situation.repo
    if len(text) > _LONGEST or situation.path not in repo.index.modules.paths:
        return None
    forms = {kind: _form(kind).fullmatch(text) for kind in ("exception", "class")}
    kind, found = next((item for item in forms.items() if item[1]), ("", None))
    name = found["name"] if found is not None else ""
    if found is None or not name[0].isupper() or hasattr(builtins, name):
        return None
    source = repo.index.source(situation.path)
    listed = _SEPARATOR.split((found["shown"] or found["told"] or "").replace("`", "").strip())
    bases, doubts = [one for one in listed if one], list[str]()
    if not bases and (situation.earlier is not None or (kind == "class" and not found["text"])):
        return None
    if kind == "exception" and not bases:
        bases = [_common_base(source)]
        if bases != ["Exception"]:
            doubts.append(assumed(f"{bases[0]} was assumed to be its base, as of the other exceptions"))
    path = _home(situation, bases[0] if bases else "")
    if any(one.name == name for one in repo.index.source(path).definitions):
        return refused(Refused(f"{name} is there already", why="nothing"))
    others = sorted(one for one, known in repo.index.symbols(name) if one != path and known.kind == "class")
    if others:
        doubts.append(f"{others[0]} has a {name} already")
    if path != situation.path:
        doubts.append(assumed(f"{name} was put beside {bases[0]}"))
    head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
    code = f"{head}\n    {_docstring(found['text']) if found['text'] else 'pass'}\n"
    made = call("insert_statements", place=_place(repo.index.source(path), path, bases), code=code)
    plan = plan_of([made], repo)
    imports = imports_for(plan, repo) if isinstance(plan, Plan) else ()
    known = {
        *repo.index.scopes(path).module.bound,
        *vars(builtins),
        *(getattr(one, "name", "") for one in imports),
    }
    if missing := [one for one in bases if one.partition(".")[0] not in known]:
        return refused(Refused(f"there is no class {missing[0]}"))
    return calls_answer([made, *imports], situation, *doubts)


def _docstring(text: str) -> str:
    plain = '"' not in text and "\\" not in text
    return f'"""{text}"""' if plain else repr(text)


def _home(situation: Situation, base: str) -> str:
    """The open file, or the one that defines the base where the open one has no class of that base."""
    source = situation.repo.index.source(situation.path)
    own = (node for node in source.body if isinstance(node, ast.ClassDef))
    if not base or hasattr(builtins, base) or any(base in (one.name, *_bases(one)) for one in own):
        return situation.path
    found = {
        one.target.path
        for one in names_of(situation.repo, situation.path).find(base, CLASS)
        if one.target.name == base
    }
    return found.pop() if len(found) == 1 else situation.path


def _bases(node: ast.ClassDef) -> list[str]:
    return [last_name(one) for one in node.bases]


def _exceptions(source: Source) -> list[ast.ClassDef]:
    """The exceptions of a file: they derive from one of Python or of the file."""
    out: list[ast.ClassDef] = []
    for node in source.body:
        if isinstance(node, ast.ClassDef) and any(
            _is_error(base) or base in (one.name for one in out) for base in _bases(node)
        ):
            out.append(node)
    return out


def _is_error(name: str) -> bool:
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, BaseException)


def _common_base(source: Source) -> str:
    """The one exception of a file that most of the others derive from."""
    own = _exceptions(source)
    roots = [one.name for one in own if 2 * sum(one.name in _bases(other) for other in own) >= len(own) > 2]
    return roots[0] if len(roots) == 1 else "Exception"


def _place(source: Source, path: str, bases: list[str]) -> str:
    """Below the last class of the same kind, else above all definitions."""
    classes = [node for node in source.body if isinstance(node, ast.ClassDef)]
    own = {one for one in bases if not hasattr(builtins, one)}
    alike = [node for node in classes if own & {node.name, *_bases(node)}] or _exceptions(source)
    if alike:
        return f"after {path}::{alike[-1].name}"
    first = next(iter(source.definitions), None)
    return f"before {path}::{first.name}" if first is not None else f"in {path}"

"""A call as a short plain title: `rename qty → quantity in Cart.add`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from spark_tui.codemods import registry
from spark_tui.codemods.families.files import ReplaceLines
from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.areas import definitions_at
from spark_tui.pysource.repository import Repository
from spark_tui.tables import table_beside

_MOST = 100
_HOLE = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*\{\w+\}[^\[\]]*)\]")


templates = table_beside(__file__, "titles.toml")


def title_of_calls(
    calls: Sequence[Operation], repo: Repository | None = None, now: Repository | None = None
) -> str:
    """One line for some calls of `repo`; imports that only serve others are not named. `now`: what a person
    sees, with the edit that the calls may replace."""
    main = [
        operation for operation in calls if registry.operation_name(type(operation)) != "add_import"
    ] or list(calls)
    shown = list(dict.fromkeys(title_of(operation, repo, now) for operation in main))
    text = shown[0]
    if len(shown) == 2:
        text = f"{shown[0]}; {shown[1]}"
    elif len(shown) > 2:
        text = f"{shown[0]}; and {len(shown) - 1} more"
    return text if len(text) <= 2 * _MOST else f"{text[: 2 * _MOST - 1]}…"


def title_of(call: Operation, repo: Repository | None = None, now: Repository | None = None) -> str:
    data = registry.to_json(call)
    name = str(data.pop("op"))
    fields = {key: _shown(key, value, repo) for key, value in data.items()}
    if name == "apply_pattern" and fields["name"] in pattern_table():
        summary = pattern_table()[fields["name"]][0].summary.rstrip(".")
        fields["name"] = summary[:1].lower() + summary[1:]
    if isinstance(call, ReplaceLines) and repo is not None:
        fields["place"] = _first_change(call, repo, now or repo) + fields["place"]
    template = templates().get(name)
    if template is None:
        return " ".join([name.replace("_", " "), *fields.values()]).strip()
    template = _OPTIONAL.sub(
        lambda part: part[1] if all(fields.get(item) for item in _HOLE.findall(part[1])) else "", template
    )
    text = _filled(template, fields)
    if (over := len(text) - _MOST) > 0:
        # The end of a title says where: the longest of its texts is cut instead.
        longest = max(set(_HOLE.findall(template)), key=lambda name: (len(fields.get(name, "")), name))
        kept = max(len(fields[longest]) - over - 1, 1)
        text = _filled(template, {**fields, longest: f"{fields[longest][:kept]}…"})
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def _filled(template: str, fields: Mapping[str, str]) -> str:
    text = _HOLE.sub(lambda hole: fields.get(hole[1], ""), template)
    return re.sub(r"\s+", " ", text).strip()


def _first_change(call: ReplaceLines, repo: Repository, now: Repository) -> str:
    """The first of replaced lines that is another one than before and now, as it will be: it tells two edits
    of one place apart."""
    lines = (
        repo.index.source(call.place.path).text.splitlines() if call.place.path in repo.index.paths else []
    )
    was, will_be = lines[call.place.first - 1 : call.place.last], call.text.splitlines()
    known = {*was, *(now.index.text(call.place.path) or "").splitlines()}
    if new := next((line.strip() for line in will_be if line not in known), ""):
        return f"{new} "
    kept = {*will_be}
    if old := next((line.strip() for line in was if line not in kept), ""):
        return f"without {old} "
    pairs = zip(will_be, was, strict=False)
    return next((f"{new.strip()} " for new, old in pairs if new != old and new.strip()), "")


def _shown(key: str, value: object, repo: Repository | None) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = str(value)
    if key in ("place", "to"):
        return _place(text, repo)
    if key == "path" and text == ".":
        return ""  # all files
    if key == "target" and "::" in text:
        return text.partition("::")[2].partition("@")[0]
    first, _, rest = text.strip("\n").partition("\n")
    if (
        rest.strip()
        and "\n" not in rest
        and not rest[0].isspace()
        and not first.endswith((":", ",", "(", "["))
    ):
        return f"{first}; {rest}"
    return f"{first} …" if rest.strip() else first


def _place(text: str, repo: Repository | None) -> str:
    """`in shop/cart.py::Cart.add` is `in Cart.add`; lines are named with the function around them."""
    if "::" in text:
        return f"in {text.partition('::')[2].partition('@')[0]}"
    found = re.fullmatch(r"(.+):(\d+)(?:-\d+)?", text)
    if found is None:
        return text
    path, line = found[1], int(found[2])
    if repo is not None and path in repo.index.paths:
        source = repo.index.source(path)
        if around := definitions_at(source, line):
            return f"in {source.qualname(around[-1])}, line {line}"
    return f"at {path}:{line}"

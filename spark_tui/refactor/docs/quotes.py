"""Single quotes for double ones and back, where nothing inside would change.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said, name_words
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "quote quotes quoted quoting quotation marks string strings literal literals single double single-quoted double-quoted around throughout everywhere consistent consistently only without black ruff linter style guide "
        "says say prefer preferred preferring q000 fix use put write change turn convert make switch rather wants want reviewer complains about doesn't don't has have other others normalise normalize replace instead swap",
    )
)
_KIND = re.compile(
    r"\b(single|double)[ -](?:quot|literal|string)|\b(single|double)\b(?= (?:rather|instead|not|to|into|with|ones)\b)|\b(?:to|into|with|by|in|use) (single|double)\b",
    re.I,
)
_TURNED = re.compile(
    r"\b(?P<old>single|double)[ -]?(?:quot\w+|strings?)?(?:,? (?:to|into|with|by|become|->|should be)) (?P<new>single|double)\b",
    re.I,
)
_TOKEN = re.compile(r"([a-zA-Z]*)(\"\"\"|'''|\"|')(.*)\2$", re.S)


def _strings(src: Source, wanted: str) -> list[tuple[int, int, int, str]]:
    """Line, start, end and inner text of literals whose quotes can become the wanted ones."""
    out = []
    other = "'" if wanted == '"' else '"'
    whole = "".join(f"{line}\n" for line in (*src.headers, *src.lines))
    try:
        for token in tokenize.generate_tokens(io.StringIO(whole).readline):
            found = _TOKEN.match(token.string) if token.type == tokenize.STRING else None
            if (
                not found
                or found[2] != other
                or wanted in found[3]
                or "\\" in found[3]
                or ("{" in found[3] and "f" in found[1].lower() and other in found[3])
            ):
                continue
            line = token.start[0] - 1 - len(src.headers)
            if line >= 0:
                start = src.starts[line] + token.start[1]
                out.append((line, start, start + len(token.string), found[3]))
    except (tokenize.TokenError, SyntaxError):
        return []
    return out


def _wanted(text: str) -> str | None:
    turned = _TURNED.search(text)
    if turned:
        return turned["new"].lower()
    loose = set(re.findall(r"\b(single|double)\b", text.lower())) if re.search(r"\bquot", text, re.I) else set()
    if len(loose) == 1 and not re.search(rf"\b(?:no|not|without|remove|drop) {next(iter(loose))}", text, re.I):
        return str(next(iter(loose)))
    kinds = [next(kind for kind in found if kind).lower() for found in _KIND.findall(text)]
    return (
        kinds[0]
        if kinds and (len(set(kinds)) == 1 or re.search(r"\b(?:not|instead of|rather than|over)\b", text, re.I))
        else None
    )


def _rule(order: Order) -> Iterator[Edit]:
    src = order.src
    said = Said(order, VOCABULARY)
    kind = _wanted(said.text)
    if kind is None or not re.search(r"quot|\bq000\b", said.text, re.I):
        return
    quote = "'" if kind == "single" else '"'
    found = _strings(src, quote)
    used = [*said.understood, kind]
    spoken = [text.strip("\"'") for number, text in enumerate(said.quoted) if f"⟦{number}⟧" in said.text]
    named = [one for one in found if one[3] in spoken]
    if not named:
        bare = set(re.findall(r"[\w.-]+", said.text)) - VOCABULARY
        named = [
            one
            for one in found
            if one[3] in bare
            and (
                len(one[3]) > 2
                or re.search(rf"\b(?:for|around|put|write|make|use|quote) {re.escape(one[3])}\b", said.text)
            )
            and one[3].lower() not in VOCABULARY
            and one[3] not in ("the", "line")
        ]
    place = said.place()
    if named:
        used += [one[3] for one in named]
        if len(named) > 1 and place is not None and any(one[0] == place for one in named):
            named = [one for one in named if one[0] == place]
    elif [text for text in spoken if re.sub(r"\(.*\)$", "", text) not in order.identifiers]:
        return
    elif place is not None:
        named = [one for one in found if one[0] == place]
    else:
        first, last = order.scope()
        kept = [
            node
            for node in src.statements
            if isinstance(node, ast.Assign | ast.AnnAssign)
            and {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            & set(re.findall(r"\w+", said.text))
        ]
        if len(kept) == 1 and not order.definitions():
            first, last = src.first_line(kept[0]), src.last_line(kept[0])
            used += [one.id for one in ast.walk(kept[0]) if isinstance(one, ast.Name)]
        named = [one for one in found if first <= one[0] < last]
        used += [piece for node in order.definitions() for piece in (node.name, *name_words(node.name))]
    changes: list[Change] = []
    for _, start, end, inner in named:
        head = src.text[start:end].index(inner + src.text[end - 1]) if inner else end - start - 1
        prefix = src.text[start : start + head - 1] if inner else src.text[start : end - 2]
        changes.append((start, end, f"{prefix}{quote}{inner}{quote}"))
    if changes:
        yield order.edit(changes, *used, *said.understood)


RULES: tuple[Rule, ...] = (Rule(re.compile(r"\b(?:single|double|q000)\b", re.I), _rule),)

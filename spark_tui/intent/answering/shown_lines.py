"""Lines that an instruction shows: as the place of an edit, named by their numbers instead (*in the line `x =
read(1)` drop the 1*), or with a name for what they set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

_FRONT = 80
"""Characters in front of a line that may say that it is a place."""
_NAMED = re.compile(
    r"(?:(?:in|on|at|for)\s+)?(?:the\s+)?(?:line\s+(?P<line>\d+)|`(?P<code>[^`]+)`)\s*[:,]?\s*(?:please\s+)?"
    r"(?:re)?(?:name|call)\s+it\s+(?:(?:to|as)\s+)?`?(?P<new>[^\W\d]\w*)`?\W*",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _around() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What stands in front of a line that is a place, with and without the word for it; that word behind."""
    places, lines, articles = (
        "|".join(map(re.escape, words(kind))) for kind in ("in_a_line", "lines", "articles")
    )
    before = rf"(?<!\w)(?:{places})\s+(?:(?:{articles})\s+)?"
    word = rf"(?:{lines})(?!\w)"
    return (
        re.compile(rf"{before}(?P<line>{word}\s*:?\s*)\Z", re.IGNORECASE),
        re.compile(rf"{before}(?P<line>)\Z", re.IGNORECASE),
        re.compile(rf"\s*{word}", re.IGNORECASE),
    )


def with_numbers(instruction: str, lines: Sequence[str]) -> str:
    """The instruction with its number for each line that it shows as a place, if the file has it once."""
    out, at = "", 0
    for start, end, number in _shown(instruction, lines):
        out += f"{instruction[at:start]}line {number}"
        at = end
    return out + instruction[at:]


def _shown(instruction: str, lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The characters of each shown line with the word for it, and its number."""
    behind_word, alone, word_behind = _around()
    for quoted in tokenize(instruction).quoted:
        code = instruction[quoted.inner_start : quoted.inner_end].strip()
        front = max(quoted.start - _FRONT, 0), quoted.start
        before, after = behind_word.search(instruction, *front), word_behind.match(instruction, quoted.end)
        if before is None and (after is not None or _is_code(code)):
            before = alone.search(instruction, *front)
        elif before is not None:
            after = None
        if before is None:
            continue
        numbers = [number for number, line in enumerate(lines, 1) if line.strip() == code]
        if len(numbers) == 1:
            yield before.start("line"), after.end() if after is not None else quoted.end, numbers[0]


def _is_code(text: str) -> bool:
    """Whether a text is more than a name: only then it is a line without the word for it."""
    return re.fullmatch(r"[\w.]+", text) is None


def with_name_set(instruction: str, situation: Situation) -> str:
    """The instruction as a rename of that name: *`while b := f.read():` call it block*."""
    said = _NAMED.fullmatch(instruction.strip())
    if said is None or situation.path not in situation.repo.index.paths:
        return instruction
    source = situation.repo.index.source(situation.path)
    line, code = int(said["line"] or 0), (said["code"] or "").strip().rstrip(":")
    found = [
        stmt
        for stmt in source.statements
        if stmt.lineno == line or (code and source.lines[stmt.lineno - 1].strip().rstrip(":") == code)
    ]
    names = {(name, source.function_of(stmt)) for stmt in found for name in _set_by(stmt)}
    if len(names) != 1:
        return instruction
    name, function = names.pop()
    where = f" in {source.qualname(function)}" if function is not None else ""
    return f"rename `{name}` to `{said['new']}`{where}"


def _set_by(stmt: ast.stmt) -> Iterator[str]:
    """The names that a statement sets in its first line."""
    heads: list[ast.expr] = [*targets(stmt)]
    if isinstance(stmt, ast.With | ast.AsyncWith):
        heads += [item.optional_vars for item in stmt.items if item.optional_vars is not None]
    heads += [node.target for node in find_nodes(stmt, ast.NamedExpr) if node.lineno == stmt.lineno]
    names = (node for head in heads for node in walk(head) if isinstance(node, ast.Name))
    yield from (node.id for node in names if isinstance(node.ctx, ast.Store))

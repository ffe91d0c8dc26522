"""The comments of a file as people see them: lines below each other that belong together, and code among them
that is commented out."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import parse

_MOST_LINES = 40
"""A longer piece of code is found in parts."""
_LOOKS_LIKE_CODE = re.compile(r"[\w\])]\(|(?<![=<>!]) = |\w\.[a-z_]")
"""In a line that goes on from code, or is a part of it that does not parse."""
_WORDS = re.compile(r"(?:\b[^\W\d_]{2,}[ ,]+){3}")
"""In a line of words."""
_CALL = re.compile(r"[\w\])]\(")
_ENDS = re.compile(r"[.!?;]\s*\Z")
_BEGINS = re.compile(r"#\s*(?:[-*•(\d]|[A-Z]{2,}\b)")
_WIDE = 66
"""A line of words that has less room left than the next word needs goes on below."""
_CODE = (
    *(ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Delete, ast.Assert, ast.Import, ast.ImportFrom),
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.FunctionDef),
    *(ast.AsyncFunctionDef, ast.ClassDef, ast.Pass, ast.Break, ast.Continue),
)


@dataclass(frozen=True, slots=True)
class CommentBlock:
    """Comments on lines `first..last-1`, from 0, and what they say. `among_words`: a part of a run of lines
    that says more, as an example in an explanation. `behind_code`: one at the end of a line."""

    first: int
    last: int
    text: str
    is_code: bool = False
    among_words: bool = False
    behind_code: bool = False


def comment_blocks(source: Source) -> list[CommentBlock]:
    """All comments of a file, in the order of the text. Of a run of lines, code that is commented out is one
    block, and each sentence that goes over several lines."""
    out: list[CommentBlock] = []
    run: list[tuple[int, str]] = []
    column = -1
    for comment in source.comments:
        line, at = source.position(comment.span[0])
        alone = not source.lines[line][:at].strip()
        if run and not (alone and line == run[-1][0] + 1 and at == column):
            out += _parts(run, column)
            run = []
        if alone:
            run.append((line, comment.text))
            column = at
        else:
            out.append(CommentBlock(line, line + 1, comment.text, behind_code=True))
    return sorted([*out, *_parts(run, column)], key=lambda block: block.first)


def goes_on(first: str, second: str) -> bool:
    """Whether a line of a comment goes on with the sentence of the line above it."""
    code = re.match(r"#\s?[\w.]+(?: = |\()", second) is not None and not first.rstrip().endswith(":")
    return not (_ENDS.search(first) or _BEGINS.match(second) or code)


def _parts(run: Sequence[tuple[int, str]], column: int) -> Iterator[CommentBlock]:
    texts = [text.lstrip("#") for _, text in run]
    code = _code_lines(texts)
    low = 0
    for at in range(1, len(run) + 1):
        if at == len(run) or code[at] != code[low] or not (code[low] or _is_wrapped(run, at, column)):
            shown = "\n".join(text for _, text in run[low:at])
            yield CommentBlock(run[low][0], run[at - 1][0] + 1, shown, code[low], any(code) and not all(code))
            low = at


def _is_wrapped(run: Sequence[tuple[int, str]], at: int, column: int) -> bool:
    """Whether a line of words goes on with the one above it, which has no room for more."""
    above, text = run[at - 1][1], run[at][1]
    room = _WIDE - column - len(above)
    return goes_on(above, text) and room < len(text.lstrip("# ").partition(" ")[0]) + 1


def _code_lines(texts: Sequence[str]) -> list[bool]:
    """Which lines of a run are code."""
    code = [False] * len(texts)
    at = 0
    while at < len(texts):
        ends = range(min(len(texts), at + _MOST_LINES), at, -1)
        whole = (end for end in ends if texts[at].strip() and texts[end - 1].strip())
        end = next((end for end in whole if _is_code(texts[at:end])), at)
        if end > at:
            code[at:end] = [True] * (end - at)
        elif at and code[at - 1] and _LOOKS_LIKE_CODE.search(texts[at]) and not _WORDS.search(texts[at]):
            code[at] = True
        at = max(end, at + 1)
    return code


def _is_code(texts: Sequence[str]) -> bool:
    text = textwrap.dedent("\n".join(texts)).rstrip()
    tree = parse(f"{text} pass" if text.endswith(":") else text)
    return tree is not None and any(_does_something(statement, text) for statement in tree.body)


def _does_something(statement: ast.stmt, text: str) -> bool:
    """Whether a statement is code. Plain words and `TODO: later` parse as well."""
    if isinstance(statement, ast.Expr):
        inner = statement.value
        return isinstance(inner, ast.Call | ast.Await | ast.Yield) and _CALL.search(text) is not None
    return isinstance(statement, _CODE) or (
        isinstance(statement, ast.AnnAssign) and statement.value is not None
    )

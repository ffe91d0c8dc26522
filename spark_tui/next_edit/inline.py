"""The rest of a line from the file alone, where it is nearly sure: what always followed here before, the one
name that begins like this, the arguments that a call of this file takes.
"""

from __future__ import annotations

import ast
import keyword
from collections import Counter
from collections.abc import Sequence

from spark_tui.next_edit.tokens import CLOSING, NEWLINE, OPENING, Tokens, is_word, tokens_of
from spark_tui.pysource.syntax.parsing import parse

_LONGEST_CONTEXT = 10
_LEAST_CONTEXT = 3
_LEAST_SEEN = 2
_LEAST_TYPED = 2
"""Letters of a name that have to stand there."""
_LEAST_SHOWN = 2
_MOST_TOKENS = 24


def complete_line(lines: Sequence[str], row: int, column: int) -> str:
    """What nearly surely follows the caret in its line; empty where that cannot be told. What stands after
    the caret is not looked at."""
    line = lines[row][:column]
    before = Tokens("\n".join([*lines[:row], line]))
    if not line.strip() or (before.texts and len(before) - 1 in before.prose):
        return ""
    rest = tokens_of("\n".join([*lines[:row], "", *lines[row + 1 :]]))
    partial = _partial(before, line)
    context = before.texts[: len(before.texts) - bool(partial)]
    found = _followed(context, partial, rest) or _only_name(context, partial, rest)
    if not found and not partial:
        found = _arguments(context, lines, row)
    text = found.lstrip() if line[-1:].isspace() else found
    return text if len(text.strip()) >= _LEAST_SHOWN else ""


def _partial(before: Tokens, line: str) -> str:
    """The word that is being typed."""
    last = before.texts[-1] if before.texts else ""
    return last if is_word(last) and line.endswith(last) else ""


# -- what followed before


def _followed(context: Sequence[str], partial: str, rest: Tokens) -> str:
    """As many tokens as always came after these, in this file."""
    words = list(context)
    out = ""
    typed = partial
    for step in range(_MOST_TOKENS):
        found = _next(words, typed, rest)
        if found is None:
            break
        word, gap = found
        if word == NEWLINE or ("\n" in gap and not typed):
            break
        out += word[len(typed) :] if typed else (gap if words and words[-1] != NEWLINE else "") + word
        words.append(word)
        typed = ""
        if step and word in CLOSING and _depth(words) < 0:
            break
    while out and (out[-1] in "([{.,=" or out.endswith(" ")):
        out = out[:-1]
    return out if out.strip() else ""


def _next(words: Sequence[str], typed: str, rest: Tokens) -> tuple[str, str] | None:
    """The token that came after the longest context that stood here at least twice."""
    texts = rest.texts
    for length in range(min(_LONGEST_CONTEXT, len(words)), _LEAST_CONTEXT - 1, -1):
        context = list(words[len(words) - length :])
        found: Counter[str] = Counter()
        gap = ""
        for at in rest.positions(context[-1]):
            low = at - length + 1
            if low < 0 or at + 1 >= len(texts) or texts[low : at + 1] != context:
                continue
            word = texts[at + 1]
            if typed and (not word.startswith(typed) or word == typed):
                continue
            found[word] += 1
            gap = rest.gap(at + 1)
        if len(found) > 1:
            return None
        if found:
            word, count = found.most_common(1)[0]
            if count >= _LEAST_SEEN:
                return word, gap
    return None


def _depth(words: Sequence[str]) -> int:
    depth = 0
    for word in words[max(i for i in range(len(words) + 1) if i == 0 or words[i - 1] == NEWLINE) :]:
        depth += (word in OPENING) - (word in CLOSING)
    return depth


# -- names


def _only_name(context: Sequence[str], partial: str, rest: Tokens) -> str:
    """The one name of the file that begins with what is typed."""
    if len(partial) < _LEAST_TYPED or (context and context[-1] in ("def", "class", "as", "import", "from")):
        return ""
    texts = rest.texts
    after_dot = bool(context) and context[-1] == "."
    found: Counter[str] = Counter()
    for at, word in enumerate(texts):
        wanted = word.startswith(partial) and word != partial and is_word(word) and at not in rest.prose
        if wanted and (at > 0 and texts[at - 1] == ".") is after_dot:
            found[word] += 1
    if not after_dot:
        found.update(word for word in keyword.kwlist if word.startswith(partial) and word != partial)
    if partial in texts or len(found) != 1:
        return ""
    word, count = next(iter(found.items()))
    sure = count >= (1 if len(partial) > _LEAST_TYPED + 1 else 2)
    return word[len(partial) :] if sure else ""


# -- arguments


def _arguments(context: Sequence[str], lines: Sequence[str], row: int) -> str:
    """The arguments of a call that has just been opened, where the function is of this file and each of its
    parameters is a name of the function around."""
    if len(context) < 2 or context[-1] != "(" or not is_word(context[-2]):
        return ""
    if len(context) > 2 and context[-3] in ("def", "class"):
        return ""
    name = context[-2]
    tree = parse("\n".join([*lines[:row], _blank(lines[row]), *lines[row + 1 :]]))
    if tree is None:
        return ""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    called = [function for function in functions if function.name == name]
    around = [function for function in functions if function.lineno <= row + 1 <= (function.end_lineno or 0)]
    if len(called) != 1 or not around:
        return ""
    spec = called[0].args
    if spec.vararg or spec.kwarg or spec.kwonlyargs:
        return ""
    required = [arg.arg for arg in spec.args[: len(spec.args) - len(spec.defaults)]]
    required = required[1:] if required[:1] in (["self"], ["cls"]) else required
    inner = max(around, key=lambda node: node.lineno)
    known = {arg.arg for arg in (*inner.args.args, *inner.args.kwonlyargs)}
    known |= {
        node.id
        for node in ast.walk(inner)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno <= row
    }
    if not required or not known.issuperset(required):
        return ""
    return ", ".join(required) + ")"


def _blank(line: str) -> str:
    """A line that says nothing, as deep as another one."""
    return line[: len(line) - len(line.lstrip())] + "pass"

"""A file that does not parse gets the one token that it lacks or has too many, where that is plain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.edits.indentation import depth_of, indent_of
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.phrases import mentions, sign
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.fragments import parses
from spark_tui.pysource.syntax.parsing import compile_error

_HEAD = re.compile(
    r"\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b"
)
_FUNCTION = re.compile(r"\s*(?:async\s+)?def\b")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_PASTED = re.compile(r"^\s*(?:Syntax|Indentation|Tab)Error:", re.MULTILINE)
_TOKEN = re.compile(r"\w+|\S")
_MOST = 5
_MOST_TRIED = 150
_MOST_BEFORE = 40


def asks_for_repair(situation: Situation) -> bool:
    """Whether a file that does not parse is open, and the sign that it lacks is named (*the missing colon*)
    or a bracket, or the error is pasted."""
    if situation.path not in situation.repo.index.paths:
        return False
    source = situation.repo.index.source(situation.path)
    told = situation.instruction
    if source.tree is None and (_PASTED.search(told) or mentions("brackets", told)):
        return True
    lacks = re.search(r"expected '(\W+)'|'([\[({])' was never closed", str(source.error or ""))
    signs = {sign(word) for word in re.findall(r"[^\W\d_]+", situation.instruction)}
    return lacks is not None and bool((signs - {None}) & {lacks[1], lacks[2], _PAIRS.get(lacks[2])})


def as_one_repair(orders: tuple[Order, ...], situation: Situation) -> tuple[Order, ...]:
    """A pasted error of a file that does not parse is one thing to repair, whatever stands in its line."""
    if len(orders) < 2 or not _PASTED.search(situation.instruction) or not asks_for_repair(situation):
        return orders
    return (Order(0, len(situation.instruction), (Reading("fix_error", 1.0),)),)


def repair_syntax(context: Context, path: str) -> Iterator[Built]:
    """The one-line repairs after which a file compiles, the likeliest first."""
    source = context.source(path)
    if source.tree is not None:
        return
    line = getattr(source.error, "lineno", None)
    if not line:
        return
    made: set[str] = set()
    tried = 0
    for at in dict.fromkeys([line - 1, *_before(source, line - 1), line]):
        if not 0 <= at < len(source.lines):
            continue
        old = source.lines[at].rstrip("\r\n")
        for new in dict.fromkeys(_attempts(old, *_beside(source, at))):
            tried += 1
            if (
                new == old
                or new in made
                or tried > _MOST_TRIED
                or not (_function_may_parse(source, at, new) and _may_parse(source, at, new))
            ):
                continue
            text = "".join([*source.lines[:at], new + source.newline, *source.lines[at + 1 :]])
            if compile_error(text) is None:
                made.add(new)
                calls = (call("replace_lines", place=f"{path}:{at + 1}", text=new),)
                title = f"{source.lines[at].strip()} → {new.strip()} at {path}:{at + 1}"
                yield Built(calls, 0.95 * 0.85 ** (len(made) - 1), (), title)
                if len(made) == _MOST:
                    return


def _before(source: Source, line: int) -> list[int]:
    """The lines before it in which something may be open: the last one with code, and the one that opens."""
    found = [at for at in range(line - 1, max(line - 12, -1), -1) if source.lines[at].strip()]
    opening = [at for at in found if _open(source.lines[at])]
    return [*found[:1], *opening[:1], *_uneven(source, line)]


def _uneven(source: Source, line: int) -> list[int]:
    """The lines before it that do not begin at a level of the file, if the blanks are what is wrong."""
    if not isinstance(source.error, IndentationError):
        return []
    found = range(line - 1, max(line - _MOST_BEFORE, -1), -1)
    blanks = {at: len(source.lines[at]) - len(source.lines[at].lstrip(" ")) for at in found}
    return [at for at in found if blanks[at] % 4 and source.lines[at].strip()][:3]


def _beside(source: Source, at: int) -> tuple[str, str]:
    """The nearest lines with code above and below."""
    above = next((source.lines[item] for item in range(at - 1, -1, -1) if source.lines[item].strip()), "")
    below = next(
        (source.lines[item] for item in range(at + 1, len(source.lines)) if source.lines[item].strip()), ""
    )
    return above, below


def _function_may_parse(source: Source, at: int, new: str) -> bool:
    """Whether the innermost function around the line may parse with it: cheaper still."""
    lines, blanks = source.lines, depth_of(new)
    if blanks != depth_of(source.lines[at]):
        return True
    low = at - 1
    while low >= 0 and not (depth_of(lines[low]) < blanks and _FUNCTION.match(lines[low])):
        low -= 1
    if low < 0:
        return True
    indent, high = depth_of(lines[low]), at + 1
    while high < len(lines) and (depth_of(lines[high]) > indent or lines[high].strip()[:1] in ("", *")]}#")):
        high += 1
    between = [line for line in lines[low + 1 : at] if line.strip()]
    text = "".join([*lines[low:at], new + "\n", *lines[at + 1 : high]])
    if any(depth_of(line) <= indent for line in between) or text.count('"""') % 2 or text.count("'''") % 2:
        return True
    return parses(text.split("\n"))


def _may_parse(source: Source, at: int, new: str) -> bool:
    """Whether the definition around the line parses with it: cheaper to ask than the file."""
    low, high = at, at + 1
    while low > 0 and (source.lines[low][:1].isspace() or source.lines[low][:1] in ")]}#\r\n"):
        low -= 1
    while low > 0 and source.lines[low - 1].startswith("@"):
        low -= 1
    while high < len(source.lines) and (source.lines[high][:1].isspace() or source.lines[high][:1] in ")]}#"):
        high += 1
    text = "".join([*source.lines[low:at], new + "\n", *source.lines[at + 1 : high]])
    if (
        text.count('"""') % 2
        or text.count("'''") % 2
        or text.startswith(("else", "elif", "except", "finally"))
    ):
        return True
    return parses(text.split("\n"))


def _attempts(line: str, above: str, below: str) -> Iterator[str]:
    """A line with what it may lack: a colon, a bracket, a quote, `==`, a comma, or other blanks before it."""
    code = line.rstrip()
    if _HEAD.match(code) and not code.endswith(":"):
        yield f"{code}:"
        opened = _open(code)
        if opened:
            yield f"{code}{opened}:"
    if _HEAD.match(code) and code.endswith(":") and (opened := _open(code[:-1])):
        yield f"{code[:-1]}{opened}:"
    if _HEAD.match(code) and " = " in code:
        for found in re.finditer(r" = ", code):
            yield f"{code[: found.start()]} == {code[found.end() :]}"
    yield from _quoted(code)
    if opened := _open(code):
        yield code + opened
        if code.endswith(","):
            yield f"{code[:-1]}{opened},"
    if code and code[-1] in ")]}" and not _open(code[:-1]):
        yield code[:-1]
    yield from _indented(line, above, below)
    if code.strip() and not code.endswith((",", ":", "(", "[", "{")):
        yield f"{code},"
    yield from _inserted(code)


def _quoted(code: str) -> Iterator[str]:
    """The line with the quote that it lacks: at its end, before closing brackets, or after a word."""
    for quote in "\"'":
        if code.count(quote) % 2:
            for found in re.finditer(r"(?=\.\w+\()", code):
                yield f"{code[: found.start()]}{quote}{code[found.start() :]}"
            comment = re.search(r"\s+#[^\"']*$", code)
            bare = code[: comment.start()] if comment else code
            closing = bare.rstrip(")]}:,")
            for at in dict.fromkeys([len(closing), len(bare), len(code)]):
                yield f"{code[:at]}{quote}{code[at:]}"
            yield f"{code}{quote})"
            for found in re.finditer(r"(?=[)\]},:;])", code):
                yield f"{code[: found.start()]}{quote}{code[found.start() :]}"


def _indented(line: str, above: str, below: str) -> Iterator[str]:
    """The line as far in as its neighbours, or one level further than the one above."""
    own, *blanks = map(indent_of, (line, below, above))
    deeper = blanks[1] + ("\t" if blanks[1].startswith("\t") else "    ")
    wanted = [deeper, *blanks] if above.rstrip().endswith(":") else [*blanks[::-1], deeper]
    for blank in wanted:
        if blank != own:
            yield blank + line.lstrip()


def _inserted(code: str) -> Iterator[str]:
    """The line with a comma or a bracket somewhere between two of its tokens."""
    ends = [match.end() for match in _TOKEN.finditer(code)]
    for at in ends[:-1]:
        before, after = code[at - 1 : at], code[at:].lstrip()[:1]
        if (before.isalnum() or before in "_\"')]}") and (after.isalnum() or after in "_\"'([{*-"):
            yield f"{code[:at]},{code[at:]}"
    for bracket in _open(code):
        for at in reversed(ends[:-1]):
            yield f"{code[:at]}{bracket}{code[at:]}"


def _open(code: str) -> str:
    """The closing brackets that a line lacks."""
    stack: list[str] = []
    quote = ""
    for item in code:
        if quote:
            quote = "" if item == quote else quote
        elif item in "'\"":
            quote = item
        elif item == "#":
            break
        elif item in _PAIRS:
            stack.append(_PAIRS[item])
        elif stack and item == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))

"""Comments as they are ordered: one above a line or at its end, another text for one, one less.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import MARK, Said, name_words
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, body_behind_docstring, indent_of

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "comment comments commenting commented remark note todo fixme hack xxx add adding put write include insert place leave new says say saying reads read reading text above before over below under after behind end beside inline trailing next "
        "line reviewer wants needs need people keep asking answer explain explains explaining explained nobody gets understands could have should like forget don't mark leave we so that top first right directly just",
    )
)
_COMMENT = re.compile(r"\b(?:comment|remark|todo|fixme|explain(?:s|ed)?)\b|(?:^|\s)#(?!\d)", re.I)
_NUMBER = r"(?:line|ln|l\.?|row) ?(?:no\.? ?|number )?#?(?P<line>\d+)"
_ABOVE = re.compile(
    rf"\b(?:above|before|over|on top of|in front of|for|to|at|on|around|near|nobody gets|about|to explain|explaining|comment)(?: the| that| this| call| loop| check)? (?:{_NUMBER}|(?P<code>{MARK})|(?P<place>(?:only |first |last )?(?:return|loop|for loop|while loop|if|raise|try|yield|assert|with)(?: statement| block)?)\b)"
    rf"|^{_NUMBER.replace('<line>', '<line2>')}\b|^(?P<code2>{MARK}) (?:needs?|wants?|deserves?|should have|could use)",
    re.I,
)
_END = re.compile(r"\b(?:at (?:the )?end of|behind|beside|next to|trailing|inline|end[- ]of[- ]line|same line)\b", re.I)
_BELOW = re.compile(r"\b(?:below|under|underneath|after)\b", re.I)
_GONE = re.compile(
    r"\b(?:remove|delete|drop|kill|strip|get rid|uncomment|comment out|commented[- ]out|change|replace|rename|update|docstring|turn|convert|translate|fix typo)\b",
    re.I,
)
_UNQUOTED = re.compile(
    r"(?:\b(?:(?:that|which|should|must|to) (?:say|read|state)s?|saying|reading)[:,]? |(?:comment|todo|fixme|remark)(?: [^:⟦⟧]*)?: |(?:^|\s)#(?!\d) ?)(?P<text>[^⟦⟧:]{3,})$",
    re.I,
)


_TODO = re.compile(
    r"\b(?:todo|fixme)(?: comment)? (?:to|about|for|that we (?:should|need to)) (?P<text>(?!line\b)[^⟦⟧]+?)(?= (?:above|before|at|on|in|inside|over) )",
    re.I,
)
_TRAILING = re.compile(
    r"\s+(?:to|on|at|above|before|in|behind)\s+(?:the (?:end|top) of\s+)?(?:the\s+)?(?:line|ln|l\.?)\s*#?\d+$", re.I
)
_TOP = re.compile(
    r"\b(?:at|on|to|as) the (?:very )?(?:top|start|beginning|first line)(?: of (?:the |this )?(?:file|module|script))?(?=[\s:,.]|$)(?! of (?!the file|the module|the script|this))|\bfile header\b|\bheader comment\b",
    re.I,
)
_PRAGMA = re.compile(r"#?\s*(?:noqa|type: ?ignore|pragma|pylint:|nosec|fmt:|isort:)", re.I)


def _add(order: Order) -> Iterator[Edit]:
    src = order.src
    said = Said(order, VOCABULARY)
    hashed = any(text.startswith("#") for text in said.quoted)
    if not (hashed or _COMMENT.search(said.text)) or _GONE.search(said.text):
        return
    if re.search(r"\bthe (?:\w+ )?comment\b.*\b(?:should|must|to) (?:say|be|read)\b", said.text, re.I):
        return
    given = _given(said)
    if given is None:
        return
    text, mark, used = given
    if _TOP.search(said.text) and not order.first_line > 1 and not src.headers:
        head = 0
        while head < min(2, len(src.lines)) and re.match(r"#!|#.*coding[:=]", src.lines[head]):
            head += 1
        yield order.edit(
            [(src.starts[head], src.starts[head], f"# {text.lstrip('#').strip()}\n")],
            *used,
            *said.understood,
            "header",
            "very",
            "copyright",
            "license",
            "licence",
        )
        return
    found = _ABOVE.search(said.text.replace(f"⟦{mark}⟧", "⟦⟧") if mark >= 0 else said.text)
    line = _line(order, said, found, mark)
    if line is None:
        return
    todo = re.search(r"\b(?P<what>todo|fixme|hack|xxx)\b", said.text, re.I)
    if todo and not re.match(r"#?\s*(?:todo|fixme|hack|xxx)\b", text, re.I):
        text = f"{todo['what'].upper()}: {text}"
    text = text.lstrip("#").strip()
    used += [*said.understood, src.lines[line] if src.lines[line].strip().rstrip(":") in order.said else ""]
    near = re.search(rf"\b(?:near|around|about|at|on|in) {_NUMBER}", said.text, re.I)
    used += [near[0]] if near and abs(int(near["line"]) - order.first_line - line) <= 2 else []
    used += [one[0] for one in re.finditer(_NUMBER, said.text, re.I) if int(one["line"]) - order.first_line == line]
    if found:
        used += [said.plain(found[0])]
    used += [node.name for node in (*src.functions, *src.classes) if src.first_line(node) <= line < src.last_line(node)]
    used += [
        piece
        for node in order.definitions(said.without(mark))
        for piece in (node.name, *name_words(node.name))
        if src.first_line(node) <= line < src.last_line(node)
    ]
    if _END.search(said.text) or _PRAGMA.match(text):
        if "#" in src.lines[line] or src.lines[line].rstrip().endswith("\\") or _in_text(src, line):
            return
        end = src.starts[line] + len(src.lines[line].rstrip())
        yield order.edit([(end, end, f"  # {text}")], *used, "end", "same")
        return
    if _BELOW.search(said.text) and not re.search(r"\b(?:above|before)\b", said.text, re.I):
        at = line + 1
        behind = next((one for one in src.statements if src.first_line(one) == line), None)
        at = src.last_line(behind) if behind is not None and not hasattr(behind, "body") else at
        here = src.lines[line]
        indent = indent_of(here) + (src.step if here.rstrip().endswith(":") else "")
        yield order.edit([(src.starts[at], src.starts[at], f"{indent}# {text}\n")], *used)
        return
    at = src.starts[line]
    comment = f"{indent_of(src.lines[line])}# {text}"
    if line and src.lines[line - 1].strip() == comment.strip():
        return
    yield order.edit([(at, at, f"{comment}\n")], *used)


def _given(said: Said) -> tuple[str, int, list[str]] | None:
    """The text of the comment: what is in quotes and no place, or what stands behind a colon."""
    marks = [number for number, text in enumerate(said.quoted) if f"⟦{number}⟧" in said.text and text.strip()]
    hashed = [
        number
        for number in marks
        if said.quoted[number].lstrip().startswith("#") and said.line_of(said.quoted[number]) is None
    ]
    if len(hashed) == 1:
        return said.quoted[hashed[0]], hashed[0], [said.quoted[hashed[0]]]
    free = [number for number in marks if not _is_place(said, number)]
    if len(free) > 1:
        spoken = [number for number in free if said.ticks[number] != "`" and said.line_of(said.quoted[number]) is None]
        free = spoken if len(spoken) == 1 else free
    names = {one.name for one in (*said.src.functions, *said.src.classes)}
    free = (
        [number for number in free if re.sub(r"\(.*\)$", "", said.quoted[number]) not in names]
        if len(free) > 1
        else free
    )
    if len(free) == 1:
        return said.quoted[free[0]], free[0], [said.quoted[free[0]]]
    asked = re.search(r"\b(?:add|put|write|insert|leave|place|drop in|stick|comment|mark)\b", said.text, re.I)
    found = None if (marks and free) or not asked else _UNQUOTED.search(said.text)
    if found is None and asked and not free:
        inner = re.search(
            r"\b(?:todo|fixme) (?:in|for|on) (?:the )?\S+(?: function| method)? to (?P<text>[^⟦⟧]{3,})$",
            said.text,
            re.I,
        )
        found = inner or _TODO.search(said.text)
    if found is None or re.match(r"(?:what|why|how|that|about|above|before|on|at)\b", found["text"], re.I):
        return None
    text = _TRAILING.sub("", found["text"] or "").strip()
    return (text, -1, [text]) if len(text) > 2 and not re.fullmatch(_NUMBER, text, re.I) else None


_BEFORE = r"\b(?:above|before|over|below|under|after|behind|at|on|for|of|in|inside|about|around|near)(?: the| a| this| call| line| function| method)*"


def _is_place(said: Said, number: int) -> bool:
    if said.line_of(said.quoted[number]) is None and said.ticks[number] in "\"'":
        return False
    mark = f"⟦{number}⟧"
    return (
        re.search(
            rf"{_BEFORE} {mark}|\b(?:comment|explain) {mark} (?:with|by|as|near|on)\b|^{mark} (?:needs|wants)",
            said.text,
            re.I,
        )
        is not None
    )


def _line(order: Order, said: Said, found: re.Match[str] | None, mark: int) -> int | None:
    """The line that is meant, counted from 0."""
    src = order.src
    count = len(src.lines)
    if found is not None:
        groups = found.groupdict()
        number = groups.get("line") or groups.get("line2")
        if number:
            at = int(number) - order.first_line
            return at if 0 <= at < count and src.lines[at].strip() and not _in_text(src, at) else None
        code = groups.get("code") or groups.get("code2")
        if code and int(code[1:-1]) != mark:
            at_line = said.line_of(said.quoted[int(code[1:-1])])
            if at_line is not None:
                return at_line
        if groups.get("place"):
            return _kind(order, said, groups["place"] or "", mark)
    plain = said.without(mark)
    lines = [number for number, line in enumerate(src.lines) if len(line.strip()) > 8 and line.strip() in plain]
    lines = lines or [
        number for number, line in enumerate(src.lines) if len(line.strip()) > 8 and line.strip().rstrip(":") in plain
    ]
    told = re.search(r"\bthe (?P<what>[\w.]+)(?:\(\))? (?:line|call|assignment)\b", plain)
    if not lines and told:
        pattern = re.compile(rf"(?<!\w){re.escape(told['what'])}\b")
        lines = [at for at, line in enumerate(src.lines) if pattern.search(line) and not line.lstrip().startswith("#")]
        said.understood += [told["what"], "call", "assignment"]
        return lines[0] if len(lines) == 1 else None
    if len(lines) == 1:
        return lines[0]
    if order.here is not None:
        return order.here[0]
    named = order.definitions(plain)
    behind = re.search(
        r"\b(?:above|before|over|on top of|for) (?:the )?(\w+)(?: function| class| method)?$", plain.strip(), re.I
    )
    if not named and behind:
        named = [one for one in (*src.functions, *src.classes) if one.name == behind[1]]
    if len(named) == 1:
        inside = re.search(r"\b(?:in|inside|within|into)\b", said.text, re.I) and not re.search(
            r"\b(?:above|before|over)\b", said.text, re.I
        )
        body = body_behind_docstring(named[0])
        return src.first_line(body[0]) if inside and body else src.first_line(named[0])
    words = set(re.findall(r"\w+", plain.partition(":")[0]))
    stored = [
        node
        for node in src.statements
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)} & words
    ]
    defined = [one for one in (*src.functions, *src.classes) if one.name in words - VOCABULARY]
    if len(stored) + len(defined) == 1 and not named:
        one = (*stored, *defined)[0]
        said.understood += [one.id for one in ast.walk(one) if isinstance(one, ast.Name)]
        inside = (
            isinstance(one, ast.stmt)
            and one in defined
            and re.search(r"\b(?:in|inside|within)\b", said.text, re.I) is not None
        )
        return (
            src.first_line(body_behind_docstring(defined[0])[0])
            if inside and body_behind_docstring(defined[0])
            else src.first_line(one)
        )
    near = re.search(_NUMBER, said.text, re.I)
    at = int(near["line"]) - order.first_line if near else -1
    return at if 0 <= at < count and src.lines[at].strip() and not _in_text(src, at) else None


_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "return": (ast.Return,), "loop": (ast.For, ast.While), "for": (ast.For,), "while": (ast.While,), "if": (ast.If,), "raise": (ast.Raise,),
    "try": (ast.Try,), "assert": (ast.Assert,), "with": (ast.With,), "yield": (ast.Expr,),
}  # fmt: skip


def _kind(order: Order, said: Said, place: str, mark: int) -> int | None:
    """The one statement of a kind in what the order names."""
    word = next((word for word in re.findall(r"\w+", place.lower()) if word in _KINDS), "")
    nodes = [node for node in order.src.statements if isinstance(node, _KINDS.get(word, ()))]
    phrase = said.without(mark)
    nodes = [node for node in order.within(nodes, phrase) if isinstance(node, ast.stmt)]
    if word == "yield":
        nodes = [node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)]
    if place.lower().startswith("last"):
        nodes = nodes[-1:]
    elif place.lower().startswith("first"):
        nodes = nodes[:1]
    return order.src.first_line(nodes[0]) if len(nodes) == 1 else None


def _in_text(src: Source, line: int) -> bool:
    """Whether a line is inside a string of several lines."""
    for node in src.nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.lineno != node.end_lineno:
            first, last = node.lineno - 1 - len(src.headers), (node.end_lineno or 0) - len(src.headers)
            if first < line < last and isinstance(getattr(node, "value", ""), str):
                return True
    return False


_CHANGE = re.compile(
    rf"\b(?:change|replace|update|reword|rewrite|fix|correct)\b.*\bcomment\b.*?(?P<old>{MARK}) (?:to|with|by|into|->) (?P<new>{MARK})|\bcomment\b.*\b(?:change|replace|update|reword|rewrite|should (?:say|be|read)|to say|to)\b[^⟦]*(?P<only>{MARK})",
    re.I,
)


def _change(order: Order) -> Iterator[Edit]:
    """Another text for a comment that is there."""
    src = order.src
    said = Said(order, VOCABULARY | {"change", "replace", "reword", "rewrite", "update", "fix", "correct"})
    found = _CHANGE.search(said.text)
    if not found or not re.search(r"\b(?:change|replace|update|reword|rewrite|fix|correct|should)\b", said.text, re.I):
        return
    new = said.quoted[int((found["new"] or found["only"])[1:-1])]
    comments = [(line, column, text) for line, column, text in src.comments if 0 <= line < len(src.lines)]
    used = [*said.understood, new, "should", "to", "with"]
    if found["old"]:
        old = said.quoted[int(found["old"][1:-1])]
        comments = [one for one in comments if old.strip("# ") in one[2]]
        used.append(old)
    else:
        number = re.search(_NUMBER, said.text, re.I)
        if number:
            at = int(number["line"]) - order.first_line
            comments = [
                one
                for one in comments
                if one[0] in (at, at - 1) and (one[0] == at or src.lines[one[0]].lstrip().startswith("#"))
            ]
            comments = [one for one in comments if one[0] == at] or comments
            used.append(number[0])
        else:
            first, last = order.scope(said.without(int(found["only"][1:-1])))
            comments = [one for one in comments if first <= one[0] < last]
            used += [
                piece
                for node in order.definitions(said.without(int(found["only"][1:-1])))
                for piece in (node.name, *name_words(node.name))
            ]
    if len(comments) != 1:
        return
    line, column, text = comments[0]
    start = src.starts[line] + column
    old = said.quoted[int(found["old"][1:-1])].strip("# ") if found["old"] else ""
    made = text.replace(old, new.lstrip("# "), 1) if old else "# " + new.lstrip("# ")
    yield order.edit([(start, start + len(text), made)], *used)


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\bc[a-z]{3,7}t\b|\bcomment|\bremark\b|\bt[a-z]?o[a-z]?d?o?\b|\btodo\b|\bfixme\b|#|\bexplain", re.I
        ),
        _add,
    ),
    Rule(re.compile(r"\bcomment\b", re.I), _change),
)

"""Comments: add, set and remove them."""

from __future__ import annotations

import re
from itertools import pairwise

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.comment_blocks import comment_blocks, goes_on
from spark_tui.codemods.places.lost_bindings import lost_bindings
from spark_tui.codemods.places.named import Region, find_region, insert_at_line, own_lines, statements
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import DIRECTIVE, plan_edits, refuse_harm, string_lines
from spark_tui.codemods.slots import Choice, Place, Text
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, docstring
from spark_tui.pysource.syntax.tokens import Token

_HEAD = re.compile(r"#!|#.*?coding[:=]")
_SCRIPT = re.compile(r"^# /// \w+\r?$(?:\n#(?: .*)?\r?$)*?\n# ///\r?$", re.MULTILINE)
"""Settings of a script that stand in comments, for those that run it."""


class Where(Choice):
    """The position of a comment."""

    ABOVE = "above"
    BEHIND = "behind"


def _comment(text: str) -> list[str]:
    lines = [line.strip() for line in text.strip().splitlines()]
    if not any(lines):
        raise Refusal("the comment is empty")
    return [line if line.startswith("#") else f"# {line}" if line else "#" for line in lines]


def _line(repo: Repository, place: Place) -> tuple[Source, int]:
    """The line that a place means: that of a definition without its decorators."""
    found = find_region(repo, place)
    if found.node is not None and hasattr(found.node, "lineno"):
        return found.source, found.node.lineno - 1
    return found.source, found.first


@codemod
class AddComment:
    """Add a comment above a line or after its code."""

    place: Place = slot("the line (shop/cart.py:12) or definition (`in Cart.add`)")
    text: Text = slot("the comment; `#` may be left out")
    where: Where = slot("above the line or after it", default=Where.ABOVE)

    def plan(self, repo: Repository) -> Plan:
        lines = _comment(self.text)
        source, at = _line(repo, self.place)
        if self.where is Where.ABOVE and self.place.path:
            at = _below_head(source, at)
        if at in string_lines(source):
            raise Refusal(f"{source.path}:{at + 1}: the line is inside a string")
        line = source.lines[at].rstrip("\r\n")
        if self.where is Where.BEHIND:
            return plan_edits(repo, [_behind(source, at, line, lines)])
        if lines[-1] in (source.lines[at].strip(), source.lines[at - 1].strip() if at else ""):
            raise Refusal("the comment is already there", why="nothing")
        if at and source.lines[at - 1].rstrip("\r\n").endswith("\\"):
            raise Refusal(f"{source.path}:{at + 1}: the line continues the one above it")
        lead = line[: len(line) - len(line.lstrip())]
        text = "".join(lead + item + source.newline for item in lines)
        return plan_edits(repo, [insert_at_line(source, at, text)])


def _below_head(source: Source, at: int) -> int:
    """The line, or the one below those that say how a file is run and written, which stay first."""
    head = [item for item in range(min(2, len(source.lines))) if _HEAD.match(source.lines[item])]
    return max(head) + 1 if head and at <= max(head) < len(source.lines) - 1 else at


def _behind(source: Source, at: int, line: str, lines: list[str]) -> Edit:
    if len(lines) > 1:
        raise Refusal("a comment after code is one line")
    if at + 1 in string_lines(source) or line.endswith("\\"):
        raise Refusal(f"{source.path}:{at + 1}: the line goes on below")
    if not line.strip():
        raise Refusal(f"{source.path}:{at + 1} is blank")
    there = [one.text for one in source.comments if source.position(one.span[0])[0] == at]
    if lines == there:
        raise Refusal("the comment is already there", why="nothing")
    if there:
        raise Refusal("a comment is already there; set_comment changes it")
    end = source.starts[at] + len(line.rstrip())
    return Edit(source.path, end, source.starts[at] + len(line), f"  {lines[0]}")


def _found(found: Region) -> list[Token]:
    low, high = found.source.line_span(found.first, found.last)
    return [comment for comment in found.source.comments if low <= comment.span[0] < high]


def _blocks(found: Region, text: str) -> list[Token]:
    """The comments with a text, and those on the lines around one that go on with it."""
    comments, source = _found(found), found.source
    rows = [source.position(comment.span[0]) for comment in comments]
    alone = [not source.lines[row][:column].strip() for row, column in rows]
    chosen = [text in comment.text for comment in comments] if text else [True] * len(comments)
    for order in (range(1, len(comments)), range(len(comments) - 2, -1, -1)):
        for at in order:
            near = at - 1 if order.step > 0 else at + 1
            follows = abs(rows[at][0] - rows[near][0]) == 1 and rows[at][1] == rows[near][1]
            first, second = sorted((at, near))
            follows = follows and goes_on(comments[first].text, comments[second].text)
            chosen[at] |= chosen[near] and follows and alone[at] and alone[near]
    return [one for one, wanted in zip(comments, chosen, strict=True) if wanted]


@codemod
class SetComment:
    """Change the text of a comment."""

    place: Place = slot("where: shop/cart.py:12 or `in Cart.add`")
    text: Text = slot("the new text")
    old: Text = slot("a part of the comment, if there are several", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        comments = [comment for comment in _found(found) if self.old in comment.text]
        if len(comments) != 1:
            raise Refusal(f"{len(comments) or 'no'} comments fit there")
        lines = _comment(self.text)
        if len(lines) > 1:
            raise Refusal("one line of a comment becomes one line")
        kept = comments[0].text.startswith("#:") and lines[0].startswith("# ")
        return plan_edits(repo, [Edit(found.path, *comments[0].span, "#:" * kept + lines[0][kept:])])


@codemod
class RemoveComments:
    """Remove comments, but not those for tools (`# noqa`, `# type:`) unless they are named."""

    place: Place = slot("where: shop/cart.py:12-14, `in Cart.add`, `in shop/cart.py`")
    text: Text = slot("a part of the comments that are meant; empty for all", default=Text(""))
    code: bool = slot("only code that is commented out", default=False)

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        named = bool(self.text) and DIRECTIVE.match(f"# {self.text}") is not None
        source = found.source
        comments = _blocks(found, self.text)
        unsure: list[Unfollowed] = []
        if self.code:
            comments, unsure = _code_in(source, comments)
        if not named:
            script = [match.span() for match in _SCRIPT.finditer(source.text)]
            of_tools = bool(comments) and not self.text
            plain = [
                token
                for token in comments
                if not DIRECTIVE.match(token.text)
                and not any(low <= token.span[0] < high for low, high in script)
            ]
            # A text that only one comment for a tool has names it.
            comments = plain or (comments if self.text and len(comments) == 1 else [])
            if of_tools and not comments:
                raise Refusal("what is written there is for tools, which is removed only by its text")
        if not comments:
            told = re.findall(r"[^\W\d_]{4,}", self.text)
            texts = [one.text for one in source.comments]
            docs = (docstring(one) for one in (source.tree, *source.definitions) if one is not None)
            texts += [source.segment(one) for one in docs if one is not None]
            elsewhere = self.text and any(word in text for word in told for text in texts)
            elsewhere = elsewhere or (self.text and _plain(self.text) in _plain(source.text))
            raise Refusal("there is no such comment there", why="unfit" if elsewhere else "nothing")
        doubts = [
            Unfollowed(source.path, source.line_number(above.span[0]), "the comment begins above")
            for above, comment in pairwise(comments)
            if self.text in comment.text and self.text not in above.text
        ]
        return plan_edits(repo, [_removed(source, comment) for comment in comments], [*doubts, *unsure])


def _code_in(source: Source, comments: list[Token]) -> tuple[list[Token], list[Unfollowed]]:
    """Those of some comments that are code, and the doubts: code among words may be an example, and is left
    where other code goes."""
    rows = {source.position(one.span[0])[0]: one for one in comments}
    found = [block for block in comment_blocks(source) if block.is_code and block.first in rows]
    if not found:
        raise Refusal("no code is commented out there", why="nothing")
    alone = [block for block in found if not block.among_words]
    told = "code among words was left" if alone else "it stands among words, and may be an example"
    unsure = [Unfollowed(source.path, block.first + 1, told) for block in found if block.among_words]
    lines = [line for block in alone or found for line in range(block.first, block.last)]
    return [rows[line] for line in lines if line in rows], unsure


def _removed(source: Source, token: Token) -> Edit:
    line, column = source.position(token.span[0])
    if not source.lines[line][:column].strip():
        return Edit(source.path, *source.line_span(line, line + 1), "")
    kept = len(source.lines[line][:column].rstrip())
    return Edit(source.path, source.starts[line] + kept, token.span[1], "")


@codemod
class CommentOut:
    """Comment out statements; an empty body gets `pass`."""

    place: Place = slot("the lines: shop/cart.py:12-14")

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        run = statements(found)
        first, last = own_lines(source, run)
        if any(first < line < last for line in string_lines(source)):
            raise Refusal(f"{source.path}:{first + 1}: a string goes over several lines there")
        lead = source.indent(run[0])
        low, high = source.line_span(first, last)
        lines = source.lines[first:last]
        text = "".join(f"{lead}# {line[len(lead) :]}" if line.strip() else line for line in lines)
        emptied = len(run) == len(source.suite(run[0])) and source.parents.get(run[0]) is not source.tree
        if emptied:
            text += "" if text.endswith(("\n", "\r")) else source.newline
            text += f"{lead}pass{source.newline}"
        doubts = lost_bindings(repo, source, run)
        return refuse_harm(repo, planned_change(repo, [Edit(source.path, low, high, text)], doubts))


def _plain(text: str) -> str:
    """The letters of a text: what is no comment may be a docstring that says it."""
    return re.sub(r"[\W_]+", "", text).lower()

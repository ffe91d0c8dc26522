"""An order whose code is told apart from its words, so that patterns read the words alone.

Comes in: an order. Goes out: its text with marks where code stands, what is behind the marks, and code that may be
written into the file. Must not know: which edits there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from spark_tui.refactor.order import Order
from spark_tui.refactor.source import parse

MARK = r"⟦\d+⟧"
_MARKED = re.compile(r"⟦(\d+)⟧")
_TICKED = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|(?<!\w)'([^'\n]*)'(?!\w)")
_WORDY = re.compile(r"\w+(?: \w+)*$")
_KEYWORD = re.compile(
    r"(?:pass|break|continue|return|raise)$|(?:return|raise|assert|del|import|from|global|nonlocal|yield|await)\s\S"
)


_NOISE = re.compile(
    r"\s+\((?!\s*(?:at |on |near |around )?(?:lines?|ln|l)\b)[^()⟦]*\)\s*$"
    r"|[\s,;.!–-]*(?<!\w)(?:because|b/c|bc|cuz|cause|coz|since|so that|so (?:we|i|it|nobody|people|the \w+) (?!can (?:go|be)|has to go|must go|should go)|otherwise (?!set|return|raise|print|do|pass|call)|as (?:it|we|i|they|that|this) |it(?:'s| is| was| will be| bit| makes| confuses| breaks| slows| annoys| looks| reads)|(?:i|we) (?:forgot (?!to)|keep (?!the )|already|only (?:need|want)ed)|that(?:'s| is) |(?:which |it |this )?makes (?:testing|it|things|life|debugging|no difference|reading|the) |easier to|you know what|for (?:testing|debugging|now)$|just that$|nothing else|minimal (?:change|diff)|my bad|sorry|no\?)[^⟦]*$"
    r"|[\s,;.!–-]+(?:closes|fixes|see|needed for|ref|refs) [^⟦]*#?\d+$|,\s*(?:nobody|nothing|no one) (?:calls|uses|needs|reads) (?:it|them|that)(?: any ?more)?$|[\s,;]+(?:imo|imho|afaik|tbh|btw|fyi|i think|i guess|i suppose|if possible|ok|okay|right|no|thx|thanks|sorry)\s*[.?!]*$",
    re.I,
)
"""What is said behind an order about its reasons."""
_LEAD = re.compile(
    r"^(?:(?:you can go ahead and|thanks for the last one|now|wrong order|look|the code says it already|also|and|then|mbe|maybe|perhaps|ok|okay|hm+|oh|alright|nice|great|thanks|cool|so|btw|by the way|imo|imho|afaik|fyi|note|todo|one thing|one more thing|small (?:change|thing)|tiny thing|quick(?:ly)?|quick fix|what i want|while we're here|while you're at it|before we (?:merge|ship|ship this|release)|for now|last thing(?: for t\w+)?|(?:fr\w+ )?the review(?:er)?(?: says| said| wants)?|(?:the )?(?:customer|ticket|boss|linter|spec|reviewer) (?:wants|says|asks|asked|complains)(?: that)?(?: it)?|at the (?:bottom|top|end)|sorry|this is a small one|\d\.|-)\s*[,:.;!-]*\s+|(?:can't|couldn't|won't|don't) (?:we|you|i) |(?:would you )?mind (?:to )?(?=\w+ )|you can (?:go ahead and )?|now (?=put|the |make|move|add|insert|delete|drop|remove|comment)|so (?=drop|delete|remove|put|add)|(?:i think|i guess|i believe|i suppose|imo)\s+(?:we (?:should |can |could )?)?)",
    re.I,
)  # fmt: skip


class Talk:
    """`text` is what was said with `⟦0⟧` for each piece of code; `codes` are the pieces, `quotes` what stood around."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.src = order.src
        self.codes: list[str] = []
        self.quotes: list[str] = []
        text = _TICKED.sub(lambda found: self._mark(found[1], "`"), order.said)
        for piece in self._pieces():
            if piece in text:
                text = re.sub(
                    rf"(?<![\w.`\"']){re.escape(piece)}(?![\w(.\[`\"']|\s*[=+*/<>-])", self._marked(piece), text
                )
        text = _QUOTED.sub(lambda found: self._mark(found[1] or found[2] or "", found[0][0]), text)
        self.text = text
        for _ in range(4):
            shorter = _LEAD.sub("", _NOISE.sub("", self.text, count=1), count=1).strip()
            if len(shorter) < 4:
                break
            self.text = shorter
        self.noise = self.plain(text.replace(self.text, " ", 1))
        """What was said around it: reasons, remarks."""

    def _mark(self, code: str, quote: str) -> str:
        self.codes.append(code)
        self.quotes.append(quote)
        return f"⟦{len(self.codes) - 1}⟧"

    def _marked(self, piece: str) -> str:
        return self._mark(piece, "")

    def _pieces(self) -> Iterable[str]:
        """Source as it stands on its lines: what somebody copies into an order."""
        found = {line.strip() for line in self.src.lines}
        for node in self.src.statements:
            if node.lineno == node.end_lineno:
                found.add(self.src.segment(node))
        found |= {piece[:-1] for piece in found if piece.endswith(":")}
        return sorted((one for one in found if _tellable(one)), key=len, reverse=True)

    def plain(self, piece: str) -> str:
        """The words as they were said."""
        return _MARKED.sub(lambda found: f" {self.codes[int(found[1])]} ", piece)

    def as_said(self, piece: str) -> str:
        """With the quotes that stood around strings: what is code when it is not marked as such."""
        return _MARKED.sub(
            lambda found: self.codes[int(found[1])].join([self.quotes[int(found[1])].replace("`", "")] * 2), piece
        )

    def code(self, piece: str) -> str | None:
        """What is behind a piece that is one mark and nothing else."""
        found = re.fullmatch(r"⟦(\d+)⟧", piece.strip())
        return self.codes[int(found[1])] if found else None

    def is_text(self, piece: str) -> bool:
        """Whether the piece is one string in quotes."""
        found = re.fullmatch(r"⟦(\d+)⟧", piece.strip())
        return found is not None and self.quotes[int(found[1])] in ("'", '"')

    def _names_a_place(self, tree: ast.Module) -> bool:
        """`return None in load`: the last words say where, though Python would take them for a question."""
        defined = {node.name for node in (*self.src.functions, *self.src.classes)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.In):
                last = node.comparators[-1]
                if isinstance(last, ast.Constant) or (isinstance(last, ast.Name) and last.id in defined):
                    return True
        return False

    def new_code(self, piece: str) -> list[str] | None:
        """The lines that a piece says are to be written: it is in backticks or in quotes, or cannot be anything else."""
        quoted = self.code(piece)
        if quoted is None and any(self.quotes[int(mark)] == "`" for mark in _MARKED.findall(piece)):
            return None
        text = (quoted if quoted is not None else self.as_said(piece)).strip()
        for one in dict.fromkeys((text, text.rstrip(" .,;!?"))):
            tree = parse(one)
            if quoted is None and tree is not None and self._names_a_place(tree):
                return None
            if (
                tree is not None
                and tree.body
                and (quoted is not None or _looks_like_code(one, tree))
                and _says(tree, one)
            ):
                return _spread(tree, one)
        return None


def _tellable(piece: str) -> bool:
    if len(piece) < 5 or piece in ("else:", "try:", "finally:", "return", "break", "continue"):
        return False
    return _WORDY.match(piece) is None or _KEYWORD.match(piece) is not None


def _looks_like_code(text: str, tree: ast.Module) -> bool:
    """Said without quotes: what has the signs of code, and no words beside it."""
    only = tree.body[0]
    if len(tree.body) > 1 and not text.startswith(("import ", "from ")):
        return False
    if isinstance(only, ast.Expr):
        return isinstance(only.value, ast.Call | ast.Await | ast.Yield) and re.match(r"[\w.\[\]'\"]+\(|await |yield ", text) is not None  # fmt: skip
    if isinstance(only, ast.AnnAssign):
        return only.value is not None
    return isinstance(only, ast.Assign | ast.AugAssign) or _KEYWORD.match(text) is not None


_PURE = frozenset(
    re.findall(
        r"\w+",
        "any all sum max min sorted len list tuple dict set str int float bool isinstance range enumerate zip abs repr",
    )
)


def _says(tree: ast.Module, text: str) -> bool:
    """A name, a number or a question by itself is no statement that anybody would ask for."""
    for one in tree.body:
        if isinstance(one, ast.Expr):
            call = one.value.value if isinstance(one.value, ast.Await) else one.value
            if isinstance(call, ast.Constant) and call.value is ...:
                continue
            if not isinstance(call, ast.Call | ast.Yield | ast.YieldFrom):
                return False
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _PURE:
                return False
    return "\n" not in text


def _spread(tree: ast.Module, text: str) -> list[str]:
    """`if x: return` on two lines, as it is written in files."""
    one = tree.body[0]
    inner = getattr(one, "body", None)
    if len(tree.body) == 1 and isinstance(inner, list) and inner and not getattr(one, "orelse", None):
        first = inner[0]
        if isinstance(one, ast.If | ast.For | ast.While | ast.With) and first.lineno == one.lineno:
            at = len(text.encode()[: first.col_offset].decode(errors="ignore"))
            return [text[:at].rstrip(), "\t" + text[at:].strip()]
    return [text]


_last: list[Talk] = []


def talk_of(order: Order) -> Talk:
    """The same for every rule that is asked about one order."""
    if not _last or _last[0].order is not order:
        _last[:] = [Talk(order)]
    return _last[0]

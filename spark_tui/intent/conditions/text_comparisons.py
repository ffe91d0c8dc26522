"""Whether the strings of a condition that was made of words are meant as texts; and conditions that a sign or
a quoted text is, or is not, in something, or at its beginning or end."""

from __future__ import annotations

import ast
import builtins
import json
import re

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.conditions.condition_words import condition_words
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_IS_IN = re.compile(
    r"(?:there(?:['’]s|\s+is|\s+are)\s+)?(?P<no>(?:no|not\s+an?|not\s+any)\s+)?(?:(?:an?|any|one)\s+)?"
    r"(?P<sign>\"[^\"]+\"|'[^']+'|[^\w\s]{1,3}|[a-z ]+?)(?:\s+(?:sign|character|char))?"
    r"\s+(?:is\s+|are\s+)?(?P<not>not\s+)?(?:in|inside|within)\s+(?P<x>.+)",
    re.IGNORECASE,
)
_END = re.compile(r"\b((?:start|begin|end)(?:s|ing)?)\s+(?:with|in)\s+(\S.*)\Z", re.IGNORECASE)


def are_texts_known(code: str, words: str, source: Source) -> bool:
    """Whether the strings of a condition are quoted in its words, or stand in the file: in *isn't
    registered* no string is meant."""
    texts = {node.value for node in find_nodes(ast.parse(code), ast.Constant)}
    bare = {
        text
        for text in texts
        if isinstance(text, str)
        and re.search(r"\w", text)
        and not re.search(rf"[^\w\s]{re.escape(text)}", words)
    }
    if not bare or source.tree is None:
        return True
    # Words for what is there or not, such as "unknown", may be texts of the file too.
    standing = {node.value for node in find_nodes(source.tree, ast.Constant)}
    standing -= {*condition_words()["said"]["absent"], *condition_words()["said"]["present"]}
    return bare <= standing or _compared_with_text(code, source.tree)


def _compared_with_text(code: str, tree: ast.AST) -> bool:
    """Whether what a condition compares with a text is so elsewhere in the file, or must be a text."""
    test = parsed(code)
    if re.search(r"\.(?:starts|ends)with\(", code):
        return True  # which take nothing but texts
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq | ast.NotEq):
        return False
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Eq | ast.NotEq)
        and ast.unparse(node.left) == ast.unparse(test.left)
        and isinstance(node.comparators[0], ast.Constant)
        and isinstance(node.comparators[0].value, str)
        for node in walk(tree)
    )


def types_compared(code: str) -> list[str]:
    """The built-in types that something is looked for in, or is more or less than: `x in list`."""
    nodes = list(find_nodes(parsed(code), ast.Compare))
    kinds = (ast.In, ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    ends = [
        end
        for node in nodes
        for act, end in zip(node.ops, node.comparators, strict=True)
        if isinstance(act, kinds)
    ]
    ends += [node.left for node in nodes if isinstance(node.ops[0], kinds)]
    return [
        node.id
        for node in ends
        if isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, 0), type)
    ]


def read_contained(text: str, expression: Expressions) -> str | None:
    """*There is no comma in the line*: the test that a sign or a quoted text is in something; None for other
    words."""
    found = _IS_IN.fullmatch(text.strip().rstrip(".,"))
    if found is None:
        return None
    quoted = found["sign"][:1] in ("'", '"')
    sign = found["sign"][1:-1] if quoted else found["sign"]
    sign = phrases.sign(sign.lower()) if not quoted and re.search(r"\w", sign) else sign
    subject = expression(phrases.without_articles(found["x"])) if sign else None
    if not sign or subject is None:
        return None
    relation = "not in" if found["no"] or found["not"] else "in"
    return f"{json.dumps(sign, ensure_ascii=False)} {relation} {subject}"


def with_quoted_end(text: str) -> str:
    """Signs with which a text begins or ends in quotes, as they stand or by name: *starting with a hash*."""
    said = _END.search(text)
    if said is None:
        return text
    plain = phrases.without_articles(said[2])
    named = phrases.sign(plain) or plain
    if named == plain and re.fullmatch(r"_*[^\W_][\w.()]*|.*['\"\s].*", plain):
        return text
    quoted = repr(named) if '"' in named else f'"{named}"'
    return f"{text[: said.start(1)]}{said[1].removesuffix('ing')} with {quoted}"

"""Conditions in words: `qty is negative` becomes `qty < 0`. Names are looked up in the code."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from spark_tui.intent.conditions.class_checks import check_other_classes, merge_class_checks
from spark_tui.intent.conditions.compared_values import Expressions, is_own_state, read_compared_value
from spark_tui.intent.conditions.condition_messages import show_expression, write_condition_message
from spark_tui.intent.conditions.condition_phrases import RelationPhrase, ends_in_order, relations_in
from spark_tui.intent.conditions.condition_words import in_english_order
from spark_tui.intent.conditions.lengths import read_count
from spark_tui.intent.conditions.number_ranges import outside_of, read_range
from spark_tui.intent.conditions.shared_tests import bracketed, deny, share_relation
from spark_tui.intent.conditions.text_comparisons import read_contained, with_quoted_end
from spark_tui.intent.words.phrases import has_cjk, spelled, table, without_articles, words
from spark_tui.pysource.syntax.parsing import parse_value

_JOINER = re.compile(r"\+(?:or|and|oder|ou|o|und)\\s")
_NEGATED = re.compile(
    r"(?:\s|\A)(?:not|n't|nicht|pas|no|n['’]est pas|(?:is|are|was|has|does|do)n['’]?t)\Z|[不没]\Z",
    re.IGNORECASE,
)
_QUOTES = ("'", '"', "“", "„", "«")
_AT_END = 8
"""How much longer a phrase counts that ends the text: `is not empty` is about `empty`, not about `is not`."""
_OF_A_CLASS = {"equals": "instance", "differs": "no_instance"}
_STATES = {"equals": "is_true", "differs": "is_false"}
_NO_CLASSES = ("None", "True", "False", "Any", "Optional", "NotImplemented", "Ellipsis")
_INSIDE = re.compile(r"\s*(?:in|dans)\s")
_HEAD = re.compile(
    r"\A(?:if|elif|while)\s+(.+?)\s*:(?:\s*(?:continue|break|pass|return\b.*|raise\b.*))?\Z", re.DOTALL
)
"""The condition of a statement that is shown with its first word."""
_VALUED = re.compile(r"([A-Za-z_][\w.]*(?<!_)) (-?\d+\.?\d*)")
"""A name with its value: `code 404`."""
_FAILING = re.compile(r"\Aassert\s+(.+?)\s+fails\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as code, and what an error says when it holds."""

    code: str
    message: str
    kind: str = ""
    weight: float = 1.0


@lru_cache(maxsize=1)
def _openers() -> re.Pattern[str]:
    found = sorted(words("openers"), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, found))})(?:\s+|(?<=[\u3400-\u9fff]))", re.IGNORECASE)


@lru_cache(maxsize=1)
def _copula() -> re.Pattern[str]:
    known = [word for word in words("copulas") if not has_cjk(word)]
    cjk = [word for word in words("copulas") if has_cjk(word)]
    plain = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.compile(rf"(?:(?:^|\s+)(?:{plain})|['’]s|{'|'.join(cjk)})\s*\Z", re.IGNORECASE)


def parse_condition(text: str, expression: Expressions) -> list[Condition]:
    """The conditions that a text may mean, the likeliest first. `expression` reads what is looked at."""
    text = with_quoted_end(text.replace("`", "").strip().rstrip(".,;!?"))
    text = (_HEAD.match(text) or [text, text])[1].removesuffix(":")
    negated = False
    for word in words("unless"):
        if text.lower().startswith(word + " "):
            text, negated = text[len(word) :].strip(), True
            break
    if (failing := _FAILING.match(text)) is not None:
        text, negated = failing[1], not negated
    opener = _openers().match(text)
    if opener is not None:
        text = text[opener.end() :].strip()
    found = [Condition(code, write_condition_message(code)) for code in read_count(text, expression)]
    forms = dict.fromkeys((spelled(in_english_order(text)), text := spelled(text)))
    found = found or next((each for form in forms if (each := list(_parse(form, expression)))), [])
    if not found:
        joiner, _, rest = text.partition(" ")
        if joiner.lower() in (*words("and"), *words("or")):
            found = list(_parse(rest.strip().strip("`"), expression))
    pair = _VALUED.fullmatch(without_articles(text)) if not found else None
    if pair is not None and expression(pair[1]) == pair[1]:
        found = [Condition(f"{pair[1]} == {pair[2]}", "")]
    if negated:
        codes = [deny(condition.code) for condition in found]
        found = [
            Condition(code, write_condition_message(code), one.kind, one.weight)
            for code, one in zip(codes, found, strict=True)
        ]
    return found


def _parse(text: str, expression: Expressions, depth: int = 0) -> Iterator[Condition]:
    code = read_range(text, expression) or read_contained(text, expression) or as_code(text, expression)
    if code is not None:
        yield Condition(code, write_condition_message(code), "", 1.0)
        return
    best = next((phrase for phrase, _ in relations_in(text)), None)
    whole = depth > 1 or (best is not None and _JOINER.search(best.regex))
    joined, lost = (None, False) if whole else _joined(text, expression, depth + 1)
    if joined is not None:
        yield joined
    elif not lost:
        yield from _single(text, expression)


def as_code(text: str, expression: Expressions) -> str | None:
    """The text, where it is an expression all of whose names are known."""
    tree = parse_value(text.strip())
    if tree is None:
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if isinstance(tree, ast.Name | ast.Constant):
        return text if names and expression(text) == text and not _is_class(text, "") else None
    meant = {item: expression(item) for item in sorted(names)}
    for name, code in meant.items():
        if code == f"self.{name}":
            text = re.sub(rf"(?<![\w.]){name}(?!\w)", code, text)
    unknown = {one for one, code in meant.items() if code not in (one, f"self.{one}")}
    if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is | ast.IsNot):
        right = tree.comparators[0]
        if isinstance(right, ast.Constant) and not (right.value is None or isinstance(right.value, bool)):
            return None
        if isinstance(right, ast.Name) and hasattr(builtins, right.id):
            return None
    if (
        isinstance(tree, ast.Compare)
        and len(tree.ops) == 1
        and isinstance(tree.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
    ):
        return None if unknown else text
    is_code = all("_" in item for item in unknown) or re.search(r"[<>=!]=|[<>]|[().\[\]]", text)
    return text if not unknown or is_code else None


def _joined(text: str, expression: Expressions, depth: int) -> tuple[Condition | None, bool]:
    """The condition of several that are joined, and whether only a part was understood."""
    lost = False
    for kind, word in (("or", " or "), ("and", " and ")):
        for item in words(kind):
            spaced = f" {item} " if not has_cjk(item) else item
            if spaced not in f" {text.lower()} ":
                continue
            parts = re.split(re.escape(spaced), text, flags=re.IGNORECASE)
            found = [_of_part(part.strip(), expression, depth) for part in parts]
            if found[0] is None:
                lost = lost or any(_has_relation(one) for one in found)
                continue
            subject = _subject_of(found[0].code)
            others = [without_articles(part.strip()) for part in parts[1:]]
            if kind == "or" and all(_is_class(other, "") for other in others):
                codes = check_other_classes(found[0].code, others)
                found[1:] = [replace(found[0], code=one) for one in codes] or found[1:]
                word = " and " if codes and codes[0].startswith("not ") else word
            for at in range(1, len(found)):
                if found[at] is None and subject:
                    # `not a or b` is neither of them.
                    denied = kind == "or" and " != " in found[0].code
                    word = " and " if denied else word
                    own = (
                        parts[at]
                        .strip()
                        .lower()
                        .startswith(("has ", "have ", "contains ", "starts ", "ends "))
                    )
                    forms = ("is not {}",) if denied else ("{}",) if own else ("is {}", "{}")
                    tries = (spelled(f"{subject} {form.format(parts[at].strip())}") for form in forms)
                    read = (next(iter(_parse(said, expression, depth)), None) for said in tries)
                    found[at] = next((one for one in read if one is not None), None)
            known = [one for one in found if one is not None]
            if len(known) == len(found) and len(known) > 1:
                subject = _subject_of(known[-1].code)
                codes = share_relation([one.code for one in known], subject, parts[-1], kind)
                code = merge_class_checks(codes, word)
                code = outside_of(code or word.join(bracketed(one, kind) for one in codes))
                return Condition(
                    code, write_condition_message(code), kind, min(one.weight for one in known)
                ), False
            lost = lost or any(_has_relation(one) for one in found)
    return None, lost


def _of_part(text: str, expression: Expressions, depth: int) -> Condition | None:
    """The condition of a part of what is joined; `height are 0`, of several names, is read as of one."""
    said = (text, re.sub(r"(?<!\w)are(?=\s)", "is", text))
    return next((one for form in dict.fromkeys(said) for one in _parse(form, expression, depth)), None)


def _has_relation(condition: Condition | None) -> bool:
    """Whether a condition compares, so that it is one of its own and not half of a value."""
    return condition is not None and any(
        isinstance(node, ast.Compare) for node in ast.walk(ast.parse(condition.code, mode="eval"))
    )


def _subject_of(code: str) -> str:
    tree = ast.parse(code, mode="eval").body
    if isinstance(tree, ast.UnaryOp):
        tree = tree.operand
    if isinstance(tree, ast.Compare):
        tree = tree.left
    if isinstance(tree, ast.Call) and tree.args:
        tree = tree.args[0]
    return ast.unparse(tree) if isinstance(tree, ast.Name | ast.Attribute) else ""


def _single(text: str, expression: Expressions) -> Iterator[Condition]:
    """One relation between what is looked at and perhaps a value."""
    low = text.lower()
    seen: set[str] = set()
    count = 0
    matches = sorted(relations_in(text), key=lambda item: -_exactness(item[0], item[1], low))
    for phrase, found in matches:
        if count >= 3:
            break
        entry = table()["conditions"][phrase.kind]
        if (
            any(item in found[0] for item in ("exist", "存在"))
            and phrase.kind in ("is_none", "is_not_none")
            and _names_file(text[: found.start()])
        ):
            other = "missing_file" if phrase.kind == "is_none" else "existing_file"
            entry = table()["conditions"][other]
        front, behind = text[: found.start()], text[found.end() :]
        given = found.groupdict().get("n") or ""
        front, negated = without_copula(front)
        if phrase.kind == "zero" and ends_in_order(front):
            continue  # `menor a cero`
        if phrase.kind == "zero" and not front and behind.strip():
            entry = table()["conditions"]["empty"]  # `zero types`
        parts = _parts(entry["code"], front, behind, given, expression)
        typed = without_articles(behind.strip(" ,.`"))
        like_class = phrase.kind in _OF_A_CLASS and _is_class(typed, "")
        if parts and like_class and typed.lower() == parts["n"].rpartition(".")[2].lower():
            parts["n"] = typed  # not the variable that is called like the class
        if parts and phrase.kind in _STATES and is_own_state(parts["x"], parts["n"], typed):
            entry, parts = table()["conditions"][_STATES[phrase.kind]], {"x": parts["n"], "n": ""}
        if parts is None or parts["x"] == parts["n"]:
            continue
        if phrase.kind in _OF_A_CLASS and found[0][:1].isalpha() and _is_class(parts["n"], parts["x"]):
            entry = table()["conditions"][_OF_A_CLASS[phrase.kind]]
        code = (entry["unless"] if negated else entry["code"]).format(**parts)
        code = code.replace("== None", "is None").replace("!= None", "is not None")
        if code in seen or parse_value(code) is None:
            continue
        if seen and phrase.kind in ("equals", "differs") and '"' in parts["n"]:
            continue
        seen.add(code)
        count += 1
        message = (
            ""
            if negated
            else entry["message"].format(x=show_expression(parts["x"]), n=show_expression(parts.get("n", "")))
        )
        yield Condition(
            code, message or write_condition_message(code), phrase.kind, 1.0 if count == 1 else 0.3
        )


def _exactness(phrase: RelationPhrase, found: re.Match[str], text: str) -> int:
    """How much of a text a phrase explains."""
    whole = "{n}" not in table()["conditions"][phrase.kind]["code"] and found.end() == len(text.rstrip())
    inside = phrase.kind == "equals" and _INSIDE.match(text, found.end()) is not None  # of `is in`
    return phrase.length + (_AT_END if whole else 0) - inside


def _names_file(text: str) -> bool:
    """Whether the words in front of `exists` name a file or folder."""
    return any(item in text.lower() for item in table()["words"]["paths"])


def without_copula(front: str) -> tuple[str, bool]:
    """What stands in front of *is*, *are not* and the like, and whether it is denied."""
    negated = False
    front = front.strip()
    for _ in range(3):
        if (found := _NEGATED.search(front)) is not None:
            front, negated = front[: found.start()].strip(), True
        cut = _copula().sub("", front).strip()
        if cut == front:
            break
        front = cut
    return front, negated


def _parts(code: str, front: str, behind: str, given: str, expression: Expressions) -> dict[str, str] | None:
    """What stands for {x} and {n} of a form, from the text on both sides of its phrase."""
    needs_value = "{n}" in code
    if needs_value:
        amount = given or behind
        subject = front if front.strip() else behind if given else ""
        looked_at = expression(subject) if subject.strip() else None
        read = read_compared_value(amount, expression, looked_at or "")
        if read is None:
            return None
        if " in {n}" in code and read[:1] == '"' and amount.strip(" `.,")[:1] not in _QUOTES:
            return None  # `in there`, `one of them`: no list is named
        return {"x": looked_at, "n": read} if looked_at is not None else None
    rest = behind.strip(" ,.")
    looked_at = expression(front) if front.strip() else None
    if looked_at is not None and any(word not in words("rest") for word in rest.lower().split()):
        return None  # `on the list` is not `on`
    plain = (*words("rest"), *words("articles"))
    if looked_at is None and all(word in plain for word in front.lower().split()):
        looked_at = expression(rest) if rest else None
    if looked_at is None:
        return None
    return {"x": looked_at, "n": ""}


def _is_class(code: str, looked_at: str) -> bool:
    """Whether the words name a class, so that `isinstance` is meant."""
    last = code.rpartition(".")[2]
    known = code in words("type_names") or (last.isidentifier() and last[:1].isupper() and not last.isupper())
    return known and code not in _NO_CLASSES and not looked_at.startswith("type(")

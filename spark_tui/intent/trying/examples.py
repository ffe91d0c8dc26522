"""Calls that a message shows, with the values that stand near them: `half(3) gives 1, should be 1.5`; and
which of these an example wants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from spark_tui.intent.trying.said_values import MOST_CODE, Said, closing, values_in
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.parsing import parse, parse_value
from spark_tui.trials.trial import Outcome, Test, Trial

_NAME = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\(")
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.|In \[\d+\]:) ?(.*)$")
_WITHIN = re.compile(r"\b(?:in|inside|within|dans|en)\s+\Z", re.IGNORECASE)
"""Words in front of a function that is the place of what follows: `in load(), retries should be 3`."""
_MOST_CALLS = 6
_RUN = ">>> "


@dataclass(frozen=True, slots=True)
class Example:
    """A call, what has to be done before it, and the values that are said near it."""

    code: str
    setup: str
    said: tuple[Said, ...]


def examples_in(text: str, source: Source) -> list[Example]:
    """The examples of a message about the functions and classes of a file."""
    plain = text.replace("`", " ").replace("…", "...") if "`" in text else text
    plain, setup = _without_prompts(plain)
    places = list(_calls(plain, source))[:_MOST_CALLS]
    names, errors = frozenset(_bound(source)), frozenset(_errors(source))
    out = []
    for at, (low, high, code) in enumerate(places):
        end = places[at + 1][0] if at + 1 < len(places) else len(plain)
        before = plain[:low] if len(places) == 1 else plain[places[at - 1][1] : low] if at else plain[:low]
        said = [*values_in(before, names, errors)] if len(places) == 1 else []
        out.append(Example(code, setup, (*said, *values_in(plain[high:end], names, errors))))
    return _shared_out(out)


def _shared_out(examples: list[Example]) -> list[Example]:
    """Values behind the last of several calls, one for each (`expected True and 29`), go to their calls."""
    count = len(examples)
    last = [one for one in examples[-1].said if one.wanted] if count > 1 else []
    if not last:
        return examples
    behind = examples[-1].said.index(last[0])
    told = examples[-1].said[behind:]
    if len(told) != count or any(one.wanted for example in examples[:-1] for one in example.said):
        return examples
    own = [*examples[:-1], replace(examples[-1], said=examples[-1].said[:behind])]
    return [
        replace(one, said=(*one.said, replace(value, wanted=True)))
        for one, value in zip(own, told, strict=True)
    ]


def _bound(source: Source) -> Iterator[str]:
    """The names that a file defines, sets or imports."""
    yield from (one.name for one in source.definitions)
    for node in source.body:
        if isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _errors(source: Source) -> Iterator[str]:
    """The exceptions that a file defines, by the names of their bases."""
    for node in source.definitions:
        if isinstance(node, ast.ClassDef):
            bases = [last_name(base) for base in node.bases]
            if any(one.endswith(("Error", "Exception", "Warning")) for one in bases):
                yield node.name


def _without_prompts(text: str) -> tuple[str, str]:
    """A message without the signs of a prompt, and the statements that stand behind them."""
    lines, setup = [], []
    for line in text.splitlines():
        prompt = _PROMPT.match(line)
        code = prompt[1] if prompt is not None else line.strip()
        if _is_statement(code):
            setup.append(code)
            lines.append("")
        else:
            lines.append(code if prompt is not None else line)
    return "\n".join(lines), "\n".join(setup)


def _is_statement(code: str) -> bool:
    if "=" not in code and "import" not in code:
        return False
    tree = parse(code)
    body = tree.body if tree is not None else []
    return bool(body) and all(isinstance(one, ast.Assign | ast.Import | ast.ImportFrom) for one in body)


def _calls(text: str, source: Source) -> Iterator[tuple[int, int, str]]:
    """The outermost calls of what the file defines: where they stand, and their code."""
    defined = {one.name: one for one in source.definitions}
    at = 0
    while (found := _NAME.search(text, at)) is not None:
        high = closing(text, found.end() - 1)
        at = found.end()
        if high is None or high - found.start() > MOST_CODE:
            continue
        while (more := re.match(r"\.\w+\(|\[|\.\w+(?![\w(])(?=\s|$)", text[high:])) is not None:
            longer = closing(text, high + more.end() - 1) if more[0][-1] in "([" else high + more.end()
            if longer is None:
                break
            high = longer
        code = text[found.start() : high]
        place = (
            code.endswith("()") and _WITHIN.search(text, 0, found.start()) and text[high : high + 1] == ","
        )
        if place or parse_value(code) is None:
            continue
        if known := _known(code, found[0][:-1], defined, source):
            yield found.start(), high, known
            at = high


def _known(code: str, called: str, defined: Mapping[str, Definition], source: Source) -> str:
    """The code of a call in terms of the file: without the name of its module, and with an object of the
    class where a variable is named that nobody knows. Empty where nothing of the file is called."""
    root, _, rest = called.partition(".")
    if root in defined:
        return code
    if not rest:
        return ""
    folders = source.path.removesuffix(".py").split("/")
    for at in range(len(folders)):
        prefix = f"{'.'.join(folders[at:])}."
        if called.startswith(prefix):
            inner = called.removeprefix(prefix).partition(".")[0]
            return code.removeprefix(prefix) if inner in defined else ""
    method = defined.get(rest.rpartition(".")[2])
    owner = source.class_of(method) if isinstance(method, Function) else None
    return f"{owner.name}(){code.removeprefix(root)}" if owner is not None and "." not in rest else ""


def value_of(example: Example) -> str:
    """The test that gives the value of an example."""
    return _RUN + "\n".join(filter(None, [example.setup, example.code]))


def wanted_tests(
    module: str, example: Example, outcome: Outcome, trial: Trial
) -> list[tuple[Test, str, bool]]:
    """The test that an example asks for, the value that it wants, and whether it fails now; nothing
    where the message gives no value. Wanted is what it says is right, or what the call does not give."""
    said = list(dict.fromkeys(example.said))
    if not said:
        return []
    states = trial.run([(module, _RUN + _comparison(one, example)) for one in said])
    others = [one for one, state in zip(said, states, strict=True) if state.state == "failed"]
    given = [one for one in said if one not in others]
    if outcome.state == "failed":
        raised = [one for one in others if one.kind == "error" and _last(one.code) == outcome.kind]
        others, given = [one for one in others if one not in raised], [*given, *raised]
    elif kept := [one for one in given if one.wanted and one.kind != "text"]:
        others = kept[:1]
    wanted = [one for one in others if one.wanted] or [one for one in others if given and not one.apart]
    wanted = [one for one in wanted if one.kind != "text"] or wanted
    if not wanted and outcome.state == "passed":
        wanted = given[:1]  # the message only shows what it gives now, which stays
    return [((module, _RUN + _comparison(one, example)), _wish(one), one not in given) for one in wanted[:1]]


def is_reproduced(example: Example, outcome: Outcome, trial: Trial, module: str) -> bool:
    """Whether a call gives what a message says that it gives now; true where it says nothing of that."""
    told = [one for one in example.said if not one.wanted and not one.apart]
    if not told or not any(one.wanted for one in example.said):
        return True
    if any(one.kind == "error" and _last(one.code) == outcome.kind for one in told):
        return True
    states = trial.run([(module, _RUN + _comparison(one, example)) for one in told])
    return any(one.state == "passed" for one in states)


def _wish(one: Said) -> str:
    return f"{'raises' if one.kind == 'error' else 'gives'} {one.code}"


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _comparison(one: Said, example: Example) -> str:
    """Code that fails unless the call gives a value, or raises an error."""
    if one.kind == "error":
        tried = f"try:\n    {example.code}\nexcept {one.code}:\n    pass"
        return "\n".join([example.setup, f"{tried}\nelse:\n    raise AssertionError('no {one.code}')"])
    equal = f"_spark_got == ({one.code})"
    if _is_number(one.code):
        equal = f"not isinstance(_spark_got, str) and abs(_spark_got - ({one.code})) < 1e-9"
    elif one.kind == "value":
        equal += f" or str(_spark_got) == ({one.code}) or repr(_spark_got) == ({one.code})"
    listed = "_spark_got = list(_spark_got) if hasattr(_spark_got, '__next__') else _spark_got"
    return "\n".join([example.setup, f"_spark_got = {example.code}", listed, f"assert {equal}"])


def _is_number(code: str) -> bool:
    try:
        value = ast.literal_eval(code)
    except (SyntaxError, ValueError):
        return False
    return isinstance(value, int | float) and not isinstance(value, bool)

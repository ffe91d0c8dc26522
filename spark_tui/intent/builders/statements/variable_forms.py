"""Forms that are rewritten for one variable only: `prize as a conditional expression`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.intent.building.building import NARROWED, Built, call
from spark_tui.intent.context.lookup import key, plain_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.doubts import Doubt, DoubtKind

_SET = re.compile(r"(?:[\w.]+(?= [-+*/%|&]?= ))?")
"""What the first statement of some code sets."""


_MOST_PLACES = 20
"""Places that are rewritten one by one at most."""


def of_variable(context: Context, made: Iterable[Built]) -> Iterator[Built]:
    """Of the places that a form rewrites those with the named variable in them, where some have it; where
    none has it, a doubt. Words that are no name of the file name no variable."""
    names = {
        without_s(key(plain_name(span.text).rpartition(".")[2]))
        for span in context.reading.slots.get("variable", ())
    }
    for built in made:
        plan = built.calls[0].plan(context.repo)
        paths = plan.paths if isinstance(plan, Plan) else ()
        if len(paths) != 1 or paths[0] not in context.repo.index.paths or not names:
            yield built
            continue
        source = context.source(paths[0])
        known = names & _words(source.text)
        edits = [edit for edit in plan.edits if edit.start < edit.end] if isinstance(plan, Plan) else []
        with_it = [edit for edit in edits if known & _words(_rewritten(source.text, edit))]
        setting = [edit for edit in with_it if known & _words(_set_first(edit.new))]
        with_it = setting or with_it
        lines = sorted({source.line_number(edit.start) for edit in with_it}, reverse=True)
        if not known or len(with_it) == len(edits):
            yield built
        elif len(lines) > _MOST_PLACES:
            doubt = Doubt(f"more than {_MOST_PLACES} places have {context.text('variable')}", DoubtKind.MEANT)
            yield replace(built, doubts=(*built.doubts, doubt))
        elif not with_it and "_" in context.text("variable").strip("_"):
            raise Unresolved(f"what would be rewritten has no {context.text('variable')}")
        elif not with_it:
            doubt = Doubt(f"what is rewritten has no {context.text('variable')}", DoubtKind.MEANT)
            yield replace(built, doubts=(*built.doubts, doubt))
        else:
            name = str(getattr(built.calls[0], "name", ""))
            calls = tuple(call("apply_pattern", name=name, place=f"{source.path}:{line}") for line in lines)
            yield replace(built, calls=calls)


NARROWED["apply_pattern"] = of_variable


def _rewritten(text: str, edit: Edit) -> str:
    """The code of an edit before and after, from the beginning of its first line."""
    return text[text.rfind("\n", 0, edit.start) + 1 : edit.end] + edit.new


def _set_first(code: str) -> str:
    found = _SET.match(code.strip())
    return found[0] if found is not None else ""


def _words(code: str) -> set[str]:
    return {without_s(key(word)) for word in re.findall(r"\w+", code)}

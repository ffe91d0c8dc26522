"""What servers and models do that a turn with a connected model must cope with, by name: a script, the line
that the edit must leave, and what a person must read. Turn, `exec` and workbench are tested with the same."""

import json
from dataclasses import dataclass
from pathlib import Path

from support.failing_servers import EDIT, FAILURES, PIECES
from support.scripted_model import STALL, Answer, Call, refuse

from spark_tui.config import paths

OLD, NEW = "FREE_SHIPPING_FROM = 4900", "FREE_SHIPPING_FROM = 5900"
ASK = "free shipping from 5900"
PATH = "shop/cart.py"
_TEXT = (Path(paths.examples_dir()) / "shop" / PATH).read_text("utf-8")
_HUNK = f"-{OLD}\n+{NEW}\n SHIPPING = 490\n"
_DEFINITION = "    def is_empty(self):\n        return not self.lines\n"


@dataclass(frozen=True)
class Row:
    """`new`: a line of the edit, where there is one; `says`: what a person reads; `never`: what nobody reads;
    `resumes`: whether the turn can go on."""

    answers: tuple
    new: str = ""
    says: tuple = ()
    never: tuple = ()
    models: object = ("m",)
    api: str = "chat"
    resumes: bool = False


def _edited(*answers, **more):
    return Row(answers, new=NEW, **more)


def _failing(name):
    failure = FAILURES[name]
    return Row((failure.answer,), says=failure.says[:1], resumes=failure.resumes)


def _edit_call(old=OLD):
    return Call("edit", json.dumps({"path": PATH, "old": old, "new": NEW}))


ROWS = {
    "a unified diff": _edited(Answer(f"```diff\n--- a/{PATH}\n+++ b/{PATH}\n@@ -6,2 +6,2 @@\n{_HUNK}```\n")),
    "a Codex patch": _edited(
        Answer(f"*** Begin Patch\n*** Update File: {PATH}\n@@\n{_HUNK}*** End Patch\n"),
    ),
    "a whole file": _edited(Answer(f"{PATH}\n```python\n{_TEXT.replace(OLD, NEW)}```\n")),
    "one function": Row((Answer(f"```python\n{_DEFINITION}```\n"),), new="        return not self.lines"),
    "code without a place": Row(
        (Answer("```python\nquux = frobnicate(1)\n```\n"),), says=("could not place",)
    ),
    "a native tool call": _edited(Answer(_edit_call()), Answer("Done.\n"), says=("edit shop/cart.py",)),
    "it looks for itself": _edited(
        Answer(Call("search", '{"pattern": "FREE_SHIPPING"}')),
        Answer(Call("symbols", '{"query": "Cart"}')),
        Answer(Call("read_file", '{"path": "shop/cart.py", "first": 1, "last": 9}')),
        Answer(_edit_call()),
        Answer("Done.\n"),
        says=("read_file shop/cart.py:1-9",),
    ),
    "a busy server": _edited(
        refuse(429, {"error": {"message": "slow down"}}, retry_after="1.5"), Answer(EDIT), says=("slow down",)
    ),
    "a stall": Row((Answer(*PIECES, STALL),), says=("no data for",), resumes=True),
    "a refused parameter": _edited(
        refuse(400, {"error": {"message": "Unsupported parameter: 'temperature'", "param": "temperature"}}),
        Answer(EDIT),
    ),
    "an answer without streaming": _edited(Answer(EDIT, whole=True)),
    "no list of models": _edited(Answer(EDIT), models=None, api="auto"),
    "a list of models that hangs": _edited(Answer(EDIT), models="hang", api="auto"),
    "an answer up to the limit": Row((Answer(*PIECES[:4], reason="length"),), says=("limit",), resumes=True),
    "an edit that does not fit": _edited(
        Answer(EDIT.replace(OLD, "FREE_SHIPPING_FROM = 49")), Answer(EDIT), says=("does not match",)
    ),
    "a call that does not fit": _edited(
        Answer(_edit_call("FREE_SHIPPING_FROM = 49000")),
        Answer(_edit_call()),
        Answer("Done.\n"),
        says=("does not match",),
        never=("tries again",),
    ),
    "a thought": _edited(Answer("<think>Where is it? Ah, there.</think>\n" + EDIT), never=("<think>",)),
    **{
        name: _failing(name)
        for name in (
            "an hour asked for",
            "a content filter",
            "nothing",
            "a missing key",
            "a FastAPI detail",
            "a LiteLLM dict",
        )
    },
}

"""The tour of `spark --demo`: one sentence at a time above the transcript, each completed by doing it with a
live model.

The tour never waits or locks anything. If the answer is a choice, an immediate exact edit, or nothing, the
sentence says so and suggests what to do, so that no step is a dead end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spark_tui.events import Finished
from spark_tui.tables import read_table
from spark_tui.tui.code.hunk_view import OPEN, TAKEN
from spark_tui.tui.settings.keys import Keymap
from spark_tui.tui.turns.state import TurnState

TOKENS_PER_SECOND = 4.0
"""The speed of text during the tour: at full speed an answer takes some 30 ms, too fast to stop by hand."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A row of `tour.toml`."""

    ask: str
    steer: str
    sign: str


SUGGESTIONS = tuple(Suggestion(**row) for row in read_table(__file__, "tour.toml")["suggestion"])
WRITTEN = "let OrderBook say with __contains__ whether a number is in orders @shop/orders.py"
"""An instruction that no exact edit covers, so that the model writes it and can be stopped."""
Step = Literal[
    "ask", "stop", "choose", "steer", "decide", "write", "undo", "stream", "halt", "resume", "end", "over"
]
_NUMBERED: tuple[Step, ...] = ("ask", "steer", "decide", "write", "undo", "stream", "halt", "resume")
_KEYS = ("submit", "stop", "queue", "accept", "reject", "write", "undo", "resume", "help")
_HALFWAY = "Stopped halfway. {resume} continues"
_STOP = "Press {stop} now to stop the model: what it wrote is kept"


class Tour:
    """Goes on as its steps are done; `sentence` is empty when it is over."""

    def __init__(self, keymap: Keymap) -> None:
        self._keys = {action: keymap.shown(action) for action in _KEYS}
        self.step: Step = "ask"
        self._at = 0
        self._says = "{submit} sends this"
        self.prompt = self._suggestion.ask
        """What the prompt should hold for this step; empty: nothing."""
        self._turn = 0
        """The turn that was looked at last."""

    @property
    def _suggestion(self) -> Suggestion:
        return SUGGESTIONS[self._at]

    @property
    def holds_back(self) -> bool:
        """Whether the model is slowed down for this step."""
        return self.step not in ("end", "over")

    @property
    def sentence(self) -> str:
        if self.step == "over":
            return ""
        step = "ask" if self.step in ("stop", "choose") else self.step
        number = f"{_NUMBERED.index(step) + 1}/{len(_NUMBERED)} " if step in _NUMBERED else ""
        return number + self._says.format(**self._keys)

    def see(self, turn_state: TurnState) -> bool:
        """Look at the turn state; whether the prompt should hold something else now."""
        before = (self.step, self.prompt)
        for _ in _NUMBERED:
            here = (self.step, self._says)
            self._look(turn_state)
            if here == (self.step, self._says):
                break
        return (self.step, self.prompt) != before and bool(self.prompt)

    def _go(self, step: Step, says: str, prompt: str = "") -> None:
        self.step, self._says, self.prompt = step, says, prompt

    def _look(self, turn_state: TurnState) -> None:
        idle = not turn_state.busy
        match self.step:
            case "ask" if self._began(turn_state):
                self._go("stop", _STOP)
            case "stop" if idle:
                self._ended(turn_state)
            case "choose" if self._began(turn_state):
                self._go("stop", "This one was taken")
            case "steer" if self._steered(turn_state):
                self._go("decide", "The model continues from there, with your correction")
            case "steer" if self._began(turn_state):
                exact = turn_state.metrics.exact
                self._go("decide", "The edit was corrected" if exact else "This is a new turn")
            case "decide" if idle:
                self._decide(turn_state)
            case "steer" if idle and turn_state.of_turn() and not self._open(turn_state):
                self._decide(turn_state)
            case "write" if turn_state.count("written", "undone") > 0:
                self._turn = turn_state.turn  # a message of one's own before that is no next step
                self._go("undo", "Written. {undo} undoes it")
            case "write" if idle and not turn_state.taken():
                self._decide(turn_state)
            case "undo" if self._began(turn_state) or turn_state.count("undone") > 0:
                self._go("stream", "Now the model writes, slowed down: {submit} sends this", WRITTEN)
            case "stream" if self._began(turn_state):
                self._go("halt", _STOP)
            case "halt" if idle and self._stopped(turn_state):
                self._go("resume", _HALFWAY)
            case "halt" if idle:
                self._end(turn_state)
            case "resume" if not idle:
                self._go("resume", "It continues where it stopped")
            case "resume" if self._stopped(turn_state):
                self._go("resume", _HALFWAY)
            case "resume":
                self._end(turn_state)
            case "end" if self._began(turn_state):
                self._go("over", "")

    def _began(self, turn_state: TurnState) -> bool:
        """Whether a turn has begun since this was asked last."""
        before, self._turn = self._turn, turn_state.turn
        return self._turn > before

    def _ended(self, turn_state: TurnState) -> None:
        """The first answer was stopped, or came to its end."""
        steer = self._suggestion.steer
        if self._steered(turn_state):
            self._go("decide", "The model continues from there, with your correction")
        elif self._is_own(turn_state) and self._open(turn_state):
            self._decide(turn_state)
        elif self._stopped(turn_state):
            self._go("steer", "Stopped. {submit} steers the turn with this", steer)
        elif turn_state.choices:
            self._go("choose", "Several edits may be meant: press a number to choose")
        elif self._open(turn_state) and turn_state.metrics.exact:
            self._go("steer", "Done at once, without the model. {submit} sends a correction", steer)
        elif self._open(turn_state):
            self._go("steer", "It was done before {stop}. {submit} still steers the turn", steer)
        else:
            self._another(turn_state)

    def _decide(self, turn_state: TurnState) -> None:
        """What there is to decide, once it has all come."""
        if turn_state.count(*TAKEN, "undone"):
            self._go("write", "{write} writes the accepted hunks to the file")
        elif not self._open(turn_state):
            self._another(turn_state)
        elif self._is_own(turn_state) or self._has_sign(turn_state):
            self._go("decide", "{queue} goes to the hunk, {accept} accepts it")
        else:
            self._go("decide", "Not what you asked for? {queue} goes to the hunk, {reject} rejects it")

    def _has_sign(self, turn_state: TurnState) -> bool:
        return any(self._suggestion.sign in line for hunk in turn_state.open_hunks() for line in hunk.new)

    @staticmethod
    def _is_own(turn_state: TurnState) -> bool:
        """Whether the person's last message is none that the tour suggests."""
        said = next(
            (line.text for line in reversed(turn_state.lines) if line.speaker in ("you", "steer")), ""
        )
        return all(said not in (suggestion.ask, suggestion.steer) for suggestion in SUGGESTIONS)

    def _another(self, turn_state: TurnState) -> None:
        """There was no edit: say so, and suggest another instruction while there is one."""
        why = "No hunk is left"
        if not isinstance(turn_state.last, Finished):
            why = "The turn failed"
        elif turn_state.last.reason == "cannot":
            why = "It declined: a small model knows few edits"
        elif not turn_state.of_turn():
            own = self._is_own(turn_state)  # "undo that" changes nothing, either
            why = "It changed nothing" + ("" if own else ": a small model misses some edits")
        self._turn = turn_state.turn
        if self._at + 1 < len(SUGGESTIONS):
            self._at += 1
            self._go("ask", why + ". {submit} tries another", self._suggestion.ask)
        else:
            self._go("end", why + ". {help} lists every key")

    def _end(self, turn_state: TurnState) -> None:
        self._turn = turn_state.turn
        self._go("end", "That was the tour; from here on at full speed. {help} lists every key")

    def _open(self, turn_state: TurnState) -> bool:
        return any(hunk.state in OPEN for hunk in turn_state.of_turn())

    @staticmethod
    def _stopped(turn_state: TurnState) -> bool:
        return isinstance(turn_state.last, Finished) and turn_state.last.reason == "interrupted"

    @staticmethod
    def _steered(turn_state: TurnState) -> bool:
        """Whether the person's last message steered the turn."""
        speakers = [line.speaker for line in turn_state.lines if line.speaker in ("you", "steer")]
        return speakers[-1:] == ["steer"]

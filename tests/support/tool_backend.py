"""A scripted model that calls tools: each answer is a list of texts and calls, given piece by piece."""

import json

from support.fakes import FakeBackend

from spark_tui import events

CART = (
    "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
)


class Call:
    """A call in an answer. `arguments` as an object, or as the text that the model writes."""

    def __init__(self, name, arguments=None, *, ended=True, **given):
        self.name = name
        self.text = arguments if isinstance(arguments, str) else json.dumps(arguments or given)
        self.ended = ended


class ToolBackend(FakeBackend):
    """Answers in order, `size` characters a piece. `before` is called with each event before it is given."""

    takes_tools = True

    def __init__(self, *answers, size=7, error=None, before=None, parallel=False):
        super().__init__((), format="search_replace", error=error)
        self.answers = list(answers)
        self.size = size
        self.before = before
        self.parallel = parallel
        self.count = 0
        self.at = 0

    def stream(self, request, stop):
        self.requests.append(request)
        answer = self.answers[len(request.steps)] if len(request.steps) < len(self.answers) else ["Done."]
        if callable(answer):
            answer = answer(request)
        for event in self._events([answer] if isinstance(answer, (str, Call)) else answer, request):
            if stop.is_set():
                return
            if self.before is not None:
                self.before(event)
            yield event
        if self.error is not None:
            raise self.error

    def _events(self, answer, request):
        said = len(request.emitted)
        token = 0
        calls = []
        for part in answer:
            if isinstance(part, str):
                for piece in self._cut(part):
                    token += 1
                    if token > said:
                        yield events.Token(token, piece)
                continue
            self.count += 1
            calls.append((f"call-{len(request.steps) + 1}-{self.count}", part))
            if not self.parallel:
                yield from self._call(*calls[-1])
        if self.parallel:
            streams = [self._call(*call) for call in calls]
            while streams:
                for stream in list(streams):
                    event = next(stream, None)
                    if event is None:
                        streams.remove(stream)
                    else:
                        yield event

    def _call(self, call_id, call):
        yield events.ToolCallStarted(call_id, call.name)
        for piece in self._cut(call.text):
            yield events.ToolArguments(call_id, piece)
        if call.ended:
            yield events.ToolCallEnded(call_id)

    def _cut(self, text):
        return [text[at : at + self.size] for at in range(0, len(text), self.size)]


class TextToolBackend(ToolBackend):
    """The same model where the server takes no schemas: it writes its calls as text."""

    takes_tools = False

    def __init__(self, *answers, **more):
        super().__init__(*answers, **more)

    def stream(self, request, stop):
        self.requests.append(request)
        step = len(request.history)
        answer = self.answers[step] if step < len(self.answers) else ["Done."]
        text = "".join(
            part if isinstance(part, str) else f'<tool name="{part.name}">\n{part.text}\n</tool>\n'
            for part in ([answer] if isinstance(answer, (str, Call)) else answer)
        )
        for number, piece in enumerate(self._cut(text), 1):
            if stop.is_set():
                return
            if number > len(request.emitted):
                yield events.Token(number, piece)

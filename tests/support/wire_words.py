"""How each protocol words the steps of a scripted answer: the events of its stream, and the whole of it."""

import itertools
import json


def _pieces(text, size):
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


class Encoder:
    """Takes the body of a request and the `Answer` to it."""

    last_line = b""

    def __init__(self, body, answer):
        self.body, self.answer = body, answer
        self.calls = itertools.count()
        self.model = body.get("model", "m")

    def call_id(self, call):
        return call.id or f"call_{next(self.calls)}"

    def line(self, event):
        return f"data: {json.dumps(event)}\n\n".encode()

    def begin(self):
        return []

    def events(self, step):
        """The events of one step, by its kind."""
        kind = "text" if isinstance(step, str) else type(step).__name__.lower()
        return getattr(self, kind)(step)


class Chat(Encoder):
    last_line = b"data: [DONE]\n\n"

    def __init__(self, body, answer):
        super().__init__(body, answer)
        self.index = itertools.count()

    def _chunk(self, delta, reason=None, **more):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice], **more}

    def text(self, text):
        return [self._chunk({"content": text})]

    def think(self, step):
        return [self._chunk({"reasoning_content": step.text})]

    def call(self, call):
        index, first, *rest = next(self.index), *_pieces(call.arguments, call.piece)
        head = {"name": call.name, "arguments": first}
        out = [{"index": index, "id": self.call_id(call), "type": "function", "function": head}]
        out += [{"index": index, "function": {"arguments": piece}} for piece in rest]
        return [self._chunk({"tool_calls": [item]}) for item in out]

    def usage(self):
        prompt, cached, output, thought = self.answer.usage
        return {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": thought},
        }

    def end(self):
        usage = {"choices": [], "usage": self.usage()}
        return [self._chunk({}, self.answer.reason), usage]

    def whole(self):
        thought = "".join(step.text for step in self.answer.steps if type(step).__name__ == "Think")
        calls = [step for step in self.answer.steps if type(step).__name__ == "Call"]
        function = [
            {
                "id": self.call_id(call),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
        message = {"role": "assistant", "content": self.answer.said, "reasoning_content": thought}
        choice = {
            "index": 0,
            "message": message | {"tool_calls": function},
            "finish_reason": self.answer.reason,
        }
        return {"object": "chat.completion", "choices": [choice], "usage": self.usage()}


class Responses(Encoder):
    def __init__(self, body, answer):
        super().__init__(body, answer)
        self.index, self.sequence = itertools.count(), itertools.count()

    def line(self, event):
        return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()

    def _event(self, kind, **members):
        return {"type": kind, "sequence_number": next(self.sequence), **members}

    def begin(self):
        return [
            self._event("response.created", response={"id": "r1", "status": "in_progress", "error": None})
        ]

    def text(self, text):
        return [
            self._event("response.output_text.delta", item_id="m1", output_index=next(self.index), delta=text)
        ]

    def think(self, step):
        return [self._event("response.reasoning_summary_text.delta", item_id="t1", delta=step.text)]

    def _item(self, call, arguments):
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": call[0],
            "name": call[1].name,
            "arguments": arguments,
        }
        return item | ({"namespace": call[1].namespace} if call[1].namespace else {})

    def call(self, call):
        at, named = next(self.index), (self.call_id(call), call)
        out = [self._event("response.output_item.added", output_index=at, item=self._item(named, ""))]
        out += [
            self._event("response.function_call_arguments.delta", output_index=at, item_id="f1", delta=piece)
            for piece in _pieces(call.arguments, call.piece)
        ]
        if call.whole:
            item = self._item(named, call.arguments)
            out.append(self._event("response.output_item.done", output_index=at, item=item))
        return out

    def _response(self, output=()):
        reason = {"length": "max_output_tokens"}.get(self.answer.reason, self.answer.reason)
        whole = reason in ("stop", "tool_calls")
        prompt, cached, answer, thought = self.answer.usage
        return {
            "id": "r1",
            "object": "response",
            "status": "completed" if whole else "incomplete",
            "incomplete_details": None if whole else {"reason": reason},
            "error": None,
            "output": list(output),
            "usage": {
                "input_tokens": prompt,
                "input_tokens_details": {"cached_tokens": cached},
                "output_tokens": answer,
                "output_tokens_details": {"reasoning_tokens": thought},
                "total_tokens": prompt + answer,
            },
        }

    def end(self):
        response = self._response()
        return [self._event(f"response.{response['status']}", response=response)]

    def whole(self):
        output = []
        for step in self.answer.steps:
            if isinstance(step, str):
                output.append({"type": "message", "content": [{"type": "output_text", "text": step}]})
            elif type(step).__name__ == "Think":
                output.append({"type": "reasoning", "summary": [{"type": "summary_text", "text": step.text}]})
            else:
                output.append(self._item((self.call_id(step), step), step.arguments))
        return self._response(output)


class Messages(Encoder):
    def __init__(self, body, answer):
        super().__init__(body, answer)
        self.index = itertools.count()

    def line(self, event):
        return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()

    def _reason(self):
        words = {
            "stop": "end_turn",
            "length": "max_tokens",
            "tool_calls": "tool_use",
            "content_filter": "refusal",
        }
        return words.get(self.answer.reason, self.answer.reason)

    def _usage(self):
        prompt, cached, output, _ = self.answer.usage
        return {"input_tokens": prompt - cached, "cache_read_input_tokens": cached, "output_tokens": output}

    def begin(self):
        message = {"id": "m1", "type": "message", "role": "assistant", "content": [], "stop_reason": None}
        return [
            {"type": "message_start", "message": {**message, "usage": {**self._usage(), "output_tokens": 1}}}
        ]

    def _block(self, block, deltas, whole=True):
        at = next(self.index)
        out = [{"type": "content_block_start", "index": at, "content_block": block}]
        out += [{"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas]
        return out + ([{"type": "content_block_stop", "index": at}] if whole else [])

    def text(self, text):
        return self._block({"type": "text", "text": ""}, [{"type": "text_delta", "text": text}])

    def think(self, step):
        thought = {"type": "thinking_delta", "thinking": step.text}
        signature = {"type": "signature_delta", "signature": "EqQB"}
        return self._block({"type": "thinking", "thinking": ""}, [thought, signature])

    def call(self, call):
        block = {"type": "tool_use", "id": self.call_id(call), "name": call.name, "input": {}}
        pieces = _pieces(call.arguments, call.piece)
        return self._block(
            block, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces], call.whole
        )

    def end(self):
        usage = {"output_tokens": self.answer.usage[2]}
        stop = {"stop_reason": self._reason(), "stop_sequence": None}
        return [{"type": "message_delta", "delta": stop, "usage": usage}, {"type": "message_stop"}]

    def whole(self):
        content = []
        for step in self.answer.steps:
            if isinstance(step, str):
                content.append({"type": "text", "text": step})
            elif type(step).__name__ == "Think":
                content.append({"type": "thinking", "thinking": step.text, "signature": "EqQB"})
            else:
                given = json.loads(step.arguments)
                content.append(
                    {"type": "tool_use", "id": self.call_id(step), "name": step.name, "input": given}
                )
        return {"type": "message", "content": content, "stop_reason": self._reason(), "usage": self._usage()}


ENCODERS = {"/chat/completions": Chat, "/responses": Responses, "/messages": Messages}

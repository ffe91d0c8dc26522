"""A server process with a model of a few thousand weights: `python tiny_server.py PORT TOKENS`.

Prints the address once it listens, and serves until it is killed. After so many tokens of an answer it waits
for ever; with 0 it does not wait.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from support.serving import Live  # noqa: E402
from support.tiny_models import spark_backend  # noqa: E402

from spark_tui.events import Token  # noqa: E402
from spark_tui.serve.batching.batch_engine import BatchEngine  # noqa: E402


class Held:
    """The backend that it wraps, which waits after so many tokens until it is stopped."""

    def __init__(self, inner, tokens):
        self._inner, self._tokens = inner, tokens

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def stream(self, request, stop):
        written = 0
        for event in self._inner.stream(request, stop):
            yield event
            written += isinstance(event, Token)
            if written == self._tokens:
                stop.wait()
                return


def main() -> None:
    port, tokens = int(sys.argv[1]), int(sys.argv[2])
    model = spark_backend(3)
    live = Live(Held(model, tokens) if tokens else BatchEngine(model), port=port)
    print(live.url, flush=True)
    live.thread.join()


if __name__ == "__main__":
    main()

"""A server process with a model of a few thousand weights: `python tiny_server.py PORT TOKENS_PER_SECOND`.

Prints the address once it listens, and serves until it is killed. A rate of 0 is as fast as it goes.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "backends")]

from serving import Live  # noqa: E402
from tiny_models import spark_backend  # noqa: E402

from spark_tui.backends.paced import PacedBackend, Steady  # noqa: E402
from spark_tui.serve.shared_engine import SharedEngine  # noqa: E402


def main() -> None:
    port, rate = int(sys.argv[1]), float(sys.argv[2])
    model = spark_backend(3)
    live = Live(PacedBackend(model, Steady(rate), "slow") if rate else SharedEngine(model), port=port)
    print(live.url, flush=True)
    live.thread.join()


if __name__ == "__main__":
    main()

"""Starts the workers of jobs by forks of a process that has loaded them: each would load for half a second.

`python job_starter.py FD` is that process: over the socket come the folder, the environment, the log and the
claim of a job, and it ends with the socket.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


class JobStarter:
    """What `launcher._spawn` does, done by the process behind a socket."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked

    def spawn(self, folder: Path, claim: int) -> None:
        wanted = {"folder": str(folder), "environ": dict(os.environ)}
        with (folder / "log").open("wb") as log:
            socket.send_fds(self._asked, [json.dumps(wanted).encode()], [log.fileno(), claim])
            assert self._asked.recv(8) == b"started"


@contextlib.contextmanager
def job_starter() -> Iterator[JobStarter]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, __file__, str(theirs.fileno())]
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with ours, subprocess.Popen(command, pass_fds=[theirs.fileno()], env=where) as process:
        theirs.close()
        yield JobStarter(ours)
        ours.close()
        process.wait()


def serve(asked: socket.socket) -> int:
    # The worker comes to git later.
    import git  # noqa: F401

    from spark_tui.jobs import worker

    while True:
        wanted, files, _, _ = socket.recv_fds(asked, 1 << 20, 2)
        if not wanted:
            return 0
        child = os.fork()
        if not child:
            os.setsid()
            if os.fork():
                os._exit(0)
            asked.close()
            log, claim = files
            for standard in (1, 2):
                os.dup2(log, standard)
            given = json.loads(wanted)
            os.environ.clear()
            os.environ.update(given["environ"])
            return worker.main(Path(given["folder"]), claim)
        os.waitpid(child, 0)
        for file in files:
            os.close(file)
        asked.send(b"started")


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # as `-P` does
    sys.exit(serve(socket.socket(fileno=int(sys.argv[1]))))

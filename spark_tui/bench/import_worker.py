"""Imports modules in a process of its own and prints, as JSON, those that fail with the reason.

Run as a file: `python import_worker.py ROOT MODULE ...`. It imports nothing of spark.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import warnings


def main(root: str, modules: list[str]) -> dict[str, str]:
    sys.path[0] = root
    warnings.simplefilter("ignore")
    failed: dict[str, str] = {}
    for name in modules:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                importlib.import_module(name)
        except BaseException as error:  # a module may even exit
            failed[name] = f"{type(error).__name__}: {error}"[:300]
    return failed


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2:])))

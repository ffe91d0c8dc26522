"""spark: a pair programmer for the terminal that edits inside the file, token by token."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__version__ = "0.1.0"


class _BeforeNumpy:
    """Set before any import of numpy, so that it loads the kernels that fit this machine (see
    `engine/kernels/blas.py`)."""

    @classmethod
    def find_spec(
        cls,
        name: str,
        path: object = None,  # noqa: ARG003
        target: object = None,  # noqa: ARG003
    ) -> ModuleSpec | None:
        if name != "numpy":
            return None
        sys.meta_path.remove(cls)
        from spark_tui.engine.kernels import blas

        return blas.numpy_spec()


sys.meta_path.insert(0, _BeforeNumpy)

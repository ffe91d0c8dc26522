"""Comments on lines that a pattern replaces."""

from __future__ import annotations

from codemods.repositories import after


def test_comments_of_what_goes_stand_above_what_comes() -> None:
    code = "import os\n\ntry:  # once\n    os.f()\nexcept OSError:  # gone\n    pass  # noqa: S110\n"
    new = (
        "import os\nfrom contextlib import suppress\n\n# once\n# gone\nwith suppress(OSError):\n    os.f()\n"
    )
    assert after("apply_pattern suppress 'in m.py'", code) == new

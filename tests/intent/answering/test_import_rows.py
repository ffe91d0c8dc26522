"""Messages that only ask to join the imports of a module or to part one."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = "import os, sys\nfrom datetime import date\nfrom datetime import time\n\nprint(os, sys, date, time)\n"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("merge the datetime imports", "date\nfrom datetime import time", "date, time"),
        ("combine the imports from datetime into one line", "date\nfrom datetime import time", "date, time"),
        ("split import os, sys into two lines", "os, sys", "os\nimport sys"),
    ],
)
def test_the_imports_become_one_or_several(text: str, old: str, new: str) -> None:
    assert changed(CODE, text, "sort_imports") == CODE.replace(old, new, 1)


@pytest.mark.parametrize("text", ["merge the imports and the constants", "sort the imports", "split os"])
def test_what_says_more_is_read(text: str) -> None:
    calls = str([way.calls for way in answer_to(CODE, text, "sort_imports").ways])
    assert "MergeImports" not in calls
    assert "SplitImport" not in calls

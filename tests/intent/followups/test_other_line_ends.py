"""Follow-ups in a file whose lines end as on Windows do what they do elsewhere."""

from __future__ import annotations

import pytest
from intent.followups.test_names_beside_the_edit import behind

CODE = """def counter(start=0, step=1):
    count = start
    print("begun", count)
    return count + step


def timer(start=0):
    count = start
    return count
"""


@pytest.mark.parametrize(
    "said",
    [
        ("raise ValueError if step is 0 in counter", "no, TypeError", "also if start is negative"),
        ("raise ValueError if step is 0 in counter", "also if start is negative"),
        ("raise ValueError if step is 0 in counter", "with the value in the message"),
        ("raise ValueError if start is negative in counter", "same for timer"),
        ("rename count to total in counter", "also in timer"),
        ("rename start to first in counter", "and step to by"),
        ("use logging instead of print in counter", "use debug"),
        ("wrap the body of counter in a try that returns None", "no, 0"),
    ],
)
def test_a_follow_up_does_the_same(said: tuple[str, ...]) -> None:
    text = behind(CODE, *said)[1]
    assert text != CODE
    assert behind(CODE.replace("\n", "\r\n"), *said)[1] == text.replace("\n", "\r\n")

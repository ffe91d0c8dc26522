"""The caches of ended turns spare later ones from reading the same text again."""

from support.engine_turns import FILE, run, together

from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.events import PrefillProgress, Token


def test_a_follow_up_reads_only_what_is_new(shared):
    first = run(shared, instruction="one", files=(FILE,))
    text = "".join(event.text for event in first if isinstance(event, Token))
    second = run(shared, instruction="two", files=(FILE,), history=(Exchange("one", text),))
    progress = next(event for event in second if isinstance(event, PrefillProgress))
    assert progress.reused > 100
    assert progress.total - progress.reused < progress.total / 2


def test_a_warmed_file_is_there_for_the_first_turn(shared):
    assert all(
        isinstance(event, PrefillProgress)
        for event in run(shared, kind="warm", files=(FILE,), instruction="")
    )
    progress = next(event for event in run(shared, files=(FILE,)) if isinstance(event, PrefillProgress))
    assert progress.reused > 100


def test_many_may_warm_at_once(shared):
    out = together(
        shared, [Request("", kind="warm", files=(FilePart(f"{n}.py", FILE.text),)) for n in range(4)]
    )
    assert out == [[]] * 4
    assert len(shared._warm) == 4

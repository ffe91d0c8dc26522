"""Which edits of a turn count as failed in the end."""

from spark_tui import events
from spark_tui.edits.edit_failures import EditFailures


def left(*taken):
    failures = EditFailures()
    for event in taken:
        failures.note(event)
    return [failure.path for failure in failures.left]


def call(step, *inside):
    name = f"call_{step}"
    return events.ToolCalled(name, "edit", step), *inside, events.ToolFinished(name, "edit", "{}", "", True)


def misfit(path, message="does not match", code=3):
    return events.HunkFailed(1, path, message, code)


def fits(path):
    return events.HunkClosed(2, path, 1, ("a",), ("b",))


def test_a_later_edit_of_the_same_file_stands_in_for_one_that_the_model_was_told_of():
    assert left(*call(1, misfit("a.py")), *call(2, fits("a.py"))) == []
    assert left(*call(1, misfit("a.py")), fits("a.py")) == []
    assert left(misfit("a.py"), events.Steered("did not fit"), fits("a.py")) == []


def test_the_same_failure_after_the_model_was_told_counts_once():
    again = misfit("a.py"), events.Steered("did not fit"), misfit("a.py")
    assert left(*again) == ["a.py"]
    assert left(*again, misfit("a.py", "is another")) == ["a.py", "a.py"]
    assert left(misfit("a.py"), misfit("a.py")) == ["a.py", "a.py"]


def test_an_edit_of_another_file_does_not():
    assert left(*call(1, misfit("a.py")), *call(2, fits("b.py"))) == ["a.py"]
    assert left(misfit("a.py"), events.Steered("did not fit"), fits("b.py")) == ["a.py"]


def test_an_edit_of_the_same_answer_does_not():
    assert left(misfit("a.py"), fits("a.py")) == ["a.py"]
    assert left(*call(1, misfit("a.py")), *call(1, fits("a.py"))) == ["a.py"]


def test_each_edit_stands_in_for_one():
    twice = call(1, misfit("a.py"), misfit("a.py"))
    assert left(*twice, *call(2, fits("a.py"))) == ["a.py"]
    assert left(*twice, *call(2, fits("a.py")), *call(3, fits("a.py"))) == []


def test_a_file_that_was_named_by_mistake_may_be_another():
    assert left(*call(1, misfit("crt.py", events.NO_SUCH_FILE)), *call(2, fits("cart.py"))) == []
    assert left(*call(1, misfit("../cart.py", code=5)), *call(2, fits("cart.py"))) == []


def test_an_edit_that_changes_nothing_or_is_not_whole_stands_in_for_none():
    same = events.HunkClosed(2, "a.py", 1, (), ())
    partial = events.HunkClosed(2, "a.py", 1, ("a",), ("b",), partial=True)
    assert left(*call(1, misfit("a.py")), *call(2, same, partial)) == ["a.py"]


def test_a_place_that_an_exact_edit_left_is_no_failure():
    assert left(misfit("a.py", code=0)) == []

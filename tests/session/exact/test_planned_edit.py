"""What speaks against an exact edit is said once, where it is."""

from spark_tui import events
from spark_tui.codemods.plan import Finding, Plan, Unfollowed
from spark_tui.edits.hunk import Hunk
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.session.exact.exact_turn import LeftPlace, PlannedEdit

HERE = Unfollowed("a.py", 3, "it may run when the module is imported, which is not tried")
THERE = [Unfollowed("docs.md", line, "it mentions f") for line in (4, 5)]
HUNKS = (Hunk(1, "a.py", 3, ("f()",), ("g()",)), Hunk(2, "a.py", 9, ("f()",), ("g()",)))


def planned(unfollowed, guessed=()):
    return PlannedEdit("x", "rename(f, g)", Plan((), tuple(unfollowed)), HUNKS, {}, guessed=tuple(guessed))


def test_a_reason_about_an_edited_line_is_a_doubt_about_its_hunk_and_no_place_that_was_left():
    edit = planned([HERE])
    assert edit.doubts == (events.Doubt(1, 0.5, HERE.reason),) and edit.left == ()
    assert edit.summary == f"→ rename(f, g)\n? a.py:3: {HERE.reason}\n"


def test_places_that_were_guessed_about_are_counted_once_and_listed_where_they_are():
    marks = ["the name was made up", *(f"{item.path}:{item.line} {item.reason}" for item in THERE)]
    edit = planned(THERE, marks)
    count = "2 places to check were not changed"
    assert edit.summary == f"→ rename(f, g)\n? the name was made up\n{count}\n"
    assert [doubt.reason for doubt in edit.doubts] == [f"the name was made up; {count}"] * 2
    assert edit.left == tuple(LeftPlace("docs.md", item.line, "not changed: it mentions f") for item in THERE)


def test_a_place_that_was_left_in_an_edited_line_is_a_doubt_about_its_hunk():
    left = Unfollowed("a.py", 9, "thing.f: the class of the object is not known")
    edit = planned([left])
    assert edit.doubts == (events.Doubt(2, 0.5, left.reason),) and edit.left == ()


def test_what_may_break_is_a_doubt_about_its_hunk_beside_what_was_guessed():
    harm = Finding("a.py", 3, "calls", "g does not fit", sure=False)
    marks = ("the name was made up", f"a.py:3 {harm.reason}")
    edit = PlannedEdit("x", "x", Plan(findings=(harm,)), HUNKS, {}, guessed=marks)
    assert edit.doubts == (
        events.Doubt(1, 0.5, "may break: g does not fit; the name was made up"),
        events.Doubt(2, 0.5, "the name was made up"),
    )


def test_what_may_break_elsewhere_marks_the_hunks_of_an_edit_that_was_read():
    harm = Finding("a.py", 40, "members", "uses x.f; X no longer has f", sure=False)
    edit = PlannedEdit("x", "x", Plan(findings=(harm,)), HUNKS, {}, guessed=(f"a.py:40 {harm.reason}",))
    assert [doubt.reason for doubt in edit.doubts] == ["1 place elsewhere may break"] * 2
    assert edit.left == (LeftPlace("a.py", 40, f"may break: {harm.reason}"),)


def test_an_edit_that_leaves_a_part_undone_is_doubted_as_a_part():
    undone = Doubt("not done: rename g to h", DoubtKind.UNDONE)
    assert [doubt.part for doubt in planned([], [undone]).doubts] == [True, True]
    assert [doubt.part for doubt in planned([], ["the name was made up"]).doubts] == [False, False]


def test_places_alone_mark_no_hunk_of_a_command():
    assert planned(THERE).doubts == ()


def test_a_long_call_is_cut_in_the_transcript():
    edit = PlannedEdit("x", f"replace_lines(a.py:3, {'x ' * 400})", Plan(), HUNKS, {})
    assert len(edit.summary) < 410 and edit.summary.endswith("…\n")


def test_of_calls_that_differ_only_in_their_place_the_first_is_shown_and_counted():
    def shown(*calls):
        return PlannedEdit("x", "; ".join(calls), Plan(), HUNKS, {}).summary

    renames = [f"rename(a.py::f{number}.qty, count)" for number in range(9)]
    assert shown(*renames, "remove(b.py::g)") == (
        "→ rename(a.py::f0.qty, count); … and 8 more like it; remove(b.py::g)\n"
    )
    apart = [f"rename(a.py::f{number}, g{number})" for number in range(9)]
    assert shown(*apart) == f"→ {'; '.join(apart)}\n"
    removed = [f"remove(a.py::f{number})" for number in range(9)]
    assert shown(*removed) == f"→ {'; '.join(removed)}\n"


def test_of_a_text_of_several_lines_the_transcript_has_the_first():
    shown = "replace_lines(a.py:3-5, def f():\n    g(1)\n    h(2)); rename(a.py::f, g); insert_line(b.py:1)"
    edit = PlannedEdit("x", shown, Plan(), HUNKS, {})
    assert edit.summary.startswith(
        "→ replace_lines(a.py:3-5, def f(): …); rename(a.py::f, g); insert_line(b.py:1)\n"
    )

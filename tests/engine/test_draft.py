"""The drafter: what it proposes, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.engine.draft import SuffixDrafter


class TestDrafter:
    def drafter(self, source: Sequence[int], **options: object) -> SuffixDrafter:
        found = SuffixDrafter(source, **options)  # type: ignore[arg-type]
        found.begin([900, 901])
        return found

    def test_copies_run_to_the_longest_draft(self) -> None:
        source = list(range(100, 300))
        drafter = self.drafter(source, anchors={7: 50})
        written: list[int] = []
        drafter.extend([7], 0, 0)
        passes = 0
        while len(written) < 120:
            draft = drafter.propose(15)
            truth = source[50 + len(written) :][: len(draft) + 1]
            accepted = sum(1 for a, b in zip(draft, truth, strict=False) if a == b)
            drafter.extend(truth, len(draft), accepted)
            written += truth
            passes += 1
        assert written[:120] == source[50:170]
        assert passes <= 10

    def test_after_a_replaced_token_it_continues_after_it(self) -> None:
        drafter = self.drafter(list(range(100, 140)), anchors={7: 0, 8: 20})
        drafter.extend([7], 0, 0)
        assert drafter.propose(3) == [8, 100, 101]
        drafter.extend([8], 0, 0)
        assert drafter.propose(3) == [100, 101, 102]
        drafter.extend([100, 555], 3, 1)
        assert drafter.propose(4) == [102, 103, 104, 105]

    def test_what_ends_a_part_closes_it(self) -> None:
        source = [100, 101, 9, 102, 103, 9, 104, 9]
        drafter = self.drafter(source, anchors={7: 0, 8: 3, 6: 6, 5: 8}, closing=[50, 51])
        drafter.extend([8, 6, 102], 0, 0)
        assert drafter.propose(9) == [103, 9, 50, 51]
        drafter.extend([77, 78, 79, 9], 0, 0)
        assert drafter.propose(9) == [50, 51]
        drafter.extend([50], 2, 1)
        assert drafter.propose(9) == []

    def test_text_read_after_the_opening_counts_as_output(self) -> None:
        source = list(range(100, 140))
        drafter = SuffixDrafter(source, anchors={7: 0, 8: 20}, opening=60, starting=[70, 71])
        drafter.begin([900, 7, 901, 60, 7, 8, 100])
        assert drafter.pointer == 0
        assert drafter.propose(3) == [101, 102, 103]

    def test_before_anything_is_written_it_proposes_how_an_output_begins(self) -> None:
        drafter = self.drafter(list(range(100, 140)), anchors={7: 0, 8: 20}, opening=60, starting=[70, 71])
        assert drafter.propose(1) == [70]
        assert drafter.propose(9) == [70, 71]
        drafter.extend([70, 7], 2, 1)
        assert drafter.propose(2) == [8, 100]

    def test_what_replaces_nothing_begins_like_what_it_stands_before(self) -> None:
        drafter = self.drafter([100, 9, 101, 9, 102, 9], anchors={7: 0, 8: 2, 6: 4, 5: 6})
        drafter.extend([8, 8], 0, 0)
        assert drafter.propose(9) == [101]
        drafter.extend([101, 55], 1, 1)
        drafter.extend([5, 5], 0, 0)
        assert drafter.propose(9) == []

    def test_of_two_equal_endings_the_text_already_written_wins(self) -> None:
        source = [70, 10, 11, 12, 13, 71, 72, 73, 74, 75, 76]
        drafter = self.drafter(source, anchors={7: 6})
        for token in [7, 80, 10, 11, 99, 13, 81, 10, 11]:
            drafter.extend([token], 0, 0)
        assert drafter.propose(3)[0] == 99

    @given(
        st.lists(st.integers(0, 5), min_size=1, max_size=60),
        st.lists(st.integers(0, 7), max_size=60),
        st.integers(0, 20),
    )
    def test_it_never_proposes_more_than_asked(self, source: list[int], text: list[int], limit: int) -> None:
        drafter = self.drafter(source, anchors={6: 0, 7: len(source) // 2})
        for token in text:
            draft = drafter.propose(limit)
            assert len(draft) <= limit
            accepted = 1 if draft[:1] == [token] else 0
            drafter.extend([token, 3] if accepted else [token], len(draft), accepted)
            assert drafter.pointer < len(source)

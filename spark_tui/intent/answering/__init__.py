"""From an instruction to an answer: an edit, a choice of edits, or a sentence."""

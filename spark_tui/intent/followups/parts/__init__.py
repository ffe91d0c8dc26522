"""Which parts of an edit go or stay."""

"""The pipeline of one turn, steering, the journal and the store."""

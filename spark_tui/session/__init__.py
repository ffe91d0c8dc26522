"""One turn from prompt to patch: the pipeline, follow-ups and steers, the journal, and the session index."""

"""Settings, the files that hold them, and spark's folders."""

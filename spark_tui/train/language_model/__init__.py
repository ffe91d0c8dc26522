"""The language model in torch: its sizes, its training, and the files it becomes."""

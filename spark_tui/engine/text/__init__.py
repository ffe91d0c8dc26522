"""Prompts as a model reads them, text from token ids, and which tokens may come next."""

"""The words of slots as code: names, texts, classes and statements."""

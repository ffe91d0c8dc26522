"""Find what an instruction is about in the code: expressions, statements, blocks."""

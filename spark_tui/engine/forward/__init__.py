"""The parts of one forward pass, as `engine.model` puts them together."""

"""Matrix products, activations and attention, and which of several implementations wins on this machine."""

"""`spark --screen-reader`: lines in order, each spoken once and never redrawn."""

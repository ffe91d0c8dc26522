"""Values that words say: numbers, times, dates, keys, and values made of several."""

def load(path, limit):
    """Read the rows of a file."""
    if limit < 1:
        raise ValueError("limit must be positive")
    rows = path.read_text().splitlines()
    # skip the header
    rows = rows[1:]
    kept = []
    for row in rows:
        # strip the trailing comma
        row = row.rstrip(",")
        kept.append(row)
    return kept[:limit]


def widest(rows):
    """Return the length of the longest row."""
    return max(map(len, rows))


def narrow(rows):
    return min(map(len, rows))

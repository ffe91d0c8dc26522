from os import path, sep


class Page:
    def __init__(self, width, sizes):
        self.width = width
        self.sizes = sizes

    def render(self, rows, kind):
        seen = []
        for row in rows:
            if row not in seen:
                seen.append(row)
        print("a page of " + kind)
        margin = self.sizes[kind]
        return fitted(rows, self.width, 4096), sorted(seen), margin


def room(lines):
    return 4096 - len(lines)

const columns = ["time", "ship", "berth", "state"];

export function row(entry) {
  const cells = columns.map((name) => entry[name] ?? "");
  return cells.join(" | ");
}

export function board(entries, now) {
  const shown = [];
  for (const entry of entries) {
    if (entry.time < now) {
      continue;
    }
    shown.push(row(entry));
  }
  if (shown.length === 0) {
    return "no ships today";
  }
  return shown.join("\n");
}

export class Ticker {
  constructor(entries) {
    this.entries = entries;
    this.at = 0;
  }

  next() {
    if (this.entries.length === 0) {
      return null;
    }
    const entry = this.entries[this.at];
    this.at = (this.at + 1) % this.entries.length;
    return row(entry);
  }

  reset() {
    this.at = 0;
  }
}

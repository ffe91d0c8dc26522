import { get } from "./http.js";

const LIMIT = 20;

export function render(items) {
  const list = document.createElement("ul");
  for (const item of items) {
    const row = document.createElement("li");
    row.textContent = item.name;
    list.append(row);
  }
  return list;
}

export class Shop {
  constructor(url) {
    this.url = url;
  }

  async load() {
    const items = await get(this.url);
    return items.slice(0, LIMIT);
  }
}

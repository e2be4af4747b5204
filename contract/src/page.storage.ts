type StorageName = 'localStorage' | 'sessionStorage';

/** What a page keeps until it is closed, where the browser keeps nothing. */
class MemoryStorage implements Storage {
  [name: string]: unknown;
  readonly #values = new Map<string, string>();
  get length() {
    return this.#values.size;
  }
  key(index: number) {
    return [...this.#values.keys()][index] ?? null;
  }
  getItem(name: string) {
    return this.#values.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    this.#values.set(name, String(value));
  }
  removeItem(name: string) {
    this.#values.delete(name);
  }
  clear() {
    this.#values.clear();
  }
}

const memories: Record<StorageName, WeakMap<object, Storage>> = {
  localStorage: new WeakMap(),
  sessionStorage: new WeakMap(),
};

/** The page's storage; `null` where the browser blocks site data, for which it throws or has none. */
export function browserStorage(page: Window, name: StorageName): Storage | null {
  try {
    return page[name] ?? null;
  } catch {
    return null;
  }
}

/** The page's storage; where the browser blocks site data, one that lasts until the page is closed. */
export function pageStorage(page: Window, name: StorageName): Storage {
  const stored = browserStorage(page, name) ?? memories[name].get(page);
  if (stored) return stored;
  const memory = new MemoryStorage();
  memories[name].set(page, memory);
  return memory;
}

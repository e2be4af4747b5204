type StorageName = 'localStorage' | 'sessionStorage';

/** What a page keeps until it is closed, where the browser keeps nothing. */
function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, String(value)),
    removeItem: (name) => void values.delete(name),
    clear: () => values.clear(),
  };
}

const memories: Record<StorageName, WeakMap<object, Storage>> = {
  localStorage: new WeakMap(),
  sessionStorage: new WeakMap(),
};

/** The page's storage; `undefined` where the browser blocks site data, for which it throws or has none. */
export function browserStorage(page: Window, name: StorageName): Storage | undefined {
  try {
    return page[name];
  } catch {
    return undefined;
  }
}

/** The page's storage; where the browser blocks site data, one that lasts until the page is closed. */
export function pageStorage(page: Window, name: StorageName): Storage {
  const stored = browserStorage(page, name) ?? memories[name].get(page);
  if (stored) return stored;
  const memory = memoryStorage();
  memories[name].set(page, memory);
  return memory;
}

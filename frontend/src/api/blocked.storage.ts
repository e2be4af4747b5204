import { browserStorage, pageStorage } from '@orange-id/contract/page.storage';

/** Where the browser blocks site data, gives the page storage that lasts until it is closed. Runs before other scripts. */
export function replaceBlockedStorage(page: Window): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (browserStorage(page, name)) continue;
    Object.defineProperty(page, name, { value: pageStorage(page, name), configurable: true });
    page.document.documentElement.dataset['storage'] = 'blocked';
  }
}

/** Whether the browser keeps nothing of this page. */
export const isStorageBlocked = (): boolean => document.documentElement.dataset['storage'] === 'blocked';

import '@testing-library/jest-dom/jest-globals';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { configure } from '@testing-library/react';
import { File } from 'node:buffer';
import { machineRecords } from '../inspect/machine.inspect';
import { network, unanswered } from './network';

// A page is drawn in several steps, on a machine that other processes keep busy: wait as long as a browser test does.
configure({ asyncUtilTimeout: 10_000 });

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  // A test waits for what the page shows, as a person does; React need not be told when it may draw.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  machineRecords.length = 0;
  network.resetHandlers();
  expect(unanswered.splice(0)).toEqual([]);
});
afterAll(() => network.close());

/** What a page asks of the browser and jsdom lacks; nothing here is the portal's own. */
const brush: object = new Proxy(() => undefined, { get: () => () => brush, set: () => true });
const never = { observe() {}, unobserve() {}, disconnect() {}, takeRecords: () => [] };
Object.assign(window, {
  // Sent by Node's fetch, which takes jsdom's own for text.
  File,
  matchMedia: (media: string) => ({
    media,
    matches: media.includes('prefers-reduced-motion'),
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }),
  ResizeObserver: class {
    constructor() {
      return never;
    }
  },
  IntersectionObserver: class {
    constructor() {
      return never;
    }
  },
  scrollTo() {},
  Path2D: class {
    constructor() {
      return brush;
    }
  },
  /** What is posted arrives as a task of its own. */
  MessageChannel: class {
    readonly port1: { onmessage: ((message: { data: unknown }) => void) | null } = { onmessage: null };
    readonly port2 = { postMessage: (data: unknown) => setTimeout(() => this.port1.onmessage?.({ data })) };
  },
});
Element.prototype.scrollIntoView = () => {};
HTMLCanvasElement.prototype.getContext = () => brush as never;
HTMLDialogElement.prototype.showModal = function () {
  this.setAttribute('open', '');
};
HTMLDialogElement.prototype.close = function () {
  this.removeAttribute('open');
};
// user-event names a key; the lists of antd read its number.
const keyNumbers: Record<string, number> = {
  ...{ Backspace: 8, Tab: 9, Enter: 13, Escape: 27 },
  ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 },
};
Object.defineProperty(KeyboardEvent.prototype, 'keyCode', {
  get(this: KeyboardEvent) {
    return keyNumbers[this.key] ?? this.key.toUpperCase().charCodeAt(0);
  },
});
// A text area that grows with its text adds up its paddings, which jsdom cannot compute from variables.
document.head.insertAdjacentHTML(
  'beforeend',
  '<style>textarea { padding-top: 0 !important; padding-bottom: 0 !important; }</style>',
);
// jsdom answers for the element and complains when asked about a pseudo-element.
const styleOf = window.getComputedStyle.bind(window);
window.getComputedStyle = (element) => styleOf(element);

// The environment's AbortSignal is Node's, for fetch; jsdom's listeners take only jsdom's own.
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, options) {
  if (typeof options !== 'object' || !options.signal) return listen.call(this, type, listener, options);
  const { signal, ...rest } = options;
  if (signal.aborted) return;
  listen.call(this, type, listener, rest);
  signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest));
};

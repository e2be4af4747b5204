import { rendered } from './turn.channel';
import './page.checks';
import '@testing-library/jest-dom/jest-globals';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { configure, getConfig } from '@testing-library/react';
import { File } from 'node:buffer';
import { machineRecords } from '../inspect/machine.inspect';
import { computedStyle } from './computed.style';
import { forgetToasts, watchToasts } from './expect.toast';
import { network, unanswered } from './network';

// A page renders in several steps, and other processes keep the machine busy, so this waits as long as a browser test
// does.
const { asyncWrapper } = getConfig();
configure({
  asyncUtilTimeout: 10_000,
  // React's production build renders some changes in later turns of the event loop, which Testing Library doesn't wait
  // for in a test with fake timers.
  asyncWrapper: async (work) => {
    const result = await asyncWrapper(work);
    await rendered();
    return result;
  },
});

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
beforeAll(watchToasts);
beforeEach(() => {
  // Tests wait for what the page shows, so React needs no `act` environment.
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
  forgetToasts();
  expect(unanswered.splice(0)).toEqual([]);
});
afterAll(() => network.close());

/** Browser APIs that pages use and jsdom lacks. */
const brush: object = new Proxy(() => undefined, { get: () => () => brush, set: () => true });
const never = { observe() {}, unobserve() {}, disconnect() {}, takeRecords: () => [] };
Object.assign(window, {
  // Node's fetch sends its own File correctly, but would send jsdom's as text.
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
});
Element.prototype.scrollIntoView = () => {};
HTMLCanvasElement.prototype.getContext = () => brush as never;
HTMLDialogElement.prototype.showModal = function () {
  this.setAttribute('open', '');
};
HTMLDialogElement.prototype.close = function () {
  this.removeAttribute('open');
};
// user-event sets `key`; antd's lists read `keyCode`.
const keyNumbers: Record<string, number> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};
Object.defineProperty(KeyboardEvent.prototype, 'keyCode', {
  get(this: KeyboardEvent) {
    return keyNumbers[this.key] ?? this.key.toUpperCase().charCodeAt(0);
  },
});
// A growing text area sums its paddings, which jsdom can't compute from CSS variables.
document.head.insertAdjacentHTML(
  'beforeend',
  '<style>textarea { padding-top: 0 !important; padding-bottom: 0 !important; }</style>',
);
window.getComputedStyle = computedStyle;

// Node's AbortSignal is global here because fetch needs it; jsdom's listeners accept only jsdom's own.
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, options) {
  if (typeof options !== 'object' || !options.signal) return listen.call(this, type, listener, options);
  const { signal, ...rest } = options;
  if (signal.aborted) return;
  listen.call(this, type, listener, rest);
  signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest));
};

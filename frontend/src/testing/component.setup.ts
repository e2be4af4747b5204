import '@testing-library/jest-dom/jest-globals';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { configure } from '@testing-library/react';
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
});
afterEach(() => {
  jest.useRealTimers();
  machineRecords.length = 0;
  network.resetHandlers();
  expect(unanswered.splice(0)).toEqual([]);
});
afterAll(() => network.close());

/** What a page asks of the browser and jsdom lacks; nothing here is the portal's own. */
const never = { observe() {}, unobserve() {}, disconnect() {}, takeRecords: () => [] };
Object.assign(window, {
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
  /** What is posted arrives as a task of its own. */
  MessageChannel: class {
    readonly port1: { onmessage: ((message: { data: unknown }) => void) | null } = { onmessage: null };
    readonly port2 = { postMessage: (data: unknown) => setTimeout(() => this.port1.onmessage?.({ data })) };
  },
});
Element.prototype.scrollIntoView = () => {};
HTMLDialogElement.prototype.showModal = function () {
  this.setAttribute('open', '');
};
HTMLDialogElement.prototype.close = function () {
  this.removeAttribute('open');
};
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

import { expect } from '@jest/globals';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, render, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { App } from '../app/App';
import { routes } from '../app/routes';
import { machineRecords, stateName } from '../inspect/machine.inspect';
import { unsignedToken } from './unsigned.token';

export const config: PublicConfig = {
  publicUrl: 'http://localhost',
  version: '1.2.3',
  identity: {
    baseUrl: 'http://localhost',
    callbackUrl: 'http://localhost/auth/callback',
    subscriptionKey: 'subscription',
    tenantId: 'orange',
    walletConnectId: null,
    beta: false,
  },
  features: { embeddedProjects: true, google: true, apple: true, mailbox: true },
  playgroundOrigin: 'http://playground.localhost',
  rateLimitPerKey: 1000,
  links: {
    apiReference: '/api/docs',
    configurator: null,
    docs: '/docs',
    feedback: 'https://feedback.example.com',
    learnMore: 'https://learn.example.com',
    templateProject: null,
    reactGuide: null,
    scriptExample: null,
    gameForm: 'https://forms.example.com/games',
    gameListing: 'https://games.example.com',
    gameRepository: null,
    telegram: 'https://telegram.example.com',
    x: 'https://x.example.com',
    discord: 'https://discord.example.com',
    news: 'https://news.example.com',
  },
};

/**
 * Leaves out antd's thousands of style rules: they show nothing in jsdom, which would match each against every element
 * in queries.
 */
const withoutStyles = { zeroRuntime: true };

export interface MachineHandle {
  state(): string | null;
  /** Waits until the machine is in this state or one of its child states. */
  is(wanted: string): Promise<void>;
  send(event: EventObject): void;
}

export interface Portal {
  user: UserEvent;
  /** The current URL without its origin. */
  address(): string;
  /** `state` is what the page passes to the next one in the browser's history. */
  goTo(path: string, state?: unknown): Promise<void>;
  /** Navigate as the browser's back and forward buttons do. */
  goBack(): Promise<void>;
  goForward(): Promise<void>;
  /** Unmounts the portal, as closing the tab does. */
  close(): void;
  machine(id: string): MachineHandle;
}

interface OpenOptions {
  /** `'stored'`: the user of the tokens in the browser's storage. */
  as?: 'developer' | 'visitor' | 'stored';
  /** Overrides the features of `config`. */
  features?: Partial<PublicConfig['features']>;
  /** Overrides that of `config`. */
  playgroundOrigin?: null;
}

/**
 * Renders the whole portal in jsdom at `path`, signed in unless `as` says otherwise. Router, session and machines are
 * real; only the network is mocked (`network.ts`). `user` clicks and types; `machine` reads a machine's state.
 */
export function openPortal(
  path: string,
  { as = 'developer', features = {}, ...others }: OpenOptions = {},
): Portal {
  if (as === 'developer') {
    localStorage.setItem(storageKeys.accessToken, unsignedToken(Date.now() + 3_600_000));
    localStorage.setItem(storageKeys.refreshToken, 'refresh-token');
  }
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  // Updates the window's URL for code that reads it before the next render. A URL that the test has set is kept,
  // because it may contain a query that the page removes.
  const follow = ({ location: { pathname, search } }: typeof router.state) => {
    if (pathname + search !== followed) window.history.replaceState(null, '', pathname + search);
    followed = pathname + search;
  };
  let followed = window.location.pathname;
  follow(router.state);
  router.subscribe(follow);
  const { unmount } = render(
    <ConfigProvider theme={withoutStyles}>
      <App config={{ ...config, ...others, features: { ...config.features, ...features } }}>
        <RouterProvider router={router} />
      </App>
    </ConfigProvider>,
  );
  return {
    // jsdom has no stylesheets, so there is no `pointer-events` to check at each click.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    address: () => router.state.location.pathname + router.state.location.search,
    goTo: (to: string, state?: unknown) => act(() => router.navigate(to, { state })),
    goBack: () => act(() => router.navigate(-1)),
    goForward: () => act(() => router.navigate(1)),
    close: unmount,
    machine,
  };
}

/** The newest machine of the page with this id. */
function machine(id: string): MachineHandle {
  const record = () => machineRecords.findLast((known) => known.id === id || known.machine === id);
  const state = () => {
    const snapshot = record()?.actor.getSnapshot() as AnyMachineSnapshot | undefined;
    return snapshot ? stateName(snapshot.value) : null;
  };
  return {
    state,
    is: (wanted: string) =>
      waitFor(() => expect(state()).toMatch(new RegExp(`^${wanted.replaceAll('.', '\\.')}($|\\.)`))),
    send: (event: EventObject) => act(() => record()?.actor.send(event)),
  };
}

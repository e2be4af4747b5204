import { expect } from '@jest/globals';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { act, render, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { App } from '../app/App';
import { routes } from '../app/routes';
import { machineRecords, stateName } from '../inspect/machine.inspect';
import { unsignedToken } from './unsigned.token';

export const config: PublicConfig = {
  publicUrl: 'http://localhost',
  identity: {
    baseUrl: 'http://localhost',
    callbackUrl: 'http://localhost/auth/callback',
    subscriptionKey: 'subscription',
    tenantId: 'orange',
    walletConnectId: null,
    beta: false,
  },
  features: { embeddedProjects: true, google: true, apple: true, mailbox: true },
  links: {
    docs: '/docs',
    feedback: 'https://feedback.example.com',
    learnMore: 'https://learn.example.com',
    templateProject: 'https://template.example.com',
    reactGuide: 'https://react.example.com',
    scriptExample: 'https://script.example.com',
    telegram: 'https://telegram.example.com',
    x: 'https://x.example.com',
    discord: 'https://discord.example.com',
    news: 'https://news.example.com',
  },
};

/** antd's thousands of style rules show nothing in jsdom, which asks each about every element whenever one is looked for. */
const withoutStyles = { zeroRuntime: true };

export interface MachineHandle {
  state(): string | null;
  /** Waits until the machine is in this state; a parent's name holds for each of its children. */
  is(wanted: string): Promise<void>;
  send(event: EventObject): void;
}

export interface Portal {
  user: UserEvent;
  /** The address that the browser would show, without its origin. */
  address(): string;
  goTo(path: string): Promise<void>;
  /** Go back and forward, as the browser's buttons do. */
  goBack(): Promise<void>;
  goForward(): Promise<void>;
  /** Leaves the portal, as closing the tab does. */
  close(): void;
  machine(id: string): MachineHandle;
}

interface OpenOptions {
  /** `'stored'`: whoever the tokens in the browser's storage name. */
  as?: 'developer' | 'visitor' | 'stored';
  /** Where the installation differs from `config`. */
  features?: Partial<PublicConfig['features']>;
}

/**
 * The whole portal in jsdom at `path`, signed in unless `as` says otherwise: router, session and machines are real, only
 * the network is mocked (`network.ts`). `user` presses and types; `machine` tells where a machine is.
 */
export function openPortal(path: string, { as = 'developer', features = {} }: OpenOptions = {}): Portal {
  if (as === 'developer') {
    localStorage.setItem(storageKeys.accessToken, unsignedToken(Date.now() + 3_600_000));
    localStorage.setItem(storageKeys.refreshToken, 'refresh-token');
  }
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  // The page's own address follows, for what reads it ahead of the next drawing. What stands there already may hold a
  // query for the page to take out.
  const follow = ({ location: { pathname, search } }: typeof router.state) => {
    if (pathname + search !== followed) window.history.replaceState(null, '', pathname + search);
    followed = pathname + search;
  };
  let followed = window.location.pathname;
  follow(router.state);
  router.subscribe(follow);
  const { unmount } = render(
    <ConfigProvider theme={withoutStyles}>
      <App config={{ ...config, features: { ...config.features, ...features } }}>
        <RouterProvider router={router} />
      </App>
    </ConfigProvider>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    address: () => router.state.location.pathname + router.state.location.search,
    goTo: (to: string) => act(() => router.navigate(to)),
    goBack: () => act(() => router.navigate(-1)),
    goForward: () => act(() => router.navigate(1)),
    close: unmount,
    machine,
  };
}

/** A machine of the page, by its id; the newest of that name. */
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

import { describe, expect, test } from '@jest/globals';
import { createActor } from 'xstate';
import { mobileMenuMachine } from './mobile.menu.machine';
import { sidebarMachine } from './sidebar.machine';
import { signInDialogMachine } from './sign.in.dialog.machine';

describe('the sidebar', () => {
  function start(isLeftOpen: boolean) {
    const kept: boolean[] = [];
    const sidebar = createActor(
      sidebarMachine.provide({ actions: { keepChoice: (_, { isOpen }) => void kept.push(isOpen) } }),
      { input: { isLeftOpen } },
    ).start();
    return { sidebar, kept, state: () => sidebar.getSnapshot().value };
  }

  test('starts collapsed, toggles both ways, and stores each choice', () => {
    const { sidebar, kept, state } = start(false);
    expect(state()).toBe('collapsed');
    expect(kept).toEqual([]);
    sidebar.send({ type: 'sidebar.toggle' });
    expect(state()).toBe('expanded');
    sidebar.send({ type: 'sidebar.toggle' });
    expect(state()).toBe('collapsed');
    expect(kept).toEqual([true, false]);
  });

  test('starts expanded if it was left open', () => {
    const { sidebar, kept, state } = start(true);
    expect(state()).toBe('expanded');
    sidebar.send({ type: 'sidebar.toggle' });
    expect(state()).toBe('collapsed');
    expect(kept).toEqual([false]);
  });
});

describe('the mobile menu', () => {
  test('opens, closes, and closes when a page opens', () => {
    const menu = createActor(mobileMenuMachine).start();
    expect(menu.getSnapshot().value).toBe('closed');
    menu.send({ type: 'menu.open' });
    expect(menu.getSnapshot().value).toBe('open');
    menu.send({ type: 'menu.close' });
    expect(menu.getSnapshot().value).toBe('closed');
    menu.send({ type: 'menu.open' });
    menu.send({ type: 'page.opened' });
    expect(menu.getSnapshot().value).toBe('closed');
  });
});

describe('the sign-in dialog', () => {
  function start() {
    const left: string[] = [];
    const dialog = createActor(
      signInDialogMachine.provide({ actions: { leave: (_, { provider }) => void left.push(provider) } }),
    ).start();
    return { dialog, left };
  }

  test('opens and closes', () => {
    const { dialog, left } = start();
    dialog.send({ type: 'dialog.open' });
    expect(dialog.getSnapshot().value).toBe('open');
    dialog.send({ type: 'dialog.close' });
    expect(dialog.getSnapshot().value).toBe('closed');
    expect(left).toEqual([]);
  });

  test('opens the chosen provider’s page only once', () => {
    const { dialog, left } = start();
    dialog.send({ type: 'dialog.open' });
    dialog.send({ type: 'provider.choose', provider: 'google' });
    dialog.send({ type: 'provider.choose', provider: 'apple' });
    expect(dialog.getSnapshot().value).toBe('leaving');
    expect(left).toEqual(['google']);
    dialog.send({ type: 'dialog.close' });
    expect(dialog.getSnapshot().value).toBe('closed');
  });

  test('ignores a choice while closed', () => {
    const { dialog, left } = start();
    dialog.send({ type: 'provider.choose', provider: 'google' });
    expect(left).toEqual([]);
  });
});

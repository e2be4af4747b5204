import { expect, test } from '@jest/globals';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import type { AppearanceVersion, SaveAppearance } from '@orange-id/contract/appearance.schema';
import { createActor } from 'xstate';
import { editorMachine, isUnsaved } from './editor.machine';

const version = (number: number, change: Partial<Appearance> = {}): AppearanceVersion => ({
  version: number,
  savedAt: '2026-11-01T10:00:00.000Z',
  savedBy: 'Ada',
  appearance: { ...defaultAppearance, ...change },
  preview: null,
});

function open(versions: AppearanceVersion[] = [], draft: Appearance | null = null) {
  const saves: SaveAppearance[] = [];
  const drafts: (Appearance | null)[] = [];
  const actor = createActor(
    editorMachine.provide({
      actions: {
        sendSave: (_, save) => void saves.push(save),
        noteDraft: (_, { look }) => void drafts.push(look),
      },
    }),
  ).start();
  const project = { code: 'orange-abcdefghij', name: 'App' };
  actor.send({ type: 'project.open', project, versions, draft });
  const change = (field: string, part: Partial<Appearance>) =>
    actor.send({ type: 'look.change', field, look: { ...actor.getSnapshot().context.look, ...part } });
  return { actor, saves, drafts, change, context: () => actor.getSnapshot().context };
}

test('opens with the newest saved look, or with the draft that a reload kept', () => {
  expect(open().context().look).toEqual(defaultAppearance);
  expect(open([version(2, { radius: 2 }), version(1)]).context()).toMatchObject({
    base: 2,
    look: { radius: 2 },
  });
  expect(open([version(1)], { ...defaultAppearance, radius: 9 }).context().look.radius).toBe(9);
});

test('undoes and redoes changes, and a slider’s movement as one', () => {
  const { actor, change, context } = open();
  for (const radius of [1, 2, 3]) change('radius', { radius });
  change('font', { font: 'inter' });
  actor.send({ type: 'change.undo' });
  expect(context().look).toMatchObject({ radius: 3, font: 'system' });
  actor.send({ type: 'change.undo' });
  expect(context().look).toEqual(defaultAppearance);
  expect(actor.getSnapshot().can({ type: 'change.undo' })).toBe(false);
  actor.send({ type: 'change.redo' });
  actor.send({ type: 'change.redo' });
  expect(context().look).toMatchObject({ radius: 3, font: 'inter' });
});

test('keeps a draft while something is unsaved, and none once it is saved or undone', () => {
  const { actor, change, drafts } = open();
  change('radius', { radius: 1 });
  actor.send({ type: 'change.undo' });
  change('radius', { radius: 2 });
  actor.send({ type: 'look.save', preview: null });
  actor.send({ type: 'save.accept', versions: [version(1, { radius: 2 })] });
  expect(drafts.map((look) => look?.radius ?? null)).toEqual([1, null, 2, null]);
});

test('saves with the version it was edited from, and not without a change', () => {
  const { actor, change, saves } = open([version(4)]);
  actor.send({ type: 'look.save', preview: null });
  expect(saves).toEqual([]);
  change('radius', { radius: 1 });
  actor.send({ type: 'look.save', preview: 'data:image/png;base64,AA' });
  expect(saves).toEqual([
    { base: 4, appearance: { ...defaultAppearance, radius: 1 }, preview: 'data:image/png;base64,AA' },
  ]);
});

test('keeps the look when saving fails, and says why', () => {
  const { actor, change, context } = open();
  change('radius', { radius: 1 });
  actor.send({ type: 'look.save', preview: null });
  actor.send({ type: 'save.refuse', message: 'You are offline' });
  expect(actor.getSnapshot().value).toBe('editing');
  expect(context()).toMatchObject({ failure: 'You are offline', look: { radius: 1 } });
});

test('takes a conflict with the same look for saved: the answer to the first save was lost', () => {
  const { actor, change, context, drafts } = open([version(1)]);
  change('radius', { radius: 3 });
  actor.send({ type: 'look.save', preview: null });
  actor.send({ type: 'save.conflict', versions: [version(2, { radius: 3 }), version(1)] });
  expect(actor.getSnapshot().value).toBe('editing');
  expect(context()).toMatchObject({ base: 2, look: { radius: 3 } });
  expect(isUnsaved(context())).toBe(false);
  expect(drafts.at(-1)).toBeNull();
});

test('lets the user compare with a save of another tab: keep saves over it, take can be undone', () => {
  for (const choice of ['conflict.keep', 'conflict.take'] as const) {
    const { actor, change, context, saves } = open([version(1)]);
    change('radius', { radius: 1 });
    actor.send({ type: 'look.save', preview: null });
    actor.send({ type: 'save.conflict', versions: [version(2, { radius: 20 }), version(1)] });
    expect(actor.getSnapshot().value).toBe('comparing');
    actor.send({ type: choice });
    if (choice === 'conflict.keep') {
      actor.send({ type: 'look.save', preview: null });
      expect(saves.at(-1)).toMatchObject({ base: 2, appearance: { radius: 1 } });
    } else {
      expect(context().look.radius).toBe(20);
      actor.send({ type: 'change.undo' });
      expect(context().look.radius).toBe(1);
    }
  }
});

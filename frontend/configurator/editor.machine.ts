import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import type { AppearanceVersion, SaveAppearance } from '@orange-id/contract/appearance.schema';
import { assign, setup } from 'xstate';

export interface EditorProject {
  code: string;
  name: string;
}

interface EditorContext {
  project: EditorProject;
  /** The saved versions, newest first. */
  versions: AppearanceVersion[];
  /** The version that the look was edited from; 0 for the default. */
  base: number;
  look: Appearance;
  past: Appearance[];
  future: Appearance[];
  /** The field of the newest change: a slider that moves on is undone as one change. */
  field: string | null;
  failure: string | null;
}

export type EditorEvent =
  | {
      type: 'project.open';
      project: EditorProject;
      versions: AppearanceVersion[];
      draft: Appearance | null;
    }
  | { type: 'look.change'; look: Appearance; field: string }
  | { type: 'change.undo' }
  | { type: 'change.redo' }
  | { type: 'look.save'; preview: string | null }
  | { type: 'save.accept'; versions: AppearanceVersion[] }
  | { type: 'save.conflict'; versions: AppearanceVersion[] }
  | { type: 'save.refuse'; message: string }
  | { type: 'conflict.keep' }
  | { type: 'conflict.take' };

/** Older changes can't be undone. */
const undoMax = 100;

export const savedLook = (versions: readonly AppearanceVersion[]): Appearance =>
  versions[0]?.appearance ?? defaultAppearance;

export const isSameLook = (one: Appearance, other: Appearance): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const isUnsaved = ({ look, versions }: Pick<EditorContext, 'look' | 'versions'>): boolean =>
  !isSameLook(look, savedLook(versions));

const blank: EditorContext = {
  project: { code: '', name: '' },
  versions: [],
  base: 0,
  look: defaultAppearance,
  past: [],
  future: [],
  field: null,
  failure: null,
};

/**
 * The configurator in its frame: changes with undo and redo, and saving, which the page around it does. If another tab
 * saved first, the user compares, and keeps their own look or takes the newer one.
 */
export const editorMachine = setup({
  types: {
    context: {} as EditorContext,
    events: {} as EditorEvent,
  },
  actions: {
    takeVersions: assign(({ event }) =>
      event.type === 'save.accept' || event.type === 'save.conflict'
        ? { versions: event.versions, base: event.versions[0]?.version ?? 0, field: null }
        : {},
    ),
    sendSave: (_, _save: SaveAppearance): void => {
      throw new Error('provide sendSave');
    },
    noteDraft: (_, _draft: { look: Appearance | null }): void => {
      throw new Error('provide noteDraft');
    },
  },
  guards: {
    canUndo: ({ context }) => context.past.length > 0,
    canRedo: ({ context }) => context.future.length > 0,
    isChanged: ({ context }) => isUnsaved(context),
    isSavedAlready: ({ context, event }) =>
      event.type === 'save.conflict' && isSameLook(context.look, savedLook(event.versions)),
  },
}).createMachine({
  id: 'configurator',
  context: blank,
  initial: 'waiting',
  on: {
    'project.open': {
      target: '.editing',
      actions: assign(({ event }) => ({
        ...blank,
        project: event.project,
        versions: event.versions,
        base: event.versions[0]?.version ?? 0,
        look: event.draft ?? savedLook(event.versions),
      })),
    },
  },
  states: {
    waiting: {},
    editing: {
      on: {
        'look.change': {
          actions: [
            assign(({ context, event }) => ({
              look: event.look,
              field: event.field,
              future: [],
              past:
                context.field === event.field
                  ? context.past
                  : [...context.past, context.look].slice(-undoMax),
              failure: null,
            })),
            { type: 'noteDraft', params: ({ context }) => draftOf(context) },
          ],
        },
        'change.undo': {
          guard: 'canUndo',
          actions: [
            assign(({ context }) => ({
              look: context.past.at(-1) as Appearance,
              past: context.past.slice(0, -1),
              future: [context.look, ...context.future],
              field: null,
            })),
            { type: 'noteDraft', params: ({ context }) => draftOf(context) },
          ],
        },
        'change.redo': {
          guard: 'canRedo',
          actions: [
            assign(({ context }) => ({
              look: context.future[0] as Appearance,
              past: [...context.past, context.look],
              future: context.future.slice(1),
              field: null,
            })),
            { type: 'noteDraft', params: ({ context }) => draftOf(context) },
          ],
        },
        'look.save': { guard: 'isChanged', target: 'saving' },
      },
    },
    saving: {
      entry: [
        assign({ failure: null }),
        {
          type: 'sendSave',
          params: ({ context, event }) => ({
            base: context.base,
            appearance: context.look,
            preview: event.type === 'look.save' ? event.preview : null,
          }),
        },
      ],
      on: {
        'save.accept': {
          target: 'editing',
          actions: ['takeVersions', { type: 'noteDraft', params: { look: null } }],
        },
        'save.conflict': [
          {
            // The answer to an earlier save was lost, or somebody saved the same.
            guard: 'isSavedAlready',
            target: 'editing',
            actions: ['takeVersions', { type: 'noteDraft', params: { look: null } }],
          },
          { target: 'comparing', actions: assign(({ event }) => ({ versions: event.versions })) },
        ],
        'save.refuse': {
          target: 'editing',
          actions: assign(({ event }) => ({ failure: event.message })),
        },
      },
    },
    comparing: {
      on: {
        'conflict.keep': {
          target: 'editing',
          actions: assign(({ context }) => ({ base: context.versions[0]?.version ?? 0 })),
        },
        'conflict.take': {
          target: 'editing',
          actions: [
            assign(({ context }) => ({
              base: context.versions[0]?.version ?? 0,
              past: [...context.past, context.look],
              look: savedLook(context.versions),
              future: [],
              field: null,
            })),
            { type: 'noteDraft', params: { look: null } },
          ],
        },
      },
    },
  },
});

const draftOf = (context: EditorContext): { look: Appearance | null } => ({
  look: isUnsaved(context) ? context.look : null,
});

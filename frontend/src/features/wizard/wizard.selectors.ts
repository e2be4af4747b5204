import { tidyLine } from '@orange-id/contract/text.rule';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { WizardDraft } from './wizard.draft';
import type { wizardMachine } from './wizard.machine';

export type WizardActor = ActorRefFrom<typeof wizardMachine>;
type WizardSnapshot = SnapshotFrom<typeof wizardMachine>;

/** Progress in percent: 0, 50 or 100 (spec §9). */
export function wizardProgress(snapshot: WizardSnapshot): 0 | 50 | 100 {
  if (snapshot.matches('summarised')) return 100;
  return snapshot.matches('naming') ? 0 : 50;
}

/** 'Create Project' is disabled with no URLs, a blank name or while pending (spec §4). */
export const canCreate = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('addingUrls') &&
  snapshot.context.urls.length > 0 &&
  snapshot.context.projectName.trim() !== '';

/** What a visit elsewhere would lose; `null` when everything typed has become a project. */
export function draftOf(snapshot: WizardSnapshot): WizardDraft | null {
  const { projectName, urlText, urls, created } = snapshot.context;
  const isSent =
    created !== null &&
    created.projectName === tidyLine(projectName) &&
    created.urls.join() === urls.join() &&
    urlText === '';
  if (isSent) return null;
  return { step: snapshot.matches('naming') ? 'naming' : 'addingUrls', projectName, urlText, urls };
}

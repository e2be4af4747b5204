import { tidyLine } from '@orange-id/contract/text.rule';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { WizardDraft } from './wizard.draft';
import type { wizardMachine } from './wizard.machine';

export type WizardActor = ActorRefFrom<typeof wizardMachine>;
type WizardSnapshot = SnapshotFrom<typeof wizardMachine>;

/** Whether the wizard is at its first step; saving what the profile lacks belongs to it. */
export const isNaming = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('naming') || snapshot.matches('savingProfile');

/** Progress in percent: 0, 50 or 100. */
export function wizardProgress(snapshot: WizardSnapshot): 0 | 50 | 100 {
  if (snapshot.matches('summarised') || isRecalling(snapshot)) return 100;
  return isNaming(snapshot) ? 0 : 50;
}

/** Whether the summary named in the address is being read, or could not be. */
export const isRecalling = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('recalling') || snapshot.matches('recallFailed');

/** The id of the project whose summary is open or one step away; `null` while something is being made. */
export function shownProjectId(snapshot: WizardSnapshot): string | null {
  const { created, recalledId } = snapshot.context;
  if (isRecalling(snapshot)) return recalledId;
  const isShown = snapshot.matches('summarised') || snapshot.matches('reviewing');
  return isShown && created ? created.projectId : null;
}

/** 'Create Project' is disabled with no URLs, a blank name or while pending. */
export const canCreate = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('addingUrls') &&
  snapshot.context.urls.length > 0 &&
  snapshot.context.projectName.trim() !== '';

/** What a visit elsewhere would lose; `null` when everything typed has become a project. */
export function draftOf(snapshot: WizardSnapshot): WizardDraft | null {
  const { projectName, urlText, urls, created, profileTexts } = snapshot.context;
  const isSent =
    created !== null &&
    created.projectName === tidyLine(projectName) &&
    created.urls.join() === urls.join() &&
    urlText === '';
  if (isSent) return null;
  return { step: isNaming(snapshot) ? 'naming' : 'addingUrls', projectName, urlText, urls, profileTexts };
}

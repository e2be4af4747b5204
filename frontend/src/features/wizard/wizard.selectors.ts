import { tidyLine } from '@orange-id/contract/text.rule';
import { checkUrl } from '../../ui/url.check';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { WizardDraft } from './wizard.draft';
import type { wizardMachine } from './wizard.machine';

export type WizardActor = ActorRefFrom<typeof wizardMachine>;
type WizardSnapshot = SnapshotFrom<typeof wizardMachine>;

/** Whether the wizard is at its first step, which includes saving the missing profile fields. */
export const isNaming = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('naming') || snapshot.matches('savingProfile');

/** Progress in percent: 0, 50 or 100. */
export function wizardProgress(snapshot: WizardSnapshot): 0 | 50 | 100 {
  if (snapshot.matches('summarised') || isRecalling(snapshot)) return 100;
  return isNaming(snapshot) ? 0 : 50;
}

/** Whether the summary given by the address is loading or failed to load. */
export const isRecalling = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('recalling') || snapshot.matches('recallFailed');

/** ID of the project whose summary is open or one step away; `null` while a new project is being entered. */
export function shownProjectId(snapshot: WizardSnapshot): string | null {
  const { created, recalledId } = snapshot.context;
  if (isRecalling(snapshot)) return recalledId;
  const isShown = snapshot.matches('summarised') || snapshot.matches('reviewing');
  return isShown && created ? created.projectId : null;
}

/** Whether there is a URL to create the project with; a valid one in the field counts. */
export const hasUrl = ({ context: { urls, urlText } }: WizardSnapshot): boolean =>
  urls.length > 0 || checkUrl(urlText, urls).ok;

/** 'Create Project' is disabled without URLs, with a blank name and during the request. */
export const canCreate = (snapshot: WizardSnapshot): boolean =>
  snapshot.matches('addingUrls') && hasUrl(snapshot) && snapshot.context.projectName.trim() !== '';

/** The draft to store; `null` once all of it has been submitted as a project. */
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

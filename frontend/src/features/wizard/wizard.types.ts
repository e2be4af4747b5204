import type { ProfileGap } from '@orange-id/contract/profile.rule';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import type { NameRefusal } from '@orange-id/contract/text.rule';
import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import type { Profile, ProfileRefusal } from './wizard.rules';

export interface NewProject {
  projectName: string;
  urls: string[];
}

/** A project that was created, as the summary shows it. */
export type ReadyProject = NewProject & CreatedProject;

export interface WizardContext extends NewProject {
  urlText: string;
  startsAtUrls: boolean;
  /** What was typed for the parts the profile lacks. */
  profileTexts: Record<ProfileGap, string>;
  profileRefusals: Partial<Record<ProfileGap, ProfileRefusal>>;
  /** What the last save of the profile failed of, until the next one or another text. */
  profileFailure: unknown;
  nameRefusal: NameRefusal | 'taken' | null;
  urlRefusal: NewUrlRefusal | null;
  /** What the last creation failed of, until the next one or another name. */
  failure: unknown;
  created: ReadyProject | null;
  /** The project whose summary is asked for by the address. */
  recalledId: string | null;
}

/** The profile travels with the events that need it: it is server data and lives in the query cache. */
export type WizardEvent =
  | { type: 'name.change'; text: string }
  | { type: 'profile.change'; part: ProfileGap; text: string }
  /** `taken`: the names of the account's projects, as far as they are known. */
  | { type: 'name.submit'; profile: Profile; taken?: readonly string[] }
  | { type: 'url.change'; text: string }
  | { type: 'url.add' }
  | { type: 'url.remove'; url: string }
  | { type: 'project.create'; profile: Profile }
  | { type: 'step.back' }
  | { type: 'summary.open' }
  | { type: 'recall.retry' };

/** What the view turns into toasts. */
export type WizardNotice =
  /** What was said about the step before no longer matters. */
  | { type: 'step.left' }
  | { type: 'name.refused'; code: NameRefusal | 'taken' }
  /** `gaps`: what is still missing. */
  | { type: 'profile.refused'; gaps: ProfileGap[] }
  | { type: 'profile.failed'; error: unknown }
  | { type: 'url.refused'; code: NewUrlRefusal; text: string }
  | { type: 'url.added'; url: string }
  | { type: 'urls.missing' }
  | { type: 'creation.failed'; error: unknown };

import type { ProfileGap } from '@orange-id/contract/profile.rule';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import type { NameRefusal } from '@orange-id/contract/text.rule';
import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import type { Profile, ProfileRefusal } from './wizard.rules';

export interface NewProject {
  projectName: string;
  urls: string[];
}

/** A created project with the details that the summary shows. */
export type ReadyProject = NewProject & CreatedProject;

export interface WizardContext extends NewProject {
  urlText: string;
  startsAtUrls: boolean;
  /** Texts for the missing profile fields. */
  profileTexts: Record<ProfileGap, string>;
  profileRefusals: Partial<Record<ProfileGap, ProfileRefusal>>;
  /** Error of the last profile update, cleared by the next attempt and by typing. */
  profileFailure: unknown;
  nameRefusal: NameRefusal | 'taken' | null;
  urlRefusal: NewUrlRefusal | null;
  /** Error of the last creation, cleared by the next attempt and by changing the name. */
  failure: unknown;
  created: ReadyProject | null;
  /** ID of the project whose summary the address requests. */
  recalledId: string | null;
}

/** The events that need the profile carry it, because it is server data and belongs to the query cache. */
export type WizardEvent =
  | { type: 'name.change'; text: string }
  | { type: 'profile.change'; part: ProfileGap; text: string }
  /** `taken`: names of the user's projects, as far as they have been loaded. */
  | { type: 'name.submit'; profile: Profile; taken?: readonly string[] }
  | { type: 'url.change'; text: string }
  | { type: 'url.add' }
  | { type: 'url.remove'; url: string }
  | { type: 'project.create'; profile: Profile }
  | { type: 'step.back' }
  | { type: 'summary.open' }
  | { type: 'recall.retry' };

/** Notices that the view shows as toasts. */
export type WizardNotice =
  /** Toasts of the previous step are outdated. */
  | { type: 'step.left' }
  | { type: 'name.refused'; code: NameRefusal | 'taken' }
  /** `gaps`: the profile fields that are still empty. */
  | { type: 'profile.refused'; gaps: ProfileGap[] }
  | { type: 'profile.failed'; error: unknown }
  | { type: 'url.refused'; code: NewUrlRefusal; text: string }
  | { type: 'url.added'; url: string }
  | { type: 'urls.missing' }
  | { type: 'creation.failed'; error: unknown };

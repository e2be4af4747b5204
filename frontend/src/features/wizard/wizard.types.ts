import type { ProfileGap } from '@orange-id/contract/profile.rule';
import type { CreatedProject } from '@orange-id/contract/projects.schema';
import type { NameRefusal } from '@orange-id/contract/text.rule';
import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import type { Profile } from './wizard.rules';

export interface NewProject {
  projectName: string;
  urls: string[];
}

export interface WizardContext extends NewProject {
  urlText: string;
  startsAtUrls: boolean;
  nameRefusal: NameRefusal | null;
  urlRefusal: NewUrlRefusal | null;
  /** Whether the last attempt was refused for an incomplete profile; the view lists what is missing now. */
  isProfileNeeded: boolean;
  /** What the last creation failed of, until the next one or another name. */
  failure: unknown;
  created: (NewProject & CreatedProject) | null;
}

/** The profile travels with the events that need it: it is server data and lives in the query cache. */
export type WizardEvent =
  | { type: 'name.change'; text: string }
  | { type: 'name.submit'; profile: Profile }
  | { type: 'url.change'; text: string }
  | { type: 'url.add' }
  | { type: 'url.remove'; url: string }
  | { type: 'project.create'; profile: Profile }
  | { type: 'step.back' }
  | { type: 'summary.open' };

/** What the view turns into toasts. */
export type WizardNotice =
  | { type: 'name.refused'; code: NameRefusal }
  | { type: 'profile.refused'; gaps: ProfileGap[] }
  | { type: 'url.refused'; code: NewUrlRefusal }
  | { type: 'url.added'; url: string }
  | { type: 'urls.missing' }
  | { type: 'creation.failed'; error: unknown };

import { profileFields } from '@orange-id/contract/profile.fields';
import type { ProfileGap } from '@orange-id/contract/profile.rule';
import { readableHost } from '@orange-id/contract/readable.host';
import type { NameRefusal } from '@orange-id/contract/text.rule';
import { profileFailure } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { fieldRefusal } from '../../api/profile/update.profile';
import { projectNameSentences } from '../../ui/project.name.text';
import { refusalText } from '../../ui/refusal.text';
import type { ToastMessage } from '../../ui/toast';
import { urlSentenceOf, urlTitle } from '../../ui/url.text';
import { creationFailure } from './creation.failure';
import type { ProfileRefusal } from './wizard.rules';
import type { WizardNotice } from './wizard.types';

/** The wizard's sentence for a rejected URL. */
export const urlSentence = urlSentenceOf({
  unparseable: 'Invalid URL format. Please include the protocol (https://example.com)',
  duplicate: 'This domain is already in your whitelist',
});

const nameTitles: Partial<Record<NameRefusal | 'taken', string>> = {
  required: 'Project Name Required',
  taken: 'Project Creation Failed',
};

const profileAsks: Record<ProfileGap, string> = {
  email: 'Please enter your email address.',
  displayName: 'Please enter your display name.',
};

/** The error under a profile field with an invalid text. */
export function profileSentence(part: ProfileGap, refusal: ProfileRefusal): string {
  return refusal === 'required' ? profileAsks[part] : refusalText(profileFields[part].label, refusal.phrase);
}

/** The server's error for this profile field; `null` if its response doesn't name the field. */
export function profileFailureSentence(part: ProfileGap, error: unknown): string | null {
  if (!(error instanceof HttpError)) return null;
  const phrase = fieldRefusal(error, part);
  return phrase === null ? null : refusalText(profileFields[part].label, phrase);
}

/** The toast for a notice; `null` if the notice only dismisses toasts. */
export function noticeToast(notice: WizardNotice): ToastMessage | null {
  switch (notice.type) {
    case 'step.left':
      return null;
    case 'profile.failed':
      return {
        tone: 'error',
        title: 'Update Failed',
        description: profileFailure(notice.error),
      };
    case 'name.refused':
      return {
        tone: 'error',
        title: nameTitles[notice.code] ?? 'Invalid Project Name',
        description: projectNameSentences[notice.code],
      };
    case 'profile.refused':
      return {
        tone: 'error',
        title: 'Profile Information Required',
        description: `Please update your email and display name in Settings before creating a project. Missing: ${notice.gaps
          .map((gap) => profileFields[gap].label)
          .join(', ')}.`,
      };
    case 'url.refused':
      return {
        tone: 'error',
        title: urlTitle(notice.code),
        description: urlSentence(notice.code, notice.text),
      };
    case 'url.added':
      return { tone: 'success', title: 'URL Added', description: readableHost(notice.url) };
    case 'urls.missing':
      return {
        tone: 'error',
        title: 'Whitelist URL Required',
        description: 'Please add at least one URL to the whitelist.',
      };
    case 'creation.failed':
      return {
        tone: 'error',
        title: 'Project Creation Failed',
        description: creationFailure(notice.error),
      };
  }
}

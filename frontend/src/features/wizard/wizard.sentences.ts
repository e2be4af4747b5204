import { limits } from '@orange-id/contract/limits';
import type { ProfileGap } from '@orange-id/contract/profile.rule';
import type { NameRefusal } from '@orange-id/contract/text.rule';
import type { NewUrlRefusal } from '@orange-id/contract/whitelist.rule';
import type { ToastMessage } from '../../ui/toast';
import { creationFailure } from './creation.failure';
import type { WizardNotice } from './wizard.types';

/** The wizard's own words for each refusal (spec §5); `{host}` reads `https://example.com`. */
export const urlSentences: Record<NewUrlRefusal, string> = {
  required: 'Please enter a URL to whitelist.',
  unparseable: 'Invalid URL format. Please include the protocol (https://example.com)',
  protocol: 'URL must use HTTP or HTTPS protocol (e.g., https://example.com)',
  tooShort: 'Please enter a valid domain name (e.g., https://example.com)',
  notPublic: 'Please enter a valid domain name (e.g., https://example.com)',
  local: 'Localhost URLs are not allowed for production projects',
  duplicate: 'This domain is already in your whitelist',
  tooMany: `A project can have at most ${limits.whitelistUrlsPerProject} URLs.`,
};

export const nameSentences: Record<NameRefusal, string> = {
  required: 'Please enter a project name.',
  tooLong: `A project name can have at most ${limits.projectNameMaxCharacters} characters.`,
  invisible: 'A project name must not hold invisible or control characters.',
};

export const gapNames: Record<ProfileGap, string> = { email: 'Email', displayName: 'Display name' };

const urlTitles: Partial<Record<NewUrlRefusal, string>> = {
  required: 'URL Required',
  duplicate: 'Duplicate URL',
  tooMany: 'Too Many URLs',
};

/** The toast for what the wizard announces (spec §5 and §8). */
export function noticeToast(notice: WizardNotice): ToastMessage {
  switch (notice.type) {
    case 'name.refused':
      return {
        tone: 'error',
        title: notice.code === 'required' ? 'Project Name Required' : 'Invalid Project Name',
        description: nameSentences[notice.code],
      };
    case 'profile.refused':
      return {
        tone: 'error',
        title: 'Profile Information Required',
        description: `Please update your email and display name in Settings before creating a project. Missing: ${notice.gaps
          .map((gap) => gapNames[gap])
          .join(', ')}.`,
      };
    case 'url.refused':
      return {
        tone: 'error',
        title: urlTitles[notice.code] ?? 'Invalid URL',
        description: urlSentences[notice.code],
      };
    case 'url.added':
      return { tone: 'success', title: 'URL Added', description: notice.url };
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

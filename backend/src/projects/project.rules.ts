import { limits } from '@orange-id/contract/limits';
import { checkName, NameRefusal } from '@orange-id/contract/text.rule';
import { checkOtherOrigin, type OtherOriginRefusal } from '@orange-id/contract/other.origin.rule';
import { isPublicSuffix } from '@orange-id/contract/public.suffix';
import { checkWhitelistUrl, isWildcardUrl, WhitelistRefusal } from '@orange-id/contract/whitelist.rule';
import { PortalError } from '../http/portal.error.js';

const nameSentences: Record<NameRefusal, string> = {
  required: 'must not be blank',
  tooLong: `must have at most ${limits.projectNameMaxCharacters} characters`,
  invisible: 'must not contain invisible or control characters',
};

const urlSentences: Record<WhitelistRefusal, string> = {
  required: 'must not be empty',
  unparseable: 'isn’t a URL; include the protocol (e.g., https://example.com)',
  protocol: 'must use HTTP or HTTPS protocol (e.g., https://example.com)',
  tooShort: 'needs a valid domain name (e.g., https://example.com)',
  local: 'is a localhost URL, which isn’t allowed for production projects',
  notPublic: 'needs a valid public domain name (e.g., https://example.com)',
  port: 'has an invalid port; remove it. An allowed URL covers every port of its host',
  credentials: 'has a username or password; remove it (e.g., https://example.com)',
  wildcardPlace: 'may have a wildcard only as its whole first label (e.g., https://*.preview.example.com)',
  wildcardSuffix:
    'has a wildcard below a domain where anyone can register names; put it below a domain of yours (e.g., https://*.preview.example.com)',
  duplicate: 'is in the list twice (compared by protocol and host name)',
};

/** The form in which a project name is stored. Throws `project.nameInvalid`. */
export function checkedProjectName(input: string): string {
  const verdict = checkName(input, limits.projectNameMaxCharacters);
  if (verdict.ok) return verdict.name;
  const message = nameSentences[verdict.code];
  throw new PortalError('project.nameInvalid', {
    message: `projectName: ${message}`,
    details: [{ path: 'projectName', message }],
  });
}

/**
 * The URLs in their normalised form, in order. Throws `project.urlInvalid` that names every offending value; `field` is
 * the name of the list in the body. A hosted service knows no wildcards.
 */
export function checkedWhitelist(
  inputs: readonly string[],
  field: 'whitelistURL' | 'urls',
  { isHosted = false } = {},
): string[] {
  const urls: string[] = [];
  const details: { path: string; message: string }[] = [];
  inputs.forEach((input, place) => {
    const verdict = checkWhitelistUrl(input, urls, isPublicSuffix);
    const problem = !verdict.ok
      ? urlSentences[verdict.code]
      : isHosted && isWildcardUrl(verdict.url)
        ? 'has a wildcard, which the project service doesn’t support; add each host'
        : null;
    if (verdict.ok && problem === null) urls.push(verdict.url);
    else details.push({ path: `${field}.${place}`, message: `${shown(input)} ${problem}` });
  });
  const first = details[0];
  if (first === undefined) return urls;
  throw new PortalError('project.urlInvalid', { message: `${first.path}: ${first.message}`, details });
}

const originSentences: Record<OtherOriginRefusal, string> = {
  required: 'must not be empty',
  page: 'is a page; add it to the allowed URLs',
  extensionId: 'isn’t the origin of an extension (e.g., chrome-extension:// and its 32 letters)',
  unsupported: 'can’t be allowed; only browser extensions and null can',
  duplicate: 'is in the list twice',
  tooMany: `exceeds the maximum of ${limits.otherOriginsPerProject}`,
};

/** The other origins in the form browsers send, in order. Throws `project.originInvalid` that names every offending value. */
export function checkedOtherOrigins(inputs: readonly string[]): string[] {
  const origins: string[] = [];
  const details: { path: string; message: string }[] = [];
  inputs.forEach((input, place) => {
    const verdict = checkOtherOrigin(input, origins);
    if (verdict.ok) origins.push(verdict.origin);
    else
      details.push({
        path: `origins.${place}`,
        message: `${shown(input)} ${originSentences[verdict.code]}`,
      });
  });
  const first = details[0];
  if (first === undefined) return origins;
  throw new PortalError('project.originInvalid', { message: `${first.path}: ${first.message}`, details });
}

const shown = (input: string): string =>
  JSON.stringify(input.length > 100 ? `${input.slice(0, 100)}…` : input);

/** Throws `project.urlDuplicate` that names every URL of `urls` that is in `existing`; both in normalised form. */
export function checkNoDuplicates(urls: readonly string[], existing: readonly string[]): void {
  const details = urls.flatMap((url, place) =>
    existing.includes(url)
      ? [{ path: `urls.${place}`, message: `${shown(url)} is already whitelisted for this project` }]
      : [],
  );
  if (details.length > 0) throw new PortalError('project.urlDuplicate', { details });
}

/** The URL in the normalised form of a whitelist, or the text itself if it is not a valid URL. */
export function listedForm(input: string): string {
  const verdict = checkWhitelistUrl(input);
  return verdict.ok ? verdict.url : input;
}

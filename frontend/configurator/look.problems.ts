import { appearanceLimits, type Appearance } from '@orange-id/contract/appearance';
import { appearance } from '@orange-id/contract/appearance.schema';

type Issue = NonNullable<ReturnType<typeof appearance.safeParse>['error']>['issues'][number];

const names: Record<string, string> = {
  accent: 'Accent',
  buttonText: 'Button text',
  background: 'Background',
  text: 'Text',
  border: 'Border',
  'logo.light': 'Logo on light',
  'logo.dark': 'Logo on dark',
  'logo.alt': 'Alternative text',
  picture: 'Picture',
  'texts.title': 'Title',
  'texts.walletButton': 'Wallet button',
  'texts.separator': 'Separator',
  'texts.termsUrl': 'Terms URL',
  'texts.privacyUrl': 'Privacy Policy URL',
};

/** The label of a field by its path in an appearance, such as `texts.title`; the path itself without one. */
export function fieldName(path: string): string {
  const [group, scheme, colour = ''] = path.split('.');
  return group === 'colours' && names[colour] ? `${names[colour]} (${scheme})` : (names[path] ?? path);
}

const maxOf: Record<string, number> = {
  'logo.alt': appearanceLimits.altMax,
  'texts.title': appearanceLimits.titleMax,
  'texts.walletButton': appearanceLimits.buttonMax,
  'texts.separator': appearanceLimits.separatorMax,
};

function sentenceOf(path: string, { code, message }: Issue): string {
  if (path.startsWith('colours.') && code === 'custom') {
    const other = path.endsWith('.buttonText') ? 'accent' : 'background';
    return `Too close to the ${other}. Choose a colour with a contrast of at least 3:1.`;
  }
  if (path === 'picture' || path === 'logo.light' || path === 'logo.dark') {
    return 'Enter a URL that starts with https://, or upload a picture.';
  }
  if (code === 'too_big' && maxOf[path] !== undefined) return `Use at most ${maxOf[path]} characters.`;
  if (path.endsWith('Url') && code === 'custom') return 'Enter a URL that starts with https://.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** What is wrong with a look, by the path of the field, such as `colours.light.text`; empty if it can be saved. */
export function problemsOf(look: Appearance): ReadonlyMap<string, string> {
  const issues = appearance.safeParse(look).error?.issues ?? [];
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const path = issue.path.join('.');
    if (!problems.has(path)) problems.set(path, sentenceOf(path, issue));
  }
  return problems;
}

/** The look without pictures that would be refused, so that the preview requests none of them. */
export function withoutRefused(look: Appearance, problems: ReadonlyMap<string, string>): Appearance {
  const shown = (path: string, value: string) => (problems.has(path) ? '' : value);
  const { logo, picture } = look;
  return {
    ...look,
    picture: shown('picture', picture),
    logo: { ...logo, light: shown('logo.light', logo.light), dark: shown('logo.dark', logo.dark) },
  };
}

/** The look in the text of a JSON file, or a sentence about what is wrong with it. */
export function parseLook(text: string): { look: Appearance } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'It isn’t JSON.' };
  }
  const { data, error } = appearance.safeParse(value);
  if (data) return { look: data };
  const issue = error?.issues[0] as Issue;
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return { problem: `Unknown field: ${[path, issue.keys[0]].filter(Boolean).join('.')}.` };
  }
  return {
    problem: path === '' ? 'It isn’t an appearance.' : `${fieldName(path)}: ${sentenceOf(path, issue)}`,
  };
}

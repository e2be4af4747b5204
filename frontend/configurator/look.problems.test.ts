import { expect, test } from '@jest/globals';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { fieldName, parseLook, problemsOf, withoutRefused } from './look.problems';

const { light, dark } = defaultAppearance.colours;
const change = (part: Partial<Appearance>): Appearance => ({ ...defaultAppearance, ...part });

test('each field says in its own words what is wrong with it', () => {
  const look = change({
    colours: { light: { ...light, text: '#FFFFFF' }, dark: { ...dark, buttonText: dark.accent } },
    logo: { light: 'javascript:alert(1)', dark: '', alt: 'x'.repeat(81) },
    texts: { ...defaultAppearance.texts, title: 'x'.repeat(61), termsUrl: 'http://example.com' },
  });
  expect(Object.fromEntries(problemsOf(look))).toEqual({
    'colours.light.text': 'Too close to the background. Choose a colour with a contrast of at least 3:1.',
    'colours.dark.buttonText': 'Too close to the accent. Choose a colour with a contrast of at least 3:1.',
    'logo.light': 'Enter a URL that starts with https://, or upload a picture.',
    'logo.alt': 'Use at most 80 characters.',
    'texts.title': 'Use at most 60 characters.',
    'texts.termsUrl': 'Enter a URL that starts with https://.',
  });
  expect(problemsOf(defaultAppearance).size).toBe(0);
  expect([fieldName('colours.dark.buttonText'), fieldName('logo.light'), fieldName('font')]).toEqual([
    'Button text (dark)',
    'Logo on light',
    'font',
  ]);
});

test('the preview gets no picture that would be refused', () => {
  const look = change({
    logo: { light: 'javascript:alert(1)', dark: 'https://example.com/logo.png', alt: '' },
    picture: 'data:text/html,x',
  });
  const shown = withoutRefused(look, problemsOf(look));
  expect([shown.logo.light, shown.logo.dark, shown.picture]).toEqual(['', look.logo.dark, '']);
});

test.each([
  ['{', 'It isn’t JSON.'],
  ['null', 'It isn’t an appearance.'],
  [JSON.stringify({ ...defaultAppearance, evil: 1 }), 'Unknown field: evil.'],
  [
    JSON.stringify(change({ texts: { ...defaultAppearance.texts, evil: 1 } as never })),
    'Unknown field: texts.evil.',
  ],
  [
    JSON.stringify(change({ picture: 'x' })),
    'Picture: Enter a URL that starts with https://, or upload a picture.',
  ],
])('a file with %s is not imported, because %s', (text, problem) => {
  expect(parseLook(text)).toEqual({ problem });
});

test('a file with a look is imported', () => {
  expect(parseLook(JSON.stringify(defaultAppearance))).toEqual({ look: defaultAppearance });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { titleOf } from './appearance.derived.js';
import { appearancePresets } from './appearance.presets.js';
import { appearanceLimits, defaultAppearance } from './appearance.js';
import { appearance, partialAppearance } from './appearance.schema.js';
import { contrastOf, nearestReadable, textContrastMin } from './contrast.rule.js';

const refusalOf = (value: unknown): string | undefined =>
  appearance.safeParse(value).error?.issues.map(({ path }) => path.join('.'))[0];
const withField = (path: string, value: unknown): unknown => {
  const copy = structuredClone(defaultAppearance) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const inner = names.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  inner[names.at(-1) as string] = value;
  return copy;
};

describe('an appearance', () => {
  test('has a default and six presets that pass the schema', () => {
    expect(appearance.parse(defaultAppearance)).toEqual(defaultAppearance);
    expect(appearancePresets).toHaveLength(6);
    for (const preset of appearancePresets)
      expect(appearance.parse(preset.appearance)).toEqual(preset.appearance);
  });

  test.each(
    appearancePresets.flatMap(({ id, appearance: { colours } }) =>
      (['light', 'dark'] as const).map((mode) => [id, mode, colours[mode]] as const),
    ),
  )('of the preset %s, %s, is readable', (_id, _mode, { text, background, accent, buttonText }) => {
    expect(contrastOf(text, background)).toBeGreaterThanOrEqual(textContrastMin);
    expect(contrastOf(buttonText, accent)).toBeGreaterThanOrEqual(textContrastMin);
  });

  test.each<[string, unknown]>([
    ['colours.light.accent', 'url(https://evil.example/x)'],
    ['colours.light.accent', 'red'],
    ['colours.dark.background', '#FFFFFF80'],
    ['colours.dark.background', 'transparent'],
    ['colours.light.text', defaultAppearance.colours.light.background],
    ['colours.dark.buttonText', defaultAppearance.colours.dark.accent],
    ['logo.light', 'javascript:alert(1)'],
    ['logo.light', 'data:image/svg+xml,<svg onload=alert(1)>'],
    ['logo.light', 'http://example.com/logo.png'],
    ['logo.light', 'https://user:pass@example.com/logo.png'],
    ['logo.light', 'https://example.com/"onerror="alert(1)'],
    ['logo.dark', '/pictures/../../etc/passwd.webp'],
    ['logo.dark', '//evil.example/x.webp'],
    ['logo.alt', 'a\u202eb'],
    ['texts.title', 'x'.repeat(61)],
    ['texts.title', '\u0007'],
    ['texts.termsUrl', 'javascript:alert(1)'],
    ['texts.privacyUrl', 'https://example.com/\u202e'],
    ['font', 'Comic Sans; } body { display: none'],
    ['fontSize', 400],
    ['fontSize', 13.5],
    ['radius', -1],
    ['radius', Number.NaN],
    ['layout', 'expression(alert(1))'],
    ['methods', []],
    ['methods', ['email', 'email']],
    ['methods', ['phone']],
    ['methods', Array.from({ length: 100_000 }, () => 'email')],
    ['direction', '__proto__'],
    ['mode', null],
  ])('with a hostile %s is refused by the name of the field', (path, value) => {
    expect(refusalOf(withField(path, value))?.startsWith(path)).toBe(true);
  });

  test('with a field of its own, or a thousand, is refused', () => {
    expect(appearance.safeParse({ ...defaultAppearance, css: 'body{}' }).success).toBe(false);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]));
    expect(appearance.safeParse({ ...defaultAppearance, ...many }).success).toBe(false);
    expect(partialAppearance.safeParse({ font: 'inter', css: 'x' }).success).toBe(false);
  });

  test('that passes is short as JSON', () => {
    const longest = appearance.parse({
      ...defaultAppearance,
      logo: {
        light: `https://a.co/${'x'.repeat(480)}`,
        dark: `https://a.co/${'x'.repeat(480)}`,
        alt: 'あ'.repeat(80),
      },
      picture: `https://a.co/${'x'.repeat(480)}`,
      texts: {
        title: '😀'.repeat(30),
        walletButton: 'あ'.repeat(40),
        separator: 'あ'.repeat(20),
        termsUrl: `https://a.co/${'x'.repeat(480)}`,
        privacyUrl: `https://a.co/${'x'.repeat(480)}`,
      },
    });
    expect(Buffer.byteLength(JSON.stringify(longest))).toBeLessThan(appearanceLimits.bytesMax);
  });
});

test.each([
  ['Sign in to', 'Shop', false, 'Sign in to Shop'],
  ['Join us at', 'Shop', false, 'Join us at Shop'],
  // The logo stands for the name.
  ['Join us at', 'Shop', true, 'Join us at'],
  ['', 'Shop', false, 'Shop'],
  ['Sign in to', undefined, false, 'Sign in'],
  ['Welcome back', undefined, false, 'Welcome back'],
])('the title %p of the app %p, with a logo: %p, is %p', (text, appName, hasLogo, title) => {
  expect(titleOf(text, appName, hasLogo)).toBe(title);
});

describe('the contrast of two colours', () => {
  test.each([
    ['#000000', '#FFFFFF', 21],
    ['#777777', '#FFFFFF', 4.48],
    ['#F37920', '#FFFFFF', 2.74],
    ['#123456', '#123456', 1],
  ])('%s on %s is %d', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 1);
    expect(contrastOf(other, one)).toBeCloseTo(expected, 1);
  });

  test('too low for text has a nearest colour that passes, and one that passes stays', () => {
    const colour = fc
      .integer({ min: 0, max: 0xffffff })
      .map((n) => `#${n.toString(16).padStart(6, '0').toUpperCase()}`);
    fc.assert(
      fc.property(colour, colour, (text, background) => {
        const nearest = nearestReadable(text, background);
        if (contrastOf(text, background) >= textContrastMin) return nearest === text;
        return contrastOf(nearest, background) >= textContrastMin;
      }),
    );
  });
});

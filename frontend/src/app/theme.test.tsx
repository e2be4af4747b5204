import { describe, expect, test } from '@jest/globals';
import { theme } from 'antd';
import { darkTheme, lightTheme } from './theme';

const themes = { light: lightTheme, dark: darkTheme };
type Themed = [string, typeof lightTheme];

/** Every value that a theme sets, for all components and for single ones, by name. */
const valuesOf = ({ token, components }: typeof lightTheme) =>
  [{ token }, components].flatMap((groups) =>
    Object.entries(groups ?? {}).flatMap(([group, values]) =>
      Object.entries(values as Record<string, unknown>).map(([name, value]) => [`${group}.${name}`, value]),
    ),
  ) as [string, unknown][];

/** The relative luminance of an opaque colour, 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const channels = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)?.slice(1);
  const [red, green, blue] = (channels ?? []).map((channel) => {
    const value = parseInt(channel, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each(Object.entries(themes) as Themed[])('the %s theme', (_, config) => {
  const tokens = theme.getDesignToken(config);

  test('has colours that CSS knows', () => {
    const colors = valuesOf(config).filter(([name]) => /color|bg$/i.test(name));
    expect(colors.length).toBeGreaterThan(30);
    const unknown = colors.filter(
      ([, value]) => !/^(#[0-9A-F]{6}|transparent|var\(--ant-[a-z-]+\))$/.test(String(value)),
    );
    expect(unknown).toEqual([]);
  });

  test('has sizes and weights of a text that can be read', () => {
    const within = (pattern: RegExp, least: number, most: number) => {
      const found = valuesOf(config).filter(([name]) => pattern.test(name));
      expect(found.length).toBeGreaterThan(0);
      for (const [name, value] of found) {
        expect([name, Number(value) >= least && Number(value) <= most]).toEqual([name, true]);
      }
    };
    within(/fontSize/i, 12, 40);
    within(/fontWeight/, 400, 700);
    within(/borderRadius/, 4, 12);
    within(/controlHeight/, 24, 48);
  });

  test.each([
    ...['colorText', 'colorTextSecondary', 'colorTextTertiary', 'colorTextDescription'],
    ...['colorLink', 'colorLinkHover', 'colorLinkActive', 'colorPrimaryText', 'colorPrimaryTextHover'],
    ...['colorPrimaryTextActive', 'colorSuccess', 'colorWarning', 'colorError', 'colorInfo'],
  ] as const)('shows text in %s with a contrast of at least 4.5 on a card and on the page', (name) => {
    for (const ground of [tokens.colorBgContainer, tokens.colorBgLayout]) {
      expect(contrast(tokens[name], ground)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('shows a placeholder with a contrast of at least 4.5 in a field', () => {
    expect(contrast(tokens.colorTextPlaceholder, tokens.colorBgContainer)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['Success', 'Warning', 'Error', 'Info'] as const)(
    'shows text in color%s with a contrast of at least 4.5 on its own ground',
    (name) => {
      expect(contrast(tokens[`color${name}`], tokens[`color${name}Bg`])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('shows the text of a button with a contrast of at least 4.5 on the accent', () => {
    const text = config.components?.Button?.primaryColor ?? '';
    for (const ground of [tokens.colorPrimary, tokens.colorPrimaryHover]) {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

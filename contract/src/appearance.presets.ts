import { defaultAppearance, type Appearance, type AppearancePalette } from './appearance.js';

export interface AppearancePreset {
  id: string;
  title: string;
  appearance: Appearance;
}

const palette = (
  accent: string,
  background: string,
  text: string,
  border: string,
  buttonText: string,
): AppearancePalette => ({ accent, background, text, border, buttonText });

const preset = (
  id: string,
  title: string,
  light: AppearancePalette,
  dark: AppearancePalette,
  rest: Partial<Appearance> = {},
): AppearancePreset => ({
  id,
  title,
  appearance: { ...defaultAppearance, ...rest, colours: { light, dark } },
});

const { light, dark } = defaultAppearance.colours;

/** Looks to start from. Each passes the contrast of small text in both modes, which a test checks. */
export const appearancePresets: readonly AppearancePreset[] = [
  preset('orange', 'Orange', light, dark),
  preset(
    'ink',
    'Ink',
    palette('#18181B', '#FFFFFF', '#18181B', '#D4D4D8', '#FFFFFF'),
    palette('#FAFAFA', '#0A0A0B', '#FAFAFA', '#3F3F46', '#18181B'),
    { font: 'inter', radius: 6 },
  ),
  preset(
    'ocean',
    'Ocean',
    palette('#0B63CE', '#F7FAFE', '#0F2540', '#C9D8EA', '#FFFFFF'),
    palette('#6CB2FF', '#0B1623', '#E6F0FB', '#26405C', '#06182B'),
    { font: 'figtree', radius: 12 },
  ),
  preset(
    'forest',
    'Forest',
    palette('#1F6B45', '#FBFCF8', '#1B2A21', '#D3DCCF', '#FFFFFF'),
    palette('#6BCB97', '#0D1712', '#E8F2EA', '#294236', '#06150D'),
    { font: 'nunito', radius: 16, density: 'spacious' },
  ),
  preset(
    'rose',
    'Rose',
    palette('#B3245A', '#FFFAFB', '#33131F', '#EBCFD8', '#FFFFFF'),
    palette('#FF8FB3', '#1B0D13', '#FBE9EF', '#4A2733', '#2B0413'),
    { font: 'source-serif', radius: 20 },
  ),
  preset(
    'terminal',
    'Terminal',
    palette('#3F6212', '#F7FEE7', '#1A2E05', '#CFE3A8', '#FFFFFF'),
    palette('#A3E635', '#0B0F07', '#ECFCCB', '#33441B', '#142004'),
    { font: 'jetbrains-mono', radius: 0, density: 'compact', mode: 'dark' },
  ),
];

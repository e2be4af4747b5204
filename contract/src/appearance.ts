import { accent, brandPalette, textOnAccent } from './brand.palette.js';
import type { signInMethods } from './sign-in.methods.js';

/**
 * How a project's login panel looks: values only, never CSS or HTML. It dresses the panel on the project's pages and on
 * the portal's sign-in page for it; the consent page keeps the portal's own look. In a separate file from the schema, so
 * that the panel loads no zod.
 */
export interface Appearance {
  mode: (typeof appearanceModes)[number];
  colours: { light: AppearancePalette; dark: AppearancePalette };
  /** The path of an upload (`/pictures/….webp`), an https URL, or empty. */
  logo: { light: string; dark: string; alt: string };
  font: AppearanceFont;
  /** Of the panel's body text, in px. */
  fontSize: number;
  layout: (typeof appearanceLayouts)[number];
  /** Beside the panel, for the layouts with a picture; like a logo. */
  picture: string;
  /** Of corners, in px. */
  radius: number;
  density: (typeof appearanceDensities)[number];
  /** The sign-in methods that are shown, in order. */
  methods: (typeof signInMethods)[number][];
  texts: {
    title: string;
    walletButton: string;
    separator: string;
    termsUrl: string;
    privacyUrl: string;
  };
  direction: (typeof appearanceDirections)[number];
}

/** Colours as `#RRGGBB`. */
export interface AppearancePalette {
  accent: string;
  background: string;
  text: string;
  border: string;
  buttonText: string;
}

/** What a page may set itself with the widget's `appearance` property; the rest comes from the saved one. */
export type PartialAppearance = Partial<Appearance>;

export const appearanceFonts = [
  'system',
  'inter',
  'figtree',
  'nunito',
  'source-serif',
  'jetbrains-mono',
] as const;
export type AppearanceFont = (typeof appearanceFonts)[number];
export const appearanceLayouts = ['card', 'page', 'pictureLeft', 'pictureRight'] as const;
export const appearanceDensities = ['compact', 'normal', 'spacious'] as const;
export const appearanceModes = ['light', 'dark', 'system'] as const;
export const appearanceDirections = ['auto', 'ltr', 'rtl'] as const;

export const appearanceLimits = {
  titleMax: 60,
  altMax: 80,
  buttonMax: 40,
  separatorMax: 20,
  fontSizeMin: 13,
  fontSizeMax: 18,
  radiusMax: 24,
  /** A whole appearance as JSON, in bytes. */
  bytesMax: 16_384,
  versionsKept: 10,
  /** The small picture of a save, in bytes. */
  previewBytesMax: 32_768,
} as const;

/** The look of the panel if nothing is saved. */
export const defaultAppearance: Appearance = {
  mode: 'system',
  colours: {
    light: {
      accent,
      background: brandPalette.light.colorBgContainer,
      text: brandPalette.light.colorText,
      border: brandPalette.light.colorBorder,
      buttonText: textOnAccent,
    },
    dark: {
      accent,
      background: brandPalette.dark.colorBgContainer,
      text: brandPalette.dark.colorText,
      border: brandPalette.dark.colorBorder,
      buttonText: textOnAccent,
    },
  },
  logo: { light: '', dark: '', alt: '' },
  font: 'system',
  fontSize: 14,
  layout: 'card',
  picture: '',
  radius: 8,
  density: 'normal',
  methods: ['google', 'apple', 'email', 'wallet'],
  texts: {
    title: 'Sign in to',
    walletButton: 'Connect Wallet',
    separator: 'OR',
    termsUrl: '',
    privacyUrl: '',
  },
  direction: 'auto',
};

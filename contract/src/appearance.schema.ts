import { z } from 'zod';
import {
  appearanceDensities,
  appearanceDirections,
  appearanceFonts,
  appearanceLayouts,
  appearanceLimits,
  appearanceModes,
  type Appearance,
} from './appearance.js';
import { contrastOf } from './contrast.rule.js';
import { signInMethods } from './sign-in.methods.js';
import { hasInvisibleCharacters } from './text.rule.js';

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #F37920')
  .overwrite((text) => text.toUpperCase());

/** Text below this contrast counts as hidden, and is refused. The editor warns below 4.5. */
const hiddenBelow = 3;
const isHidden = 'must stand out from its background: the contrast is below 3:1';

const palette = z
  .strictObject({ accent: colour, background: colour, text: colour, border: colour, buttonText: colour })
  .refine(({ text, background }) => contrastOf(text, background) >= hiddenBelow, {
    path: ['text'],
    message: isHidden,
  })
  .refine(({ buttonText, accent: button }) => contrastOf(buttonText, button) >= hiddenBelow, {
    path: ['buttonText'],
    message: isHidden,
  });

const urlMax = 500;

/** An https URL that every parser reads alike; empty for none. */
const webUrl = z
  .string()
  .max(urlMax, `must have at most ${urlMax} characters`)
  .refine((text) => text === '' || isPlainHttps(text), 'must be a URL that starts with https://')
  .overwrite((text) => (text !== '' && URL.canParse(text) ? new URL(text).href : text));

const isPlainHttps = (text: string): boolean =>
  /^https:\/\/[^/\s\p{Cc}\\@#?%]+(?:[/?][\w\-.~:/?[\]@!$&*+,;=%]*)?$/u.test(text) && URL.canParse(text);

/** A picture: our own upload (`/pictures/….webp`), or an https URL. */
const picture = z.union(
  [z.string().regex(/^\/pictures\/[0-9a-f]{32}\.webp$/), webUrl],
  'must be an uploaded picture, or a URL that starts with https://',
);

const line = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(
      (text) => text === '' || !hasInvisibleCharacters(text),
      'must not contain invisible or control characters',
    );

/** Checks an `Appearance`. */
export const appearance = z.strictObject({
  mode: z.enum(appearanceModes),
  colours: z.strictObject({ light: palette, dark: palette }),
  logo: z.strictObject({ light: picture, dark: picture, alt: line(appearanceLimits.altMax) }),
  font: z.enum(appearanceFonts),
  /** Of the panel's body text, in px. */
  fontSize: z.number().int().min(appearanceLimits.fontSizeMin).max(appearanceLimits.fontSizeMax),
  layout: z.enum(appearanceLayouts),
  /** Beside the panel, for the layouts with a picture. */
  picture,
  /** Of corners, in px. */
  radius: z.number().int().min(0).max(appearanceLimits.radiusMax),
  density: z.enum(appearanceDensities),
  /** The sign-in methods that are shown, in order. */
  methods: z
    .array(z.enum(signInMethods))
    .min(1, 'must have at least one method')
    .max(signInMethods.length)
    .refine((methods) => new Set(methods).size === methods.length, 'must have each method once'),
  texts: z.strictObject({
    title: line(appearanceLimits.titleMax),
    walletButton: line(appearanceLimits.buttonMax),
    separator: line(appearanceLimits.separatorMax),
    termsUrl: webUrl,
    privacyUrl: webUrl,
  }),
  direction: z.enum(appearanceDirections),
}) satisfies z.ZodType<Appearance>;

/** What a page may set itself with the widget's `appearance` property; the rest comes from the saved one. */
export const partialAppearance = appearance.partial();

/** `PUT /api/projects/:code/appearance`. `base` is the version that was edited: 0 if nothing was saved. */
export const saveAppearance = z.strictObject({
  base: z.number().int().min(0).max(2_147_483_647),
  appearance,
  /** A small picture of the result, drawn by the editor: a `data:image/webp` or `image/png` URL. */
  preview: z
    .string()
    .max(Math.ceil((appearanceLimits.previewBytesMax * 4) / 3) + 40)
    .regex(/^data:image\/(webp|png);base64,[A-Za-z0-9+/]+=*$/, 'must be a PNG or WebP picture as a data URL')
    .nullable(),
});
export type SaveAppearance = z.infer<typeof saveAppearance>;

export const appearanceVersion = z.object({
  version: z.number().int(),
  savedAt: z.string(),
  /** The display name of the user who saved it; null without one. */
  savedBy: z.string().nullable(),
  appearance,
  preview: z.string().nullable(),
});
export type AppearanceVersion = z.infer<typeof appearanceVersion>;

/** `GET /api/projects/:code/appearance`: the saved versions, newest first; empty if the default is in force. */
export const appearanceHistory = z.object({ versions: z.array(appearanceVersion) });
export type AppearanceHistory = z.infer<typeof appearanceHistory>;

/** `GET /api/v1/auth/appearance`, for the panel of a project: `version` is 0 for the default. */
export const servedAppearance = z.object({
  version: z.number().int(),
  appearance,
  /** The project's name, for the panel's title. */
  appName: z.string().optional(),
});
export type ServedAppearance = z.infer<typeof servedAppearance>;

/** `POST /api/projects/:code/appearance/picture`: the address of the re-encoded picture. */
export const uploadedPicture = z.object({ picture: z.string() });

const textAnd = z.array(z.string()).min(1).max(2);

/** `GET /api/v1/auth/appearance/panel`: what the panel of the script tag shows, which is too small to work it out. */
export const panelLook = z.object({
  methods: z.array(z.enum(signInMethods)),
  /** The text of each method’s button, and of the separator above it. */
  buttons: z.partialRecord(z.enum(signInMethods), textAnd),
  /** Each button’s icon: an SVG path, 24 × 24. */
  icons: z.partialRecord(z.enum(signInMethods), z.string()),
  title: z.string().optional(),
  logo: z.object({ src: z.string(), alt: z.string() }).optional(),
  /** Follows the note on where people sign in: texts, and the address of each that is a link. */
  legal: z.array(textAnd).optional(),
  /** A style sheet for the panel, written from checked values. */
  style: z.string(),
  /** The address of a font's style sheet. */
  font: z.string().optional(),
});
export type PanelLook = z.infer<typeof panelLook>;

import { z } from 'zod';
import { appearance, appearanceVersion, saveAppearance } from './appearance.schema.js';
import { limits } from './limits.js';

/** The path of our own configurator, which /customisation shows in a frame. */
export const configuratorPath = '/widget/configurator/';

/** The path of its live preview alone, which the landing page shows in a frame. */
export const configuratorPreviewPath = '/widget/configurator/preview';

/** The frame's first message, to its parent; the answer carries a `MessagePort`, and nothing else does from then on. */
export const configuratorHello = z.strictObject({ type: z.literal('configurator.hello') });
export const configuratorPort = z.strictObject({ type: z.literal('configurator.port') });

/** How long the page waits for the frame's hello, in ms. */
export const frameTimeoutMs = 10_000;

/**
 * A chosen file. The frame sends its bytes: Chromium lets the page read no file from disk that came from a sandboxed
 * frame.
 */
const fileBytes = z.custom<ArrayBuffer>(
  (value) =>
    Object.prototype.toString.call(value) === '[object ArrayBuffer]' &&
    (value as ArrayBuffer).byteLength < limits.avatarMaxBytes,
);

const scheme = z.enum(['light', 'dark']);
const versions = z.array(appearanceVersion);

/** What the page says to the frame. Nothing in it is secret: the page alone has the access token, and saves. */
export const toConfigurator = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    project: z.strictObject({ code: z.string(), name: z.string() }),
    versions,
    draft: appearance.nullable(),
    scheme,
  }),
  z.strictObject({ type: z.literal('saved'), versions }),
  /** Another save came first; `versions` has it. */
  z.strictObject({ type: z.literal('conflicted'), versions }),
  z.strictObject({ type: z.literal('refused'), message: z.string() }),
  z.strictObject({ type: z.literal('uploaded'), id: z.number(), picture: z.string() }),
  z.strictObject({ type: z.literal('uploadRefused'), id: z.number(), message: z.string() }),
  z.strictObject({ type: z.literal('scheme'), scheme }),
  z.strictObject({ type: z.literal('fullScreen'), isOn: z.boolean() }),
  /** To the preview alone: what it shows. */
  z.strictObject({ type: z.literal('preview'), appearance, scheme }),
]);
export type ToConfigurator = z.infer<typeof toConfigurator>;

/** What the frame says to the page. */
export const fromConfigurator = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  /** The unsaved look; `null` once nothing is unsaved. */
  z.strictObject({ type: z.literal('draft'), appearance: appearance.nullable() }),
  saveAppearance.extend({ type: z.literal('save') }),
  z.strictObject({
    type: z.literal('upload'),
    id: z.number(),
    bytes: fileBytes,
    /** The file's media type, as the browser guesses it. */
    mediaType: z.string().max(100),
  }),
  z.strictObject({ type: z.literal('fullScreen'), isOn: z.boolean() }),
]);
export type FromConfigurator = z.infer<typeof fromConfigurator>;

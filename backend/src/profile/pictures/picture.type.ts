import { avatarRefusal } from '@orange-id/contract/avatar.rule';
import { limits } from '@orange-id/contract/limits';
import { PortalError } from '../../http/portal.error.js';
import { quoted } from '../../http/request.issues.js';
import type { SentFile } from '../../http/file.body.js';

/** The multipart form of an upload, for OpenAPI. */
export const pictureForm = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
};

/** The accepted formats, by sharp's names. */
export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

/** The display name of each format. */
export const formatNames: Record<PictureFormat, string> = {
  jpeg: 'JPG',
  png: 'PNG',
  gif: 'GIF',
  webp: 'WebP',
  avif: 'AVIF',
};

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** The format by its first bytes, as its decoder determines it; null for formats that are not accepted. */
export function pictureFormatOf(bytes: Buffer): PictureFormat | null {
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (/^ftypavi[fs]$/.test(ascii(bytes, 4, 12))) return 'avif';
  return null;
}

/** Common other files, to be named in the refusal. */
const others: [RegExp | string, string][] = [
  [/^(\xef\xbb\xbf)?\s*<(!doctype html|html|script)/i, 'an HTML page'],
  [/^(\xef\xbb\xbf)?\s*<([?!][^]*<)?svg/i, 'an SVG drawing'],
  [/^(\xef\xbb\xbf)?\s*<\?xml/i, 'XML'],
  ['\x1f\x8b', 'gzip-compressed'],
  ['PK\x03\x04', 'a ZIP archive'],
  [/^%PDF-/, 'a PDF document'],
  [/^(II\*\0|MM\0\*)/, 'a TIFF image'],
  [/^BM/, 'a BMP image'],
  [/^[^]{4}ftyp(heic|heix|mif1|msf1|hevc)/, 'a HEIC image'],
];

/**
 * The format of an upload, determined by its content. Throws `profile.pictureTooLarge` and `profile.pictureInvalid`;
 * also refuses a file whose declared type is not an image type.
 */
export function acceptPicture({ bytes, type }: SentFile): PictureFormat {
  const refusal = avatarRefusal({ size: bytes.byteLength, type });
  if (refusal === 'tooLarge') throw pictureTooLarge();
  if (refusal === 'notAnImage') throw pictureInvalid(`The file’s type is ${quoted(type)}`);
  if (bytes.byteLength === 0) throw pictureInvalid('The file is empty');
  const format = bytes.byteLength < 12 ? null : pictureFormatOf(bytes);
  if (format !== null) return format;
  const start = ascii(bytes, 0, 512);
  const other = others.find(([sign]) =>
    typeof sign === 'string' ? start.startsWith(sign) : sign.test(start),
  )?.[1];
  throw pictureInvalid(other ? `The file is ${other}` : 'This file isn’t a supported image');
}

/** `problem` names what was found; `remedy` says what to choose instead. */
export const pictureInvalid = (
  problem: string,
  { remedy = 'Choose a JPG, PNG, WebP, GIF or AVIF', cause }: { remedy?: string; cause?: unknown } = {},
): PortalError => new PortalError('profile.pictureInvalid', { message: `${problem}. ${remedy}`, cause });

export const pictureTooLarge = (): PortalError =>
  new PortalError('profile.pictureTooLarge', {
    message: `The image must be smaller than 1 MB (${limits.avatarMaxBytes.toLocaleString('en-US')} bytes)`,
  });

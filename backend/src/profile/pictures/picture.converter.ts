import { Injectable } from '@nestjs/common';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import sharp, { type Metadata } from 'sharp';
import { PortalError } from '../../http/portal.error.js';
import { formatNames, pictureInvalid } from './picture.type.js';
import type { PictureFormat } from './picture.type.js';

/** Edge length of the stored picture in px: a little more than twice the largest display size (15rem). */
const sidePx = 512;
/** Decoded pixels of four bytes each, held in memory for formats that can only be read as a whole. */
const pixelsMax = 25_000_000;
const secondsMax = 10;
/** Each uses one of Node's four worker threads, which file access, DNS and password hashing need too. */
const convertedAtOnce = 2;
const waitingMax = 64;

type Fit = 'cover' | 'inside';

/** The libvips loaders that may read uploads; none for SVG, PDF, TIFF and others. */
const readers = ['Jpeg', 'Png', 'Gif', 'Nsgif', 'Webp', 'Heif'];

/**
 * Converts an upload to a WebP of 512 × 512: cropped to its centre (`cover`), or scaled to fit into it (`inside`); one
 * frame, upright, in sRGB, without any other content of the file (EXIF, GPS, profiles, text, trailing data).
 */
@Injectable()
export class PictureConverter {
  private readonly places = bulkhead(convertedAtOnce, waitingMax);

  constructor() {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: readers.map((name) => `VipsForeignLoad${name}`) });
  }

  /**
   * Resolves to the WebP. Throws `profile.pictureInvalid` if the file is unreadable or has too many pixels, and
   * `server.busy` if too many conversions wait already or one takes longer than 10 s.
   */
  async convert(bytes: Buffer, format: PictureFormat, fit: Fit = 'cover'): Promise<Buffer> {
    try {
      return await this.places.execute(() => convert(bytes, format, fit));
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new PortalError('server.busy', { cause: error });
      throw error;
    }
  }
}

async function convert(bytes: Buffer, format: PictureFormat, fit: Fit): Promise<Buffer> {
  // Reads only the header, however large the image that it declares.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw pictureInvalid(`The file starts like ${article(format)} but can’t be read as one`, {
        remedy: 'Choose another file',
        cause: error,
      });
    });
  const { width, height } = header;
  if (nameOf(header) !== format)
    throw pictureInvalid(`The file mixes two formats, ${titleOf(format)} and ${titleOf(header.format)}`);
  if (width * height > pixelsMax) {
    throw pictureInvalid(
      `The image is ${count(width)} × ${count(height)} pixels, more than ${pixelsMax / 1e6} megapixels`,
      { remedy: 'Choose a smaller one' },
    );
  }
  try {
    return await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', autoOrient: true })
      .resize(sidePx, sidePx, { fit, withoutEnlargement: fit === 'inside' })
      .webp({ quality: 82 })
      .timeout({ seconds: secondsMax })
      .toBuffer();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('timeout')) {
      throw new PortalError('server.busy', {
        message: `The image took longer than ${secondsMax} s to process. Try again, or choose a smaller one`,
        cause: error,
      });
    }
    throw pictureInvalid(`The ${formatNames[format]} is damaged or incomplete`, {
      remedy: 'Choose another file',
      cause: error,
    });
  }
}

const nameOf = ({ format, compression }: Metadata): string =>
  String(format) === 'heif' && compression === 'av1' ? 'avif' : String(format);

const count = (value: number): string => value.toLocaleString('en-US');

const titleOf = (format: string): string => (formatNames as Record<string, string>)[format] ?? format;

const article = (format: PictureFormat): string => `${format === 'avif' ? 'an' : 'a'} ${formatNames[format]}`;

import { Injectable } from '@nestjs/common';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import sharp, { type Metadata } from 'sharp';
import { PortalError } from '../../http/portal.error.js';
import { formatNames, pictureInvalid } from './picture.type.js';
import type { PictureFormat } from './picture.type.js';

/** Of the square that is kept: twice as fine as the largest it is shown (15rem). */
const sidePx = 512;
/** Decoded, and kept whole where a format can only be read whole, four bytes each. */
const pixelsMax = 25_000_000;
const secondsMax = 10;
/** Each takes a thread of Node's four, which files, names and passwords need too. */
const convertedAtOnce = 2;
const waitingMax = 64;

/** The readers of libvips that may see what somebody sends; none for SVG, PDF, TIFF and the rest. */
const readers = ['Jpeg', 'Png', 'Gif', 'Nsgif', 'Webp', 'Heif'];

/**
 * Makes of a file that somebody sent a picture of our own: a WebP of 512 × 512, cut to its middle, one frame, upright,
 * in sRGB, and without anything else the file carried (EXIF, GPS, profiles, text, what follows its end).
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
   * Resolves to the WebP. Throws `profile.pictureInvalid` for what cannot be read or has too many pixels, and
   * `server.busy` when too many wait already or it takes longer than 10 s.
   */
  async convert(bytes: Buffer, format: PictureFormat): Promise<Buffer> {
    try {
      return await this.places.execute(() => convert(bytes, format));
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new PortalError('server.busy', { cause: error });
      throw error;
    }
  }
}

async function convert(bytes: Buffer, format: PictureFormat): Promise<Buffer> {
  // Reads the header alone, however large what it announces is.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw pictureInvalid(`The file starts like ${article(format)} but can’t be read as one`, error);
    });
  const { width, height } = header;
  if (nameOf(header) !== format)
    throw pictureInvalid(`The file mixes two formats, ${titleOf(format)} and ${titleOf(header.format)}`);
  if (width * height > pixelsMax) {
    throw pictureInvalid(
      `The image has ${count(width)} × ${count(height)} pixels; the limit is ${count(pixelsMax)}`,
    );
  }
  try {
    return await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error', autoOrient: true })
      .resize(sidePx, sidePx, { fit: 'cover' })
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
    throw pictureInvalid(`The ${formatNames[format]} is damaged or incomplete`, error);
  }
}

const nameOf = ({ format, compression }: Metadata): string =>
  String(format) === 'heif' && compression === 'av1' ? 'avif' : String(format);

const count = (value: number): string => value.toLocaleString('en-US');

const titleOf = (format: string): string => (formatNames as Record<string, string>)[format] ?? format;

const article = (format: PictureFormat): string => `${format === 'avif' ? 'an' : 'a'} ${formatNames[format]}`;

import { Injectable } from '@nestjs/common';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import sharp, { type Metadata } from 'sharp';
import { PortalError } from '../../http/portal.error.js';
import { formatNames, pictureInvalid } from './picture.type.js';
import type { PictureFormat } from './picture.type.js';

/** Edge length of the stored picture in px: a little more than twice the largest display size (15rem). */
const sidePx = 512;
/** Ten bytes each while formats are decoded that can only be read as a whole, such as interlaced PNG. */
const pixelsMax = 25_000_000;
/** Up to 27 bytes each. */
const avifPixelsMax = 8_000_000;
/** Images with more are large. */
const smallPixelsMax = 2_000_000;
const secondsMax = 10;
/** Small images, and large ones: those that wait, besides the one that is converted. */
const smallWaitingMax = 65;
const largeWaitingMax = 16;

type Fit = 'cover' | 'inside';

/** The libvips loaders that may read uploads; none for SVG, PDF, TIFF and others. */
const readers = ['Jpeg', 'Png', 'Gif', 'Nsgif', 'Webp', 'Heif'];

/**
 * Converts an upload to a WebP of 512 × 512: cropped to its centre (`cover`), or scaled to fit into it (`inside`); one
 * frame, upright, in sRGB, without any other content of the file (EXIF, GPS, profiles, text, trailing data).
 */
@Injectable()
export class PictureConverter {
  /**
   * One small image at a time, and one large one: two of these would fill the memory. Each uses one of Node's four worker
   * threads, which file access, DNS and password hashing need too.
   */
  private readonly small = bulkhead(1, smallWaitingMax);
  private readonly large = bulkhead(1, largeWaitingMax);

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
      const converted = await this.small.execute(async () =>
        (await pixelsOf(bytes, format)) > smallPixelsMax ? null : convert(bytes, fit, format),
      );
      return converted ?? (await this.large.execute(() => convert(bytes, fit, format)));
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new PortalError('server.busy', { cause: error });
      throw error;
    }
  }
}

/** Reads only the header, however large the image that it declares. Throws `profile.pictureInvalid`. */
async function pixelsOf(bytes: Buffer, format: PictureFormat): Promise<number> {
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
  const [most, of] = format === 'avif' ? [avifPixelsMax, 'AVIF'] : [pixelsMax, 'image'];
  if (width * height > most) {
    throw pictureInvalid(
      `The ${of} is ${count(width)} × ${count(height)} pixels, more than ${most / 1e6} megapixels`,
      { remedy: 'Choose a smaller one' },
    );
  }
  return width * height;
}

async function convert(bytes: Buffer, fit: Fit, format: PictureFormat): Promise<Buffer> {
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

import type { Appearance } from '@orange-id/contract/appearance';
import { appearanceLimits } from '@orange-id/contract/appearance';

const width = 120;
const height = 80;

/** A small picture of a look for the list of saves, as a data URL; `null` if the browser can't draw it. */
export function drawPreview({ colours, mode, radius, methods }: Appearance): string | null {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) return null;
  const { background, border, accent, text } = colours[mode === 'dark' ? 'dark' : 'light'];
  const box = (colour: string, x: number, y: number, w: number, h: number, corner: number) => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.roundRect(x, y, w, h, corner);
    pen.fill();
  };
  box(border, 0, 0, width, height, Math.min(radius / 2, 10));
  box(background, 1, 1, width - 2, height - 2, Math.min(radius / 2, 10));
  box(text, 36, 10, 48, 5, 2);
  const corner = Math.min(radius / 3, 5);
  methods.slice(0, 4).forEach((method, at) => {
    const y = 22 + at * 13;
    if (method === 'wallet') return box(accent, 16, y, 88, 10, corner);
    box(border, 16, y, 88, 10, corner);
    return box(background, 17, y + 1, 86, 8, corner);
  });
  const picture = canvas.toDataURL('image/png');
  return picture.length < appearanceLimits.previewBytesMax ? picture : null;
}

/** Colours as `#RRGGBB`. Contrast as in WCAG 2.2: 1 to 21; small text needs 4.5. */
export const textContrastMin = 4.5;

type Rgb = readonly [number, number, number];

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as never;
const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0').toUpperCase()).join('')}`;

/** Relative luminance (WCAG 2.2), 0 to 1. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast between two colours, in either order. */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The colour nearest to `colour`, on its way to white or to black, whose contrast on `background` is at least `wanted`;
 * `colour` itself if it already is. One of the two ends always reaches 4.5.
 */
export function nearestReadable(colour: string, background: string, wanted = textContrastMin): string {
  if (contrastOf(colour, background) >= wanted) return colour;
  const from = rgbOf(colour);
  for (let step = 1; step <= 100; step += 1) {
    for (const end of [0, 255]) {
      const mixed = hexOf(from.map((part) => part + ((end - part) * step) / 100) as never);
      if (contrastOf(mixed, background) >= wanted) return mixed;
    }
  }
  return contrastOf('#000000', background) >= contrastOf('#FFFFFF', background) ? '#000000' : '#FFFFFF';
}

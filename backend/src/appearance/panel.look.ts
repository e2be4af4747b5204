import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import {
  controlHeights,
  derivedColours,
  fontFamilyOf,
  fontPathOf,
  innerRadius,
} from '@orange-id/contract/appearance.derived';
import type { PanelLook } from '@orange-id/contract/appearance.schema';
import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';

const schemes = ['light', 'dark'] as const;

/** A picture's address that a style sheet can hold as it is. */
const plainAddress = /^https?:\/\/[\w\-.:[\]]+\/[\w\-.~:/?[\]@!$&*+,;=%]*$/;

/**
 * An appearance for the panel of the script tag: its texts and methods, and a style sheet for what the loader's own
 * sets. All values are checked ones. Methods that the portal does not have are left out.
 */
export function panelLookOf(
  look: Appearance,
  portal: string,
  available: readonly SignInMethodName[],
): PanelLook {
  const methods = look.methods.filter((method) => available.includes(method));
  const logo = logoOf(look, portal);
  const font = fontPathOf(look.font);
  const isOwnTitle = logo !== null || look.texts.title !== defaultAppearance.texts.title;
  return {
    // A look whose methods the portal no longer has would leave nobody a way in.
    methods: methods.length > 0 ? methods : [...available],
    ...(isOwnTitle && { title: look.texts.title }),
    ...(logo !== null && { logo: { src: logo.light, alt: look.logo.alt } }),
    ...(font !== null && { font: `${portal}${font}` }),
    // The loader's own style is that of the default.
    style:
      look === defaultAppearance
        ? ''
        : styleOf(look, logo?.dark === logo?.light ? null : (logo?.dark ?? null)),
  };
}

function logoOf({ logo, mode }: Appearance, portal: string): Record<'light' | 'dark', string> | null {
  const [light, dark] = schemes.map((scheme) => {
    const path = logo[mode === 'system' ? scheme : mode] || logo[scheme] || logo.light || logo.dark;
    return path.startsWith('/') ? `${portal}${path}` : path;
  }) as [string, string];
  return light === '' ? null : { light, dark };
}

/** `darkLogo` is null if the logo is the same in both schemes. */
function styleOf(look: Appearance, darkLogo: string | null): string {
  const { colours, mode, density, radius, fontSize, direction } = look;
  const all = Object.fromEntries(
    schemes.map((scheme) => [scheme, { ...colours[scheme], ...derivedColours(colours[scheme], scheme) }]),
  ) as Record<'light' | 'dark', (typeof colours)['light'] & ReturnType<typeof derivedColours>>;
  const of = (name: keyof typeof all.light) => `light-dark(${all.light[name]},${all.dark[name]})`;
  const isDarkShown = darkLogo !== null && plainAddress.test(darkLogo);
  // A picture can follow the system only, so the colours do too then.
  const scheme = mode === 'system' ? (isDarkShown ? 'light dark' : null) : mode;
  return [
    `:host{color:${of('text')};font-family:${fontFamilyOf(look.font)};font-size:${fontSize}px}`,
    scheme !== null && `:host{color-scheme:${scheme}}`,
    direction !== 'auto' && `:host{direction:${direction}}`,
    `.panel{background:${of('background')};border-color:${of('border')};border-radius:${radius}px}`,
    `button{min-height:${controlHeights[density]}px;background:${of('background')};border-color:${of('border')};border-radius:${innerRadius(radius)}px}`,
    `button:hover{border-color:${of('link')}}`,
    `button:focus-visible{outline-color:${of('link')}}`,
    `.main{color:${of('buttonText')};background:${of('accent')}}`,
    `.main:hover{background:${of('hover')}}`,
    `p{color:${of('quiet')}}`,
    '.who{color:inherit}',
    `[role=alert]{color:${of('error')}}`,
    'img{max-width:164px;max-height:40px;margin-inline:8px;vertical-align:middle}',
    isDarkShown && `@media (prefers-color-scheme:dark){img{content:url("${darkLogo}")}}`,
  ]
    .filter((rule) => rule !== false)
    .join('');
}

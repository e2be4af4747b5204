import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import {
  controlHeights,
  derivedColours,
  fontFamilyOf,
  fontPathOf,
  legalParts,
  mix,
  titleOf,
} from '@orange-id/contract/appearance.derived';
import type { PanelLook } from '@orange-id/contract/appearance.schema';
import { providerTitles, type SignInMethodName } from '@orange-id/contract/sign-in.methods';
import { panelIcons } from './panel.icons.js';

const schemes = ['light', 'dark'] as const;

/** A picture's address that a style sheet can hold as it is. */
const plainAddress = /^https?:\/\/[\w\-.:[\]]+\/[\w\-.~:/?[\]@!$&*+,;=%]*$/;

/** Where a picture beside the panel leaves the panel too little room, it is not shown: of the panel's width. */
const pictureWidth = 'clamp(0px,(100% - 600px)*9999,50%)';

/**
 * An appearance for the panel of the script tag: its texts and methods, and a style sheet for what the loader's own
 * sets. All values are checked ones. Methods that the portal does not have are left out.
 */
export function panelLookOf(
  look: Appearance,
  {
    portal,
    available,
    appName,
  }: { portal: string; available: readonly SignInMethodName[]; appName?: string | undefined },
): PanelLook {
  const chosen = look.methods.filter((method) => available.includes(method));
  // A look whose methods the portal no longer has would leave nobody a way in.
  const methods = chosen.length > 0 ? chosen : [...available];
  const logo = logoOf(look, portal);
  const font = fontPathOf(look.font);
  const legal = legalParts(look.texts.termsUrl, look.texts.privacyUrl);
  return {
    methods,
    buttons: Object.fromEntries(
      methods.map((method, at) => [method, buttonOf(method, methods[at - 1], look.texts)]),
    ),
    icons: Object.fromEntries(methods.map((method) => [method, panelIcons[method]])),
    title: titleOf(look.texts.title, appName, logo !== null),
    ...(logo !== null && { logo: { src: logo.light, alt: look.logo.alt } }),
    ...(font !== null && { font: `${portal}${font}` }),
    ...(legal.length > 0 && { legal: [[' '], ...legal] }),
    style: styleOf(look, {
      darkLogo: logo === null || logo.dark === logo.light ? null : plainOf(logo.dark),
      picture: look.layout.startsWith('picture') ? plainOf(addressOf(look.picture, portal)) : null,
    }),
  };
}

/** The text of a method's button, and of the separator between the wallet and the other methods. */
function buttonOf(
  method: SignInMethodName,
  previous: SignInMethodName | undefined,
  { walletButton, separator }: Appearance['texts'],
): [text: string, above?: string] {
  const text =
    method === 'wallet'
      ? walletButton || defaultAppearance.texts.walletButton
      : `Continue with ${method === 'email' ? 'email' : providerTitles[method]}`;
  const isSeparated = previous !== undefined && (method === 'wallet') !== (previous === 'wallet');
  // The loader hides an empty text, but a separator without one still has its line.
  return isSeparated ? [text, separator || ' '] : [text];
}

const addressOf = (path: string, portal: string): string =>
  path.startsWith('/') ? `${portal}${path}` : path;
const plainOf = (address: string): string | null => (plainAddress.test(address) ? address : null);

function logoOf({ logo, mode }: Appearance, portal: string): Record<'light' | 'dark', string> | null {
  const [light, dark] = schemes.map((scheme) =>
    addressOf(logo[mode === 'system' ? scheme : mode] || logo[scheme] || logo.light || logo.dark, portal),
  ) as [string, string];
  return light === '' ? null : { light, dark };
}

/** `darkLogo` is null if the logo is the same in both schemes; `picture` stands beside the panel. */
function styleOf(
  look: Appearance,
  { darkLogo, picture }: Record<'darkLogo' | 'picture', string | null>,
): string {
  const { colours, mode, density, radius, fontSize, direction, layout } = look;
  const all = Object.fromEntries(
    schemes.map((scheme) => {
      const derived = derivedColours(colours[scheme], scheme);
      const edge = mix(colours[scheme].border, colours[scheme].background, 0.3);
      return [scheme, { ...colours[scheme], ...derived, edge }];
    }),
  ) as Record<
    'light' | 'dark',
    (typeof colours)['light'] & ReturnType<typeof derivedColours> & { edge: string }
  >;
  const of = (name: keyof typeof all.light) => `light-dark(${all.light[name]},${all.dark[name]})`;
  // A picture can follow the system only, so the colours do too then.
  const scheme = mode === 'system' ? (darkLogo === null ? null : 'light dark') : mode;
  const side = layout === 'pictureLeft' ? 'left' : 'right';
  return [
    `:host{color:${of('text')};font-family:${fontFamilyOf(look.font)};font-size:${fontSize}px}`,
    scheme !== null && `:host{color-scheme:${scheme}}`,
    direction !== 'auto' && `:host{direction:${direction}}`,
    `.panel{padding:32px 32px 20px;background:${of('background')};border-color:${of('edge')};border-radius:${radius}px}`,
    `button{min-height:${controlHeights[density]}px;background:${of('background')};border-color:${of('border')};border-radius:${radius}px;font-size:${fontSize + 2}px}`,
    'h2{margin:6px 0 30px;line-height:28px;letter-spacing:-.01em}',
    `.panel>p:last-child:not([role]){margin-top:20px;font-size:12px;line-height:20px}`,
    `button:hover{border-color:${of('link')}}`,
    `:focus-visible{outline-color:${of('link')}}`,
    `.main{color:${of('buttonText')};background:${of('accent')}}`,
    `.main:hover{background:${of('hover')}}`,
    `p{color:${of('quiet')}}`,
    'a{color:inherit}',
    '.who{color:inherit}',
    `[role=alert]{color:${of('error')}}`,
    `.or{display:flex;margin-block:16px;align-items:center;gap:${look.texts.separator ? 12 : 0}px;font-size:12px}`,
    `.or::before,.or::after{content:"";flex:1;border-top:1px solid ${of('border')}}`,
    'img{max-width:164px;max-height:40px;margin-inline:8px;vertical-align:middle}',
    darkLogo !== null && `@media (prefers-color-scheme:dark){img{content:url("${darkLogo}")}}`,
    // Without a box of its own, so that the panel fills the place that the page gives it.
    layout === 'page' &&
      ':host{display:contents}.panel{min-height:100%;align-content:center;padding-inline:max(24px,50% - 186px);border:0;border-radius:0}',
    picture !== null &&
      `:host{max-width:860px}.panel{position:relative;overflow:hidden;padding-${side}:calc(${pictureWidth} + 24px)}` +
        `.panel::before{content:"";position:absolute;inset-block:0;${side}:0;width:${pictureWidth};background:url("${picture}") center/cover}`,
  ]
    .filter((rule) => rule !== false)
    .join('');
}

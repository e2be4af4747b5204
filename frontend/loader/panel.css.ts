import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';

const { light, dark } = brandPalette;
/** A colour of the palette by the page's own `color-scheme`. */
const colour = (name: keyof typeof light & keyof typeof dark) => `light-dark(${light[name]},${dark[name]})`;

/** The style of a mounted button or panel until the portal's answer adds the project's. The build puts the finished text into the loader, without the palette. */
export const panelCss = `
*{box-sizing:border-box}
:host{display:block;max-width:420px;font-size:14px;line-height:1.5;color:${colour('colorText')}}
.panel{padding:24px;background:${colour('colorBgContainer')};border:1px solid ${colour('colorBorderSecondary')};border-radius:8px;text-align:center}
h2{margin:0 0 16px;font-size:20px;font-weight:600}
button{display:flex;align-items:center;justify-content:center;gap:10px;width:100%;min-height:44px;padding:8px 16px;font:inherit;font-weight:500;color:inherit;background:${colour('colorBgContainer')};border:1px solid ${colour('colorBorder')};border-radius:6px;cursor:pointer}
*+button{margin-top:12px}
button:focus-visible{outline:2px solid;outline-offset:2px}
.main{color:${textOnAccent};background:${accent};border:0}
.button{width:fit-content}
svg{flex:none;width:18px;height:18px;fill:currentColor;fill-rule:evenodd}
p{margin:12px 0 0;overflow-wrap:anywhere;color:${colour('colorTextSecondary')}}
p:empty{display:none}
.who{margin:0;color:inherit}
[role=alert]{color:${colour('colorError')}}
`;

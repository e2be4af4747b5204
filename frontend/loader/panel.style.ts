import type { PanelLook } from '@orange-id/contract/appearance.schema';
import { make } from './make.element';
import { panelCss } from './panel.css';

/** The style of all mounted panels. As an object it needs no permission of the page's content security policy. */
export const panelStyle = new CSSStyleSheet();

/** Dresses all panels in the project's look. The portal writes its style, from values that it has checked. */
export function wear<Look extends Pick<PanelLook, 'style' | 'font'>>(look: Look): Look {
  panelStyle.replaceSync(panelCss + look.style);
  if (look.font) document.head.append(make('link', { rel: 'stylesheet', href: look.font }));
  return look;
}

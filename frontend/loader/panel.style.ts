import { panelCss } from './panel.css';

let sheet: CSSStyleSheet | null = null;

/** The style of all mounted panels. As an object it needs no permission of the page's content security policy. */
export function panelStyle(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(panelCss);
  }
  return sheet;
}

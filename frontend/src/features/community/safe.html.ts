import createPurifier, { type Config } from 'dompurify';

const rules: Config = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code'],
    ...['strong', 'em', 'del', 's', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'sup', 'sub', 'kbd'],
  ],
  ALLOWED_ATTR: ['href', 'class', 'start', 'colspan', 'rowspan'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i,
  RETURN_DOM_FRAGMENT: true,
};

const language = /(?:^|\s)language-([\w+#.-]{1,30})/;
const purifier = createPurifier(window);
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  // Any other class would give a post the look of the portal's own parts.
  if (attribute.attrName === 'class' && !(element.nodeName === 'CODE' && language.test(attribute.attrValue)))
    attribute.keepAttr = false;
});
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.nodeName === 'A') element.setAttribute('rel', 'nofollow ugc noopener noreferrer');
});

/** A part of a post: HTML that is safe to insert, or a code block. */
export type HtmlPart = { html: string } | { code: string; language: string | null };

/**
 * The parts of a post's HTML, sanitised. The server has sanitised it too; this holds if a stored text is older than a
 * rule of the server. Its headings begin at `level`.
 */
export function safeParts(html: string, level: 2 | 3): HtmlPart[] {
  const fragment = purifier.sanitize(html, rules) as unknown as DocumentFragment;
  nestHeadings(fragment, level);
  const parts: HtmlPart[] = [];
  for (const node of fragment.childNodes) {
    if (node.nodeName === 'PRE') {
      const code = node.firstChild instanceof Element ? node.firstChild.className : '';
      parts.push({
        code: (node.textContent ?? '').replace(/\n$/, ''),
        language: language.exec(code)?.[1] ?? null,
      });
      continue;
    }
    const box = document.createElement('div');
    box.append(node.cloneNode(true));
    const last = parts.at(-1);
    if (last && 'html' in last) last.html += box.innerHTML;
    else if (box.innerHTML.trim() !== '') parts.push({ html: box.innerHTML });
  }
  return parts;
}

/** Gives headings levels without gaps, whatever levels their author chose, so that the page's outline has none. */
function nestHeadings(text: DocumentFragment, level: number): void {
  const open: number[] = [];
  for (const heading of text.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const own = Number(heading.nodeName.slice(1));
    while ((open.at(-1) ?? 0) >= own) open.pop();
    const nested = document.createElement(`h${Math.min(level + open.length, 6)}`);
    open.push(own);
    nested.append(...heading.childNodes);
    heading.replaceWith(nested);
  }
}

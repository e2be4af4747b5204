/** Attributes that users perceive, or that decide what a control does. Ids and what refers to them are left out. */
const kept =
  /^(aria-(?!labelledby|describedby|controls|owns|activedescendant)|href|type|role|placeholder|title|alt|src|open|disabled|checked|value|autocomplete|inputmode|maxlength|autocapitalize|enterkeyhint|spellcheck|target|rel|download|lang|dir|loading|tabindex|colspan|data-(?!icon|focus|menu-id))/;
/** The variants of antd's components: `primary`, `danger`, `lg`. */
const variant =
  /^[a-z-]+-(?:btn|alert|tag|typography|input|select|card|progress|segmented|badge-status)-(primary|text|link|lg|sm|large|small|dangerous|danger|success|error|warning|secondary|default|block|loading)$/;
const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);

/**
 * The page as lines, for a comparison with its snapshot: one per text and per element that means something, nested
 * as in the page, without layout, ids, drawings and style.
 */
export function pageOutline(root: Element = document.body): string[] {
  const lines: string[] = [];
  const visit = (node: Node, depth: number): void => {
    if (node instanceof Text) {
      const text = node.data.replace(/\s+/g, ' ').trim();
      if (text !== '') lines.push(`${'  '.repeat(depth)}“${text}”`);
      return;
    }
    if (!(node instanceof Element) || silent.has(node.tagName)) return;
    if (node instanceof SVGElement) {
      const icon = node.getAttribute('data-icon');
      if (icon) lines.push(`${'  '.repeat(depth)}icon ${icon}`);
      return;
    }
    const attributes = [...node.attributes].filter(({ name }) => kept.test(name));
    const variants = [...node.classList].flatMap((name) => variant.exec(name)?.[1] ?? []);
    const isPlain = /^(DIV|SPAN)$/.test(node.tagName) && attributes.length + variants.length === 0;
    if (!isPlain) {
      const said = attributes.map(({ name, value }) => (value === '' ? name : `${name}="${value}"`)).sort();
      lines.push(
        '  '.repeat(depth) + [[node.tagName.toLowerCase(), ...variants.sort()].join('.'), ...said].join(' '),
      );
    }
    for (const child of node.childNodes) visit(child, isPlain ? depth : depth + 1);
  };
  for (const child of root.childNodes) visit(child, 0);
  return lines;
}

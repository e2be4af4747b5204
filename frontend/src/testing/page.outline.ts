/** Attributes that users perceive, or that decide what a control does. Ids are left out. */
const kept =
  /^(aria-(?!labelledby|describedby|controls|owns|activedescendant)|href|type|role|placeholder|title|alt|src|open|disabled|checked|value|autocomplete|inputmode|maxlength|autocapitalize|enterkeyhint|spellcheck|target|rel|download|lang|dir|loading|style|tabindex|colspan|data-(?!icon|focus|menu-id))/;
/** The variants and the alignment of antd's components: `primary`, `danger`, `lg`, `align-center`. */
const variant =
  /^[a-z-]+-(?:btn|alert|tag|typography|input|select|card|progress|segmented|badge-status|flex)-(primary|text|link|lg|sm|large|small|dangerous|danger|success|error|warning|secondary|default|block|loading|align-\w+|justify-\w+|wrap-\w+|vertical)$/;
/** Classes that antd generates. */
const generated = /^(?:ant|css|anticon|rc|portal)(?:-|$)/;
/** What has no content, and the copy of a toast for screen readers, which is in the page for a moment. */
const silent = 'script, style, template, noscript, [role=status][aria-live][style*=clip]';

/**
 * The page as lines, for a comparison with its snapshot: one per text and per element that means something, nested
 * as in the page, with the classes that give it its look, and without ids and drawings.
 */
export function pageOutline(root: Element = document.body): string[] {
  const lines: string[] = [];
  const visit = (node: Node, depth: number): void => {
    if (node instanceof Text) {
      const text = node.data.replace(/\s+/g, ' ').trim();
      if (text !== '') lines.push(`${'  '.repeat(depth)}“${text}”`);
      return;
    }
    if (!(node instanceof Element) || node.matches(silent)) return;
    if (node instanceof SVGElement) {
      const icon = node.getAttribute('data-icon');
      if (icon) lines.push(`${'  '.repeat(depth)}icon ${icon}`);
      return;
    }
    // antd removes the `value` attribute of a password a moment after each change.
    const isPassword = node.matches('[type=password]');
    const attributes = [...node.attributes].filter(
      ({ name }) => kept.test(name) && !(isPassword && name === 'value'),
    );
    const classes = [...node.classList].flatMap(
      (name) => variant.exec(name)?.[1] ?? (generated.test(name) ? [] : [name]),
    );
    const isPlain = /^(DIV|SPAN)$/.test(node.tagName) && attributes.length + classes.length === 0;
    if (!isPlain) {
      const said = attributes.map(({ name, value }) => (value === '' ? name : `${name}="${value}"`)).sort();
      for (const name of ['aria-labelledby', 'aria-describedby']) {
        const ids = node.getAttribute(name);
        // The description of a dialog is its own text, and is set a moment after it opens.
        const isOwn = name === 'aria-describedby' && node.getAttribute('role') === 'dialog';
        if (ids !== null && !isOwn) said.push(`${name}: ${textOf(ids)}`);
      }
      lines.push(
        '  '.repeat(depth) + [[node.tagName.toLowerCase(), ...classes.sort()].join('.'), ...said].join(' '),
      );
    }
    for (const child of node.childNodes) visit(child, isPlain ? depth : depth + 1);
  };
  for (const child of root.childNodes) visit(child, 0);
  return lines;
}

/** The text of the elements that a list of ids refers to. */
const textOf = (ids: string): string =>
  ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '(missing)')
    .join(' ');

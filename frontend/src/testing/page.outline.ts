/** What nobody meets, and the copy of a toast for screen readers, which is in the page for a moment. */
const silent = [
  'script, style, template, noscript, dialog:not([open]), [hidden], [aria-hidden=true]',
  // Icons, whose names are those of antd.
  'span[role=img]',
  '[role=status][aria-live][style*=clip]',
].join();

/** The roles of elements without the attribute, by selector; later ones win. */
const roles: [selector: string, role: string][] = [
  ['a[href]', 'link'],
  ['button, summary', 'button'],
  ['h1, h2, h3, h4, h5, h6', 'heading'],
  ['img:not([alt=""])', 'img'],
  ['input, textarea', 'textbox'],
  ['input[type=checkbox]', 'checkbox'],
  ['input[type=radio]', 'radio'],
  ['input[type=file]', 'file'],
  ['select', 'combobox'],
  ['nav', 'navigation'],
  ['section[aria-label], section[aria-labelledby]', 'region'],
  ['dialog', 'dialog'],
  ['table', 'table'],
  ['iframe', 'frame'],
  ['progress', 'progressbar'],
];
/** Roles that structure a page and say nothing by themselves. */
const structural = new Set(['presentation', 'none', 'group', 'list', 'listitem', 'row', 'cell', 'rowgroup']);
/** What a user can or cannot do with a control, and what it shows. */
const states: [state: string, selector: string][] = [
  ['disabled', ':disabled, [aria-disabled=true]'],
  ['expanded', '[aria-expanded=true]'],
  ['pressed', '[aria-pressed=true]'],
  ['selected', '[aria-selected=true]'],
  ['checked', ':checked, [aria-checked=true]'],
];
const fields = new Set(['textbox', 'combobox', 'searchbox', 'spinbutton']);
const inline = /^(A|ABBR|B|CODE|EM|I|KBD|LABEL|MARK|SMALL|SPAN|STRONG|SUB|SUP|TIME|VAR)$/;

/**
 * What a user meets on the page, for a comparison with its snapshot: the role, the name and the state of each control,
 * landmark and message, and the text between them, one per line.
 */
export function pageOutline(root: Element = document.body): string[] {
  const lines: string[] = [];
  let text = '';
  const say = (depth: number, line: string) => lines.push('  '.repeat(depth) + line);
  const endText = (depth: number) => {
    if (text.trim() !== '') say(depth, `“${spaced(text)}”`);
    text = '';
  };
  const visit = (node: Node, depth: number): void => {
    if (node instanceof Text) text += node.data;
    if (!(node instanceof Element) || node.matches(silent)) return;
    if (node instanceof HTMLLabelElement && node.control !== null) {
      // The label is the name of its field.
      if (node.contains(node.control)) visit(node.control, depth);
      return;
    }
    const role = roleOf(node);
    const isCell = /^T[DH]$/.test(node.tagName);
    if (role === null) {
      if (isCell && text.trim() !== '') text += ' | ';
      if (node.tagName === 'SPAN') text += ' ';
      if (!isCell && !inline.test(node.tagName)) endText(depth);
      for (const child of node.childNodes) visit(child, depth);
      if (node.tagName === 'SPAN') text += ' ';
      if (!isCell && !inline.test(node.tagName)) endText(depth);
      return;
    }
    endText(depth);
    say(
      depth,
      [role, ...quoted(nameOf(node, role)), ...quoted(valueOf(node, role)), ...statesOf(node)].join(' '),
    );
    if (isNamedByContent(node, role) || node instanceof SVGElement || fields.has(role)) return;
    const before = lines.length;
    for (const child of node.childNodes) visit(child, depth + 1);
    endText(depth + 1);
    const isEmpty = lines.length === before && lines.at(-1)?.trim() === role;
    if (isEmpty && /^(status|alert|log)$/.test(role)) lines.pop();
  };
  for (const child of root.childNodes) visit(child, 0);
  endText(0);
  return lines;
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

function roleOf(element: Element): string | null {
  const given = element.getAttribute('role');
  if (given !== null) return structural.has(given) ? null : given;
  return roles.findLast(([selector]) => element.matches(selector))?.[1] ?? null;
}

/** Whether the name of the element is its whole content. */
const isNamedByContent = (element: Element, role: string): boolean =>
  /^(button|link|heading|tab|option|menuitem\w*|switch|checkbox|radio|img|tooltip)$/.test(role) &&
  ![...element.querySelectorAll('*')].some((inner) => (roleOf(inner) ?? 'img') !== 'img');

function nameOf(element: Element, role: string): string {
  const labels = (element as Partial<HTMLInputElement>).labels ?? [];
  const name =
    element.getAttribute('aria-label') ??
    textOf(element.getAttribute('aria-labelledby')) ??
    (labels.length > 0 ? [...labels].map(contentOf).join(' ') : null) ??
    element.getAttribute('alt') ??
    (isNamedByContent(element, role) ? contentOf(element) : null) ??
    element.getAttribute('title') ??
    element.getAttribute('placeholder') ??
    '';
  return spaced(name);
}

/** antd removes the `value` attribute of a password a moment after each change. */
const valueOf = (element: Element, role: string): string =>
  fields.has(role) && element instanceof HTMLInputElement && element.type !== 'password' ? element.value : '';

const statesOf = (element: Element): string[] =>
  states.flatMap(([state, selector]) => (element.matches(selector) ? [`(${state})`] : []));

const quoted = (text: string): string[] => (text === '' ? [] : [`“${text}”`]);

/** The text of an element without what is hidden in it. */
function contentOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof Element) || node.matches(silent)) return '';
  if (node instanceof SVGElement) return node.getAttribute('aria-label') ?? '';
  if (node instanceof HTMLImageElement) return node.alt;
  return [...node.childNodes].map(contentOf).join(node.querySelector('span') === null ? '' : ' ');
}

/** The text of the elements that a list of ids refers to. */
function textOf(ids: string | null): string | null {
  if (ids === null) return null;
  return ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '(missing)')
    .join(' ');
}

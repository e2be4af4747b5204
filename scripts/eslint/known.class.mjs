import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the classes in every style sheet below a folder, of CSS modules only those in `:global()`. */
export function classesBelow(folder) {
  const names = new Set();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.css') || /node_modules|dist/.test(entry.parentPath)) continue;
    const css = readFileSync(join(entry.parentPath, entry.name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const selectors = entry.name.endsWith('.module.css') ? (css.match(/:global\([^)]*\)/g) ?? []) : [css];
    for (const [, name] of selectors.join(' ').matchAll(/\.([A-Za-z][\w-]*)/g)) names.add(name);
  }
  return names;
}

/**
 * Reports a class in JSX that no style sheet defines: `['error', { below: folder }]`. It reads the texts of an attribute whose name ends in `className`, also those in conditions and
 * templates, but neither compared texts nor the part of a word that touches an expression.
 */
export const knownClass = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'object',
        properties: { below: { type: 'string' } },
        required: ['below'],
        additionalProperties: false,
      },
    ],
    messages: { unknown: "No style sheet defines the class '{{name}}'." },
  },
  create(context) {
    const [{ below }] = context.options;
    const known = knownBelow(below);
    const check = (node, text) => {
      for (const name of text.split(/\s+/)) {
        if (name === '' || known.has(name)) continue;
        context.report({ node, messageId: 'unknown', data: { name } });
      }
    };
    const attribute = 'JSXAttribute[name.name=/[cC]lassNames?$/]';
    return {
      [`${attribute} Literal`]: (node) => {
        if (typeof node.value === 'string' && !isCompared(node)) check(node, node.value);
      },
      [`${attribute} TemplateElement`]: (node) => {
        const { quasis } = node.parent;
        const isFirst = node === quasis[0];
        const isLast = node === quasis.at(-1);
        const text = node.value.cooked;
        check(node, text.replace(isFirst ? '' : /^\S+/, '').replace(isLast ? '' : /\S+$/, ''));
      },
    };
  },
};

const sheets = new Map();
function knownBelow(folder) {
  if (!sheets.has(folder)) sheets.set(folder, classesBelow(folder));
  return sheets.get(folder);
}

const isCompared = ({ parent }) => parent.type === 'BinaryExpression' || parent.type === 'MemberExpression';

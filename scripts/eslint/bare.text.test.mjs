import { expect, test } from '@jest/globals';
import { Linter } from 'eslint';
import { bareText } from './bare.text.mjs';

function findingsIn(code) {
  const messages = new Linter().verify(code, {
    files: ['**/*.js'],
    plugins: { portal: { rules: { 'bare-text': bareText } } },
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
    rules: { 'portal/bare-text': 'error' },
  });
  return messages.map(({ messageId, message }) => messageId ?? message);
}

test.each([
  ["<p>Filters{count && ' (2)'}</p>", ['appears']],
  ["<p>{isOpen ? 'Hide' : 'Show'} <b>steps</b></p>", ['appears']],
  ["<p>{isOpen ? <b>Open</b> : 'Closed'}<i /></p>", ['appears']],
  ['<p>{isDone || `${count} left`}<i /></p>', ['appears']],
  ["<>{isFirst ? '' : ', '}<b>name</b></>", ['appears']],
  ['<p>{lead && <b>{lead}</b>} of all</p>', ['neighbour']],
  ["<p>{lead && <b>{lead}</b>}{'of all'}</p>", ['neighbour']],
])('text that a condition adds, or a condition before a text, is reported: %s', (code, findings) => {
  expect(findingsIn(code)).toEqual(findings);
});

test.each([
  "<p>{isOpen ? 'Hide' : 'Show'}</p>",
  "<p>Filters<span>{count && ' (2)'}</span></p>",
  '<p>{lead && <b>{lead}</b>}<span>of all</span></p>',
  '<p>Total: {count} calls</p>',
  "<p>\n  {/* a comment */}\n  {isOpen ? 'Hide' : 'Show'}\n</p>",
  '<p>of all {lead && <b>{lead}</b>}</p>',
])('text that is alone in its element, or stays, is not reported: %s', (code) => {
  expect(findingsIn(code)).toEqual([]);
});

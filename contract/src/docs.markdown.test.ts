import { expect, test } from '@jest/globals';
import { docsMarkdown, llmsText } from './docs.markdown.js';

test.each([
  ['the documentation as Markdown', (url: string) => docsMarkdown(url, url)],
  ['the index for language models', llmsText],
])('%s has the text of its snapshot', (_, write) => {
  expect(write('https://portal.example.com')).toMatchSnapshot();
});

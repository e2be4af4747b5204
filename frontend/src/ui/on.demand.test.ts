import { describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { onDemand } from './on.demand';

const Words = ({ words }: { words: string }) => createElement('p', null, words);

describe('a component on demand', () => {
  test('loads once, however often it is requested', async () => {
    let fetches = 0;
    const part = onDemand(() => {
      fetches += 1;
      return Promise.resolve(Words);
    });
    await Promise.all([part.fetch(), part.fetch()]);
    await part.fetch();
    expect(fetches).toBe(1);
  });

  test('loads again on the next request after a failure', async () => {
    const answers = [() => Promise.reject(new Error('offline')), () => Promise.resolve(Words)];
    const part = onDemand(() => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
    await expect(part.fetch()).rejects.toThrow('offline');
    await expect(part.fetch()).resolves.toBeUndefined();
    await expect(part.fetch()).resolves.toBeUndefined();
  });

  test('renders nothing during prerendering', async () => {
    const part = onDemand(() => Promise.resolve(Words));
    await part.fetch();
    expect(renderToStaticMarkup(createElement(part.Part, { words: 'here' }))).toBe('');
  });
});

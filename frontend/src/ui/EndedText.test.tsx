import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { EndedText } from './EndedText';

test('of a long name the last characters stay on the line, and no letter with an accent is torn apart', () => {
  const name = 'Acme web shop in production de\u0301ux';
  const { container } = render(<EndedText text={name} />);
  const [start, end] = container.querySelectorAll('span > span');
  expect([start?.textContent, end?.textContent]).toEqual(['Acme web shop in product', 'ion de\u0301ux']);
  expect(container.textContent).toBe(name);
});

test('a short name is one text', () => {
  const { container } = render(<EndedText text="Acme web shop" />);
  expect(container.querySelectorAll('span')).toHaveLength(1);
});

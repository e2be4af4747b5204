import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Field } from './Field';

test('a field’s error is announced and describes the field; the help that it replaces is not announced', () => {
  const field = (error: string | null) => (
    <Field label="Name" help="At most 50 characters" error={error}>
      {({ status: _, ...control }) => <input {...control} />}
    </Field>
  );
  const { rerender } = render(field(null));
  const live = document.querySelector('[aria-live=polite]');
  expect(live).toBeEmptyDOMElement();
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('At most 50 characters');
  rerender(field('Name is required'));
  expect(document.querySelector('[aria-live=polite]')).toBe(live);
  expect(live).toHaveTextContent('Name is required');
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Name is required');
});

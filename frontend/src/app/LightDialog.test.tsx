import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { LightDialog } from './LightDialog';

test('Escape closes the dialog through its owner instead of at once', () => {
  const onClose = jest.fn();
  render(
    <LightDialog title="Menu" className="menu" isOpen onClose={onClose}>
      <p>Links</p>
    </LightDialog>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Menu' });
  // The browser's event for Escape; `fireEvent` returns whether the browser would close the dialog.
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  expect(onClose).toHaveBeenCalledTimes(1);
});

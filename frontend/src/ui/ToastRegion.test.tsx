import { expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ToastRegion } from './ToastRegion';

function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button>Work</button>
      <ToastRegion shown={{ id: 1, title: 'Saved', isOpen }} onClose={() => setOpen(false)} />
    </>
  );
}

test.each(['Escape', 'Close'])(
  'a toast closed with %s returns the focus to the element that had it before',
  async (way) => {
    const user = userEvent.setup({ delay: null });
    render(<Page />);
    const work = screen.getByRole('button', { name: 'Work' });
    const close = await screen.findByRole('button', { name: 'Close' });
    work.focus();
    fireEvent.keyDown(work, { key: 'F8', code: 'F8' });
    expect(work).not.toHaveFocus();
    if (way === 'Close') close.focus();
    await user.keyboard(way === 'Close' ? '{Enter}' : '{Escape}');
    await waitFor(() => expect(work).toHaveFocus());
  },
);

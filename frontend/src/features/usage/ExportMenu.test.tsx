import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ExportMenu } from './ExportMenu';

test('Escape closes the menu and returns the focus to its button', async () => {
  const user = userEvent.setup({ delay: null });
  render(<ExportMenu view={{ range: '24h' }} isEmpty={false} />);
  const button = screen.getByRole('button', { name: 'Export' });
  await user.click(button);
  const csv = await screen.findByRole('menuitem', { name: /^CSV / });
  await waitFor(() => expect(csv).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
});

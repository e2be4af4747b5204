import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CopyButton } from './CopyButton';

test('the button says that the text could not be copied if the browser refuses', async () => {
  const user = userEvent.setup({ delay: null });
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
  render(<CopyButton text="orange" label="name" />);
  await user.click(screen.getByRole('button', { name: 'Copy name' }));
  expect(await screen.findByRole('button', { name: 'Couldn’t copy' })).toHaveTextContent('Couldn’t copy');
  expect(screen.getByRole('status')).toHaveTextContent('Couldn’t copy');
});

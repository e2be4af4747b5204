import { afterEach, expect, jest, test } from '@jest/globals';
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

/** Gives the page no clipboard, as browsers do on plain http, and answers `execCommand` with this. */
function openOnPlainHttp(canCopy: boolean) {
  const user = userEvent.setup({ delay: null });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  const copied: string[] = [];
  document.execCommand = () => {
    const field = document.activeElement as HTMLTextAreaElement;
    copied.push(field.value.slice(field.selectionStart, field.selectionEnd));
    return canCopy;
  };
  return { user, copied };
}
afterEach(() => void Reflect.deleteProperty(document, 'execCommand'));

test('on plain http the button copies by selection and keeps the focus', async () => {
  const { user, copied } = openOnPlainHttp(true);
  render(<CopyButton text={'orange\nlemon'} label="name" />);
  await user.click(screen.getByRole('button', { name: 'Copy name' }));
  expect(await screen.findByRole('button', { name: 'Copied!' })).toHaveFocus();
  expect(copied).toEqual(['orange\nlemon']);
  expect(document.querySelector('textarea')).toBeNull();
});

test('on plain http the button says that the text could not be copied if the browser selects nothing', async () => {
  const { user } = openOnPlainHttp(false);
  render(<CopyButton text="orange" label="name" />);
  await user.click(screen.getByRole('button', { name: 'Copy name' }));
  expect(await screen.findByRole('button', { name: 'Couldn’t copy' })).toHaveTextContent('Couldn’t copy');
});

test('on plain http the text is selected inside the open dialog, because the page outside is inert', async () => {
  const { user } = openOnPlainHttp(true);
  let place: Element | null | undefined;
  document.execCommand = () => {
    place = document.activeElement?.parentElement;
    return true;
  };
  render(
    <dialog open>
      <p>
        <CopyButton text="orange" label="name" />
      </p>
    </dialog>,
  );
  await user.click(screen.getByRole('button', { name: 'Copy name' }));
  await screen.findByRole('button', { name: 'Copied!' });
  expect(place).toBe(screen.getByRole('dialog'));
});

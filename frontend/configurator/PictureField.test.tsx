import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { PictureField } from './PictureField';

test('an upload keeps what was changed while it was on its way', async () => {
  const user = userEvent.setup({ delay: null });
  let arrive: (picture: string) => void = () => undefined;
  const upload = () => new Promise<string>((resolve) => (arrive = resolve));
  function Logo() {
    const [logo, setLogo] = useState({ light: '', alt: '' });
    return (
      <>
        <PictureField
          label="Logo"
          value={logo.light}
          revision={logo}
          upload={upload}
          onChange={(light) => setLogo({ ...logo, light })}
        />
        <input
          aria-label="Alt"
          value={logo.alt}
          onChange={({ target }) => setLogo({ ...logo, alt: target.value })}
        />
      </>
    );
  }
  const { container } = render(<Logo />);
  const file = container.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(file, new File(['x'], 'logo.png', { type: 'image/png' }));
  await user.type(screen.getByLabelText('Alt'), 'Acme');
  await act(async () => arrive('/pictures/1.webp'));
  expect(screen.getByLabelText('Logo')).toHaveValue('Uploaded picture');
  expect(screen.getByLabelText('Alt')).toHaveValue('Acme');
});

test('the reason of a failed upload goes with the next change', async () => {
  const user = userEvent.setup({ delay: null });
  const field = (revision: object) => (
    <PictureField
      label="Logo"
      value=""
      revision={revision}
      upload={() => Promise.reject(new Error('Choose an image smaller than 1 MB.'))}
      onChange={() => undefined}
    />
  );
  const before = {};
  const { container, rerender } = render(field(before));
  const input = container.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['x'], 'logo.png', { type: 'image/png' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('smaller than 1 MB');
  rerender(field(before));
  expect(screen.getByRole('alert')).toBeVisible();
  rerender(field({}));
  expect(screen.queryByRole('alert')).toBeNull();
});

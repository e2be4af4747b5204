import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ColourField } from './ColourField';

test('what is typed and is no colour stays, with what to enter, until the colour changes', async () => {
  const user = userEvent.setup({ delay: null });
  function Accent() {
    const [value, setValue] = useState('#0B63CE');
    return (
      <ColourField
        label="Accent"
        value={value}
        defaultValue="#F37920"
        against={null}
        problem={undefined}
        onChange={setValue}
      />
    );
  }
  render(<Accent />);
  const field = screen.getByLabelText('Accent as hex');
  await user.clear(field);
  await user.type(field, 'banana');
  await user.tab();
  expect(field).toHaveValue('banana');
  expect(field).toBeInvalid();
  expect(screen.getByRole('alert')).toHaveTextContent('Enter a colour such as #F37920.');
  await user.click(screen.getByRole('button', { name: 'Reset Accent to #F37920' }));
  expect(field).toHaveValue('#F37920');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('button', { name: /Reset/ })).toBeNull();
});

import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { Tooltip, Tooltips } from './Tooltip';

test('the hover that loads the tooltips’ code also opens the tooltip', async () => {
  // jsdom has no pointer events, and moves no mouse.
  class PointerEvent extends MouseEvent {
    readonly pointerType: string | undefined;
    constructor(type: string, init: PointerEventInit) {
      super(type, init);
      this.pointerType = init.pointerType;
    }
  }
  Object.assign(window, { PointerEvent });
  const { matchMedia } = window;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) => ({ ...matchMedia(media), matches: media === '(hover: hover)' }));
  render(
    <>
      <Tooltip text="Since 00:00 UTC">
        <span>3 calls today</span>
      </Tooltip>
      <Tooltips />
    </>,
  );
  const target = screen.getByText('3 calls today');
  const { matches } = target;
  jest
    .spyOn(target, 'matches')
    .mockImplementation((selector) => selector === ':hover' || matches.call(target, selector));
  fireEvent.pointerOver(target, { pointerType: 'mouse' });
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Since 00:00 UTC');
});

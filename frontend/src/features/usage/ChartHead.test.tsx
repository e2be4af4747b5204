import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';

test.each([
  ['a pointer that cannot hover', true, 'Times in UTC. Tap a bar to zoom in.'],
  ['a mouse', false, 'Times in UTC. Click a bar or drag to zoom in.'],
])('with %s the chart says how to zoom in', async (_, isTouch, hint) => {
  const { matchMedia } = window;
  jest.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...matchMedia(media),
    matches: media === '(hover: none)' && isTouch,
  }));
  await jest.isolateModulesAsync(async () => {
    const { ChartHead } = await import('./ChartHead');
    render(<ChartHead />);
  });
  expect(screen.getByText(/^Times in UTC/)).toHaveTextContent(hint);
});

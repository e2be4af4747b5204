import { expect, jest, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { ErrorBoundary } from './ErrorBoundary';

test.each([
  { thrown: new TypeError('No such function'), reported: new TypeError('No such function') },
  { thrown: 'a text', reported: new Error('a text') },
])('an error while rendering is reported, also if it is not an Error: $thrown', ({ thrown, reported }) => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const onError = jest.fn();
  function Broken(): never {
    throw thrown;
  }
  const { container } = render(
    <ErrorBoundary onError={onError}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(onError.mock.calls).toEqual([[reported]]);
  expect(container).toBeEmptyDOMElement();
});

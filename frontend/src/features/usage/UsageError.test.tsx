import { errorBody } from '@orange-id/contract/error.codes';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { HttpError } from '../../api/http';
import { readAddress } from './usage.view';
import { UsageError } from './UsageError';

const clear = 'Choose a shorter range, or clear some filters.';
const shorter = 'Choose a shorter range.';

test.each([
  ['', shorter],
  ['range=7d', shorter],
  ['range=24h&status=404', shorter],
  ['range=7d&projectId=orange-1', shorter],
  ['range=7d&status=404', clear],
  ['range=7d&projectId=orange-1&origin=none', clear],
  ['from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z&method=GET', clear],
  ['from=2026-01-01T00:00:00Z&to=2026-01-02T23:00:00Z&method=GET', shorter],
])('the advice for too many calls fits the range and the filters “%s”', (query, advice) => {
  const error = new HttpError(422, JSON.stringify(errorBody('usage.tooManyCalls')));
  const { view } = readAddress(new URLSearchParams(query));
  render(<UsageError error={error} view={view} onChange={jest.fn()} onRetry={jest.fn()} />);
  expect(screen.getByText('Too many calls to search')).toBeInTheDocument();
  expect(screen.getByText(advice)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Show the last hour' })).toBeInTheDocument();
});

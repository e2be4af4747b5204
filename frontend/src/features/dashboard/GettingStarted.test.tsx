import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { GettingStarted } from './GettingStarted';
import { stepsOf } from './started.steps';

test('the steps are collapsed once they are done, and a button shows and hides them', async () => {
  const user = userEvent.setup({ delay: null });
  const steps = stepsOf({
    projects: { is: 'known', value: ['Acme'] },
    lastCall: { is: 'known', value: { projectId: 'orange-k3x9p2m7qa' } },
  });
  render(<GettingStarted steps={steps} projects={[]} onRetry={() => undefined} />);
  expect(screen.getByText('All 3 steps done')).toBeInTheDocument();
  expect(screen.queryByRole('list')).not.toBeInTheDocument();

  await user.click(screen.getByRole('button', { name: 'Show steps', expanded: false }));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Hide steps', expanded: true }));
  expect(screen.queryByRole('list')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Show steps', expanded: false })).toBeInTheDocument();
});

import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openPortal } from '../../testing/open.portal';

test('who has no project creates the first one where the list would be', async () => {
  openPortal('/projects');
  const help = await screen.findByText('Create your first project to get started');
  // The only one: the head of the page leaves it to the empty list.
  const create = screen.getByRole('link', { name: 'Create New Project' });
  expect(create).toHaveAttribute('href', '/orange-id');
  expect(help.compareDocumentPosition(create)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

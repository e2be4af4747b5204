import { expect } from '@jest/globals';
import { waitFor } from '@testing-library/react';

/**
 * Waits until the toast shows this text. Reads the toast itself, because a copy for screen readers is in the page for a
 * moment.
 */
export const expectToast = (title: string, description = '') =>
  waitFor(() => {
    const toast = document.querySelector('.toast_root');
    expect(toast?.querySelector('.toast_title')).toHaveTextContent(title);
    if (description) expect(toast?.querySelector('.toast_description')).toHaveTextContent(description);
  });

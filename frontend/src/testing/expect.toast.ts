import { expect } from '@jest/globals';
import { waitFor } from '@testing-library/react';

/** Waits until the one toast says this; a copy for screen readers stands in the page for a moment too. */
export const expectToast = (title: string, description = '') =>
  waitFor(() => {
    const toast = document.querySelector('.toast');
    expect(toast?.querySelector('.toast-title')).toHaveTextContent(title);
    if (description) expect(toast?.querySelector('.toast-description')).toHaveTextContent(description);
  });

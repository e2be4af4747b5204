import type { ReactNode } from 'react';

/** The form of a dialog whose buttons lie outside it. Enter submits it from each of its fields. */
export function DialogForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {/* Enter submits a form with several fields only if it has a button. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
}

/**
 * Copies a text to the clipboard. Pages on plain http have no clipboard, so there, or if it refuses, the text is copied
 * as a selection. Rejects if that fails too.
 */
export async function copyText(text: string, page: Window = window): Promise<void> {
  const { clipboard } = page.navigator as { clipboard?: Clipboard };
  try {
    if (!clipboard) throw new Error('The page has no clipboard');
    await clipboard.writeText(text);
  } catch (error) {
    if (!copySelected(text, page.document)) throw error;
  }
}

function copySelected(text: string, document: Document): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.style.cssText = 'position: fixed; inset: 0 auto auto 0; opacity: 0; font-size: 16px';
  // What is outside an open dialog can't be selected.
  const dialog = focused?.closest('dialog, [role=dialog]') ?? document.querySelector('dialog[open]');
  (dialog ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}

/**
 * Finds an element to focus after the list item of `button` is removed: the button of the next item, then of the
 * previous one, and so on, and `end` last. Call it before the item is removed.
 */
export function besideRow(button: HTMLElement, end: HTMLElement | null): () => HTMLElement | null {
  const row = button.closest('li');
  const rows = [...(row?.parentElement?.children ?? [])];
  const place = row ? rows.indexOf(row) : -1;
  const buttons = [...rows.slice(place + 1), ...rows.slice(0, place).reverse()].flatMap(
    (other) => other.querySelector('button') ?? [],
  );
  return () => buttons.find(({ isConnected, disabled }) => isConnected && !disabled) ?? end;
}

/**
 * Where the focus can go when the list item of `button` is gone: the button of the next one, of the one before, and so on,
 * at last to `end`. Ask before it is gone.
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

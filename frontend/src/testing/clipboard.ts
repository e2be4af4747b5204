/** The last text that a page copied. */
export async function copiedText(): Promise<string> {
  // `readText` of user-event's clipboard expects jsdom's Blob, but the item contains Node's.
  const [item] = await navigator.clipboard.read();
  if (!item) throw new Error('nothing was copied');
  return (await item.getType('text/plain')).text();
}

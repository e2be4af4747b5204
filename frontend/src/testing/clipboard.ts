/** The text that a page copied last. */
export async function copiedText(): Promise<string> {
  // `readText` of user-event's clipboard wants jsdom's own Blob, and there is one of Node's in it.
  const [item] = await navigator.clipboard.read();
  if (!item) throw new Error('nothing was copied');
  return (await item.getType('text/plain')).text();
}

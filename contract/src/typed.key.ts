/** Whether a key press belongs to an input method, such as the Enter that accepts a composed word. */
export const isComposing = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  // Safari ends the composition before it sends the key press, and marks that with this code.
  isComposing || keyCode === 229;

/** The letter of a shortcut: of the key, or of its place on a QWERTY keyboard where the layout has no Latin letters. */
export function shortcutLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = key.toLowerCase();
  return /^[a-z]$/.test(letter) ? letter : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? letter);
}

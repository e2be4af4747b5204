import fc from 'fast-check';

/** Every code point except lone surrogates. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800), placeOf);

function placeOf(text: unknown): number {
  const [character, ...more] = typeof text === 'string' ? text : '';
  const point = character?.codePointAt(0) ?? 0xd800;
  if (more.length > 0 || (point >= 0xd800 && point < 0xe000)) throw new Error('not one character');
  return point < 0xd800 ? point : point - 0x800;
}

/** Like fast-check's `unit: 'binary'`, without its table of every character, which takes a second to build. */
export const anyText = (constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });

/** The tokens of a valid JSON text as they are written; parsing would round large numbers and turn `1.0` into `1`. */
const tokensOf = (json: string): string[] => json.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];

/** Indents a valid JSON text by two spaces, as `JSON.stringify` does, and keeps its numbers and texts as written. */
export function indentJson(json: string): string {
  const tokens = tokensOf(json);
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, place) => {
      if (token === '[' || token === '{') {
        depth++;
        return /^[\]}]$/.test(tokens[place + 1] ?? '') ? token : token + line();
      }
      if (token === ']' || token === '}') {
        depth--;
        return /^[[{]$/.test(tokens[place - 1] ?? '') ? token : line() + token;
      }
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .join('');
}

/** Whether a valid JSON text means the same after it has been parsed and written again. */
export const isExactJson = (json: string): boolean =>
  tokensOf(json).join('') === JSON.stringify(JSON.parse(json));

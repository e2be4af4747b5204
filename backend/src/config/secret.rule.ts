/** Random text of 32 hexadecimal digits has fewer once in 25 million times. */
const fewestDistinct = 8;

/** Words of the documents' examples, which someone may paste as they are; random text does not contain them. */
const exampleWords = /openssl|portal[\s_-]*secret|example|change[\s_-]*me|your[\s_-]*secret/i;

/** Whether a secret of enough characters can be guessed: few distinct ones, a repeated part, or a text from a document. */
export function isGuessable(secret: string): boolean {
  return new Set(secret).size < fewestDistinct || isRepeated(secret) || exampleWords.test(secret);
}

/** Whether the text is a part of at most half its length, again and again. */
function isRepeated(text: string): boolean {
  const longest = Math.floor(text.length / 2);
  for (let part = 1; part <= longest; part++) if (text.slice(part) === text.slice(0, -part)) return true;
  return false;
}

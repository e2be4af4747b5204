import { randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A new project code, the project's public id: `orange-` and ten random lowercase letters or digits. */
export const newProjectCode = (): string =>
  `orange-${Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

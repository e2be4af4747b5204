import { surplusPart, type NewUrlRefusal, type SurplusRefusal } from '@orange-id/contract/whitelist.rule';

const reasons: Record<SurplusRefusal, string> = {
  port: 'it isn’t a valid port. An allowed URL covers every port of its host.',
  credentials: 'an allowed URL can’t include a user name or password.',
};
const shownMaxCharacters = 60;

const isSurplus = (code: NewUrlRefusal): code is SurplusRefusal => code in reasons;

/** Why a URL was refused, in the words of one screen; what only has to be removed is named in the same words everywhere. */
export const urlSentenceOf =
  (words: Record<Exclude<NewUrlRefusal, SurplusRefusal>, string>) =>
  (code: NewUrlRefusal, text: string): string => {
    if (!isSurplus(code)) return words[code];
    const part = surplusPart(code, text);
    const shown = part.length > shownMaxCharacters ? `${part.slice(0, shownMaxCharacters)}…` : part;
    return `Remove “${shown}”: ${reasons[code]}`;
  };

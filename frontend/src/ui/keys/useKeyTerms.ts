import type { InputRef } from 'antd';
import { useRef, useState } from 'react';
import { useConfig } from '../../api/config/config.context';
import { readTerms, type TermProblems, type TypedTerms } from './key.terms';

/** Checks the expiry and the limit of a key as typed. `fields` are props of `KeyTermsFields`. */
export function useKeyTerms() {
  const { rateLimitPerKey } = useConfig();
  const [problems, setProblems] = useState<TermProblems>({});
  const expiryInput = useRef<InputRef>(null);
  const limitInput = useRef<InputRef>(null);
  return {
    fields: { problems, expiryInput, limitInput },
    clearProblems: () => setProblems({}),
    /** The terms that differ from `base`; `wrong` is the first input with a problem. `stopHint`: see `readTerms`. */
    read: (typed: TypedTerms, base: TypedTerms, stopHint: string) => {
      const isIncomplete = expiryInput.current?.input?.validity.badInput === true;
      const read = readTerms(typed, base, { most: rateLimitPerKey, isIncomplete, stopHint });
      setProblems(read.problems);
      const wrong = read.problems.expiresAt ? expiryInput : read.problems.rateLimit ? limitInput : null;
      return { terms: read.terms, wrong };
    },
  };
}

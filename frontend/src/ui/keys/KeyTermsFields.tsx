import { Input, type InputRef } from 'antd';
import type { ReactNode, RefObject } from 'react';
import { useConfig } from '../../api/config/config.context';
import { Field } from '../Field';
import { formatCount } from '../number.text';
import { timeZone } from '../time.text';
import type { TermProblems, TypedTerms } from './key.terms';

interface KeyTermsFieldsProps {
  typed: TypedTerms;
  problems: TermProblems;
  expiryInput: RefObject<InputRef | null>;
  limitInput: RefObject<InputRef | null>;
  isReadOnly?: boolean;
  /** More help below each field. */
  notes?: { expiresAt: ReactNode; rateLimit: ReactNode };
  onType: (change: Partial<TypedTerms>) => void;
}

/** The fields for the expiry and the limit of a key. */
export function KeyTermsFields(props: KeyTermsFieldsProps) {
  const { typed, problems, expiryInput, limitInput, isReadOnly = false, notes, onType } = props;
  const { rateLimitPerKey } = useConfig();
  return (
    <>
      <Field
        label="Expires"
        help={
          <>
            {`In ${timeZone}. Calls after that get 401. Empty for no expiry.`}
            {notes && <span>{notes.expiresAt}</span>}
          </>
        }
        error={problems.expiresAt ?? null}
      >
        {(control) => (
          <Input
            {...control}
            ref={expiryInput}
            type="datetime-local"
            readOnly={isReadOnly}
            value={typed.expiresAt}
            onChange={({ target }) => onType({ expiresAt: target.value })}
          />
        )}
      </Field>
      <Field
        label="Limit in calls per second"
        help={
          <>
            {`At most ${formatCount(rateLimitPerKey)}, which applies if this is empty. Calls above it get 429.`}
            {notes && <span>{notes.rateLimit}</span>}
          </>
        }
        error={problems.rateLimit ?? null}
      >
        {(control) => (
          <Input
            {...control}
            ref={limitInput}
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(rateLimitPerKey)}
            readOnly={isReadOnly}
            value={typed.rateLimit}
            onChange={({ target }) => onType({ rateLimit: target.value })}
          />
        )}
      </Field>
    </>
  );
}

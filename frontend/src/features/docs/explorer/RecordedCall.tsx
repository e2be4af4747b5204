import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAuth } from '../../../api/session/auth.context';
import { queryKeys } from '../../../api/cache/query.keys';
import { useUsageKeys } from '../../../api/usage/get.usage.keys';
import type { CallAnswer, SentCall } from './explorer.types';
import { findCall, similarTo } from './find.call';

interface RecordedCallProps {
  sent: SentCall;
  answer: CallAnswer;
}

/**
 * The maximum number of times that Usage is read for the call. The first read usually finds it, because a call is
 * stored before its response is sent.
 */
const reads = 5;
const readAgainMs = 1_500;

/** Links to the call in Usage, or says why it can't be found there. */
export function RecordedCall({ sent, answer }: RecordedCallProps) {
  const { isAuthenticated } = useAuth();
  return (
    <p className="note" role="status">
      {isKeyUnknown(answer) ? (
        'No account has this key, so Usage doesn’t list the call.'
      ) : isAuthenticated ? (
        <OwnCall sent={sent} answer={answer} />
      ) : (
        'The owner of the key sees this call in Usage.'
      )}
    </p>
  );
}

const isKeyUnknown = ({ status, body }: CallAnswer): boolean =>
  status === 401 && /"code": "key\.(invalid|missing)"/.test(body);

function OwnCall({ sent, answer }: RecordedCallProps): ReactNode {
  const keys = useUsageKeys();
  const keyId = sent.keyId ?? keyWith(sent.apiKey, keys.data)?.id;
  if (keyId !== undefined) return <FoundCall sent={sent} answer={answer} keyId={keyId} />;
  if (keys.isFetching) return 'Looking for this call in Usage...';
  return keys.data
    ? 'This key isn’t one of yours. Its owner sees this call in Usage.'
    : 'Usage couldn’t be read. If the key is yours, this call is listed there.';
}

const keyWith = <Key extends ReturnType<typeof apiKeyEnds>>(text: string, keys: readonly Key[] = []) => {
  const { prefix, last4 } = apiKeyEnds(text);
  return keys.find((key) => key.prefix === prefix && key.last4 === last4);
};

function FoundCall({ sent, answer, keyId }: RecordedCallProps & { keyId: string }) {
  const {
    data: row,
    isFetched,
    isFetching,
  } = useQuery({
    queryKey: queryKeys.usage({ explored: answer.ms, keyId }),
    queryFn: ({ signal }) => findCall(sent, answer, keyId, signal),
    enabled: answer.serverMs !== null,
    refetchInterval: ({ state }) =>
      !state.data && state.dataUpdateCount + state.errorUpdateCount < reads ? readAgainMs : false,
  });
  if (row)
    return (
      <>
        Recorded.{' '}
        <Link to={`/usage?${new URLSearchParams({ call: String(row.seq) })}`}>View this call in Usage</Link>
      </>
    );
  const similar = new URLSearchParams(similarTo(sent, answer, keyId));
  if (answer.serverMs === null)
    return (
      <>
        Usage may combine this call with others like it. <Link to={`/usage?${similar}`}>Open Usage</Link>
      </>
    );
  if (!isFetched || isFetching) return 'Looking for this call in Usage...';
  return (
    <>
      This call can’t be told apart in Usage yet. <Link to={`/usage?${similar}`}>See similar calls</Link>
    </>
  );
}

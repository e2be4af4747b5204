import { useActorRef } from '@xstate/react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { fromPromise } from 'xstate';
import { inspected } from '../inspect/machine.inspect';
import type { SubmissionActor, SubmissionMachine } from './submission';

interface SubmissionOutcome<Subject> {
  onDone?: (subject: Subject) => void;
  onFailed?: (error: unknown) => void;
}

/** Runs a submission. `submit` must be memoised; the callbacks need not be. */
export function useSubmission<Subject, What extends string>(
  machine: SubmissionMachine<Subject, What>,
  submit: (subject: Subject) => Promise<unknown>,
  outcome: SubmissionOutcome<Subject> = {},
): SubmissionActor<Subject, What> {
  const logic = useMemo(
    () =>
      machine.provide({ actors: { submit: fromPromise<unknown, Subject>(({ input }) => submit(input)) } }),
    [machine, submit],
  );
  const actor = useActorRef(logic, inspected);
  useSubmissionOutcome(actor, outcome);
  return actor;
}

/** Calls back after each attempt; the callbacks need not be memoised. */
export function useSubmissionOutcome<Subject, What extends string>(
  actor: SubmissionActor<Subject, What>,
  { onDone, onFailed }: SubmissionOutcome<Subject>,
): void {
  const done = useEffectEvent((subject: Subject) => onDone?.(subject));
  const failed = useEffectEvent((error: unknown) => onFailed?.(error));
  useEffect(() => {
    const subscriptions = [
      actor.on('submission.done', ({ subject }) => done(subject)),
      actor.on('submission.failed', ({ error }) => failed(error)),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor]);
}

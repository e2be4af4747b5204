import type { SubmissionActor } from '../../ui/submission';
import { useToast, type ToastMessage } from '../../ui/toast';
import { useSubmissionOutcome } from '../../ui/useSubmission';

/** Shows a toast after each attempt of a dialog: that it succeeded, or why it failed. */
export function useOutcomeToasts<Subject, What extends string>(
  actor: SubmissionActor<Subject, What>,
  doneToast: (subject: Subject) => ToastMessage,
  failureOf: (error: unknown) => string,
): void {
  const showToast = useToast();
  useSubmissionOutcome(actor, {
    onDone: (subject) => showToast(doneToast(subject)),
    onFailed: (error) => showToast({ tone: 'error', title: 'Error', description: failureOf(error) }),
  });
}

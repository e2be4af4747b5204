import type { ComponentProps } from 'react';
import type { SubmissionDialog } from '../../ui/SubmissionDialog';

/** The props that a dialog passes to `SubmissionDialog`. */
export type ChangeDialogProps<Subject, What extends string = 'project'> = Omit<
  ComponentProps<typeof SubmissionDialog<Subject, What>>,
  'children'
>;

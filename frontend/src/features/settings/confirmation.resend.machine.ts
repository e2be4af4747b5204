import { submissionMachine } from '../../ui/submission';

/** Requests the confirmation email again. */
export const confirmationResendMachine = submissionMachine('confirmationResend');

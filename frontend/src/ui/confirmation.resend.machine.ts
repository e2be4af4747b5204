import { submissionMachine } from './submission';

/** Requests the confirmation email again. */
export const confirmationResendMachine = submissionMachine('confirmationResend');

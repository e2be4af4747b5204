import { submissionMachine } from '../../ui/submission';

/** Ends another session, given by its id, at once. */
export const endSessionMachine = submissionMachine<string>('endSession');

/** Ends every session, including this one, after confirmation. */
export const signOutEverywhereMachine = submissionMachine('signOutEverywhere');

import { submissionMachine } from '../../ui/submission';

/** Adds an origin to a project's other origins, or removes one. */
export const otherOriginMachine = submissionMachine<{ origin: string; isAdded: boolean }>('otherOrigin');

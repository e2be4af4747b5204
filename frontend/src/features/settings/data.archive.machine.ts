import { submissionMachine } from '../../ui/submission';

/** Asks for the archive of the user's data, or downloads it. */
export const dataArchiveMachine = submissionMachine<'ask' | 'download'>('dataArchive');

import { submissionMachine } from '../../ui/submission';

/** Adds a game to a project by its name. */
export const addGameMachine = submissionMachine<{ name: string }>('addGame');

/** Deletes a game after confirmation; one that was already deleted elsewhere counts as deleted. */
export const deleteGameMachine = submissionMachine<{ id: string; name: string }>('deleteGame');

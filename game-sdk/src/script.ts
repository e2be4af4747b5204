import { createGame, GameError } from './game.sdk.js';

/** The script file puts the API at `window.OrangeGame`. */
Object.assign(window, { OrangeGame: { createGame, GameError } });

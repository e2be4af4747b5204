/** Stands for every style sheet and picture: jsdom lays nothing out and draws nothing. */
export {};

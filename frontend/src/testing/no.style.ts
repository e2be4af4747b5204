/** Replaces every style sheet and image: jsdom has no layout and paints nothing. */
export {};

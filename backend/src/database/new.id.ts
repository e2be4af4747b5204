import { v7 } from 'uuid';

/** A UUIDv7, created by the application so that a row's id is known before the insert. */
export const newId = (): string => v7();

/** Where ways to sign in are proven, added and removed (spec §2). */
export const linkingPath = '/login?from=profile';

/** Set by the build: true in development and test builds (`VITE_PORTAL_INSPECT=1`), false in production. */
declare const __PORTAL_INSPECT__: boolean;

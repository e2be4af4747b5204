import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';

/** The icons of the panel’s buttons as SVG paths, 24 × 24. Here, because the loader is too small to carry them. */
export const panelIcons: Record<SignInMethodName, string> = {
  google: 'M21.8 10H12v4h5.7A6 6 0 1 1 16.2 7.8L19 5a10 10 0 1 0 2.8 5z',
  apple:
    'M12.2 6.9c-1 0-2.5-1.1-4-1-2 0-3.9 1.1-5 3-2.1 3.6-.5 9 1.5 12 1 1.5 2.2 3.1 3.8 3.1 1.5-.1 2.1-1 4-1 1.8 0 2.3 1 3.9.9 1.7 0 2.7-1.5 3.7-2.9 1.2-1.7 1.6-3.3 1.7-3.4 0 0-3.2-1.3-3.3-4.9 0-3 2.5-4.5 2.6-4.6-1.4-2-3.6-2.3-4.3-2.3-2-.2-3.7 1.1-4.6 1.1zM15.5 3.8c1-1 1.4-2.4 1.3-3.8-3 .2-5.2 2.7-4.8 5.5 1.3.1 2.7-.7 3.5-1.7',
  email: 'M2 4h20v1.7l-10 6.6L2 5.7zM2 8.1V20h20V8.1l-10 6.6z',
  wallet: 'M4 4h14v2H4v2h17v12H2V4zm12 8v4h5v-4z',
};

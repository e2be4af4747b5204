import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';

/** The icons of the panel’s buttons as SVG paths, 24 × 24. Here, because the loader is too small to carry them. */
export const panelIcons: Record<SignInMethodName, string> = {
  google: 'M21.8 10H12v4h5.7A6 6 0 1 1 16.2 7.8L19 5a10 10 0 1 0 2.8 5z',
  apple:
    'M12.2 6.9c-1 0-2.5-1.1-4-1-2 0-3.9 1.1-5 3-2.1 3.6-.5 9 1.5 12 1 1.5 2.2 3.1 3.8 3.1 1.5-.1 2.1-1 4-1 1.8 0 2.3 1 3.9.9 1.7 0 2.7-1.5 3.7-2.9 1.2-1.7 1.6-3.3 1.7-3.4 0 0-3.2-1.3-3.3-4.9 0-3 2.5-4.5 2.6-4.6-1.4-2-3.6-2.3-4.3-2.3-2-.2-3.7 1.1-4.6 1.1zM15.5 3.8c1-1 1.4-2.4 1.3-3.8-3 .2-5.2 2.7-4.8 5.5 1.3.1 2.7-.7 3.5-1.7',
  email: 'M2 4h20v16H2zM4 7.5V18h16V7.5l-8 6zM4.8 6l7.2 5.4L19.2 6z',
  wallet: 'M3 3h18v18H3zM5 5v14h14v-3h-7V8h7V5zM14 10v4h5v-4zM15 11h2v2h-2z',
};

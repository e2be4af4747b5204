import type { Appearance } from '@orange-id/contract/appearance';
import { providerTitles } from '@orange-id/contract/sign-in.methods';

export const fontTitles: Record<Appearance['font'], string> = {
  system: 'Your page’s font',
  inter: 'Inter',
  figtree: 'Figtree',
  nunito: 'Nunito',
  'source-serif': 'Source Serif',
  'jetbrains-mono': 'JetBrains Mono',
};
export const layoutTitles: Record<Appearance['layout'], string> = {
  card: 'Card',
  page: 'Full page',
  pictureLeft: 'Picture left',
  pictureRight: 'Picture right',
};
export const methodTitles: Record<Appearance['methods'][number], string> = {
  ...providerTitles,
  email: 'Email',
  wallet: 'Wallet',
};
export const densityTitles = { compact: 'Compact', normal: 'Normal', spacious: 'Spacious' } as const;
export const modeTitles = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export const directionTitles = { auto: 'Auto', ltr: 'Left to right', rtl: 'Right to left' } as const;

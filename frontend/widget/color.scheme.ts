export type ColorScheme = 'light' | 'dark';

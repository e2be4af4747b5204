import { defineConfig } from '@playwright/test';
import shared from './playwright.config';

/** What needs packages of others: `npm run test:panel` and `npm run test:journey`. */
export default defineConfig({
  ...shared,
  testMatch: 'outside/*.spec.ts',
  reporter: [['list']],
  timeout: 300_000,
});

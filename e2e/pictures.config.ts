import { defineConfig } from '@playwright/test';
import shared from './playwright.config';

/** Takes screenshots of every page for each kind of user, for review: `npm run pictures`. */
export default defineConfig({ ...shared, testMatch: 'pictures/*.spec.ts', reporter: [['list']] });

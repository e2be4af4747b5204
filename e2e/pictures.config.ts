import { defineConfig } from '@playwright/test';
import shared from './playwright.config';

/** Takes a picture of every page in each of its faces, to be looked at: `npm run pictures`. */
export default defineConfig({ ...shared, testMatch: 'pictures/*.spec.ts', reporter: [['list']] });

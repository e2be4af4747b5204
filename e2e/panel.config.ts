import { defineConfig } from '@playwright/test';
import shared from './playwright.config';

/** Signs people in by the identity product's published panel, on a site of its own: `npm run test:panel`. */
export default defineConfig({ ...shared, testMatch: 'panel/*.spec.ts', reporter: [['list']] });

import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import redos from 'eslint-plugin-redos';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';
import { bareText } from './scripts/eslint/bare.text.mjs';
import { knownClass } from './scripts/eslint/known.class.mjs';

// Checks regular expressions in this process: no worker, no binary, the same result every time.
process.env.RECHECK_SYNC_BACKEND = 'pure';

const features = readdirSync(new URL('frontend/src/features', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Imports go one way: contract ← backend, contract ← frontend; in the frontend app → features → ui, api, inspect. */
const zones = [
  {
    target: './contract',
    from: ['./backend', './frontend', './game-sdk', './e2e'],
    message: 'contract imports nobody',
  },
  { target: './backend', from: ['./frontend', './e2e'], message: 'the backend knows no browser code' },
  {
    target: './backend/src/config',
    from: './backend/src',
    except: ['./config', './testing'],
    message: 'config imports no other folder of the backend',
  },
  {
    target: './game-sdk',
    from: ['./backend', './frontend', './e2e'],
    message: 'the game SDK is a package of its own',
  },
  { target: './frontend', from: ['./backend', './e2e'], message: 'the frontend knows the contract only' },
  {
    target: './frontend/src/api',
    from: ['./frontend/src/ui', './frontend/src/features', './frontend/src/app'],
  },
  { target: './frontend/src/ui', from: ['./frontend/src/features', './frontend/src/app'] },
  { target: './frontend/src/features', from: './frontend/src/app' },
  {
    target: './frontend/src/inspect',
    from: ['./frontend/src/api', './frontend/src/ui', './frontend/src/features', './frontend/src/app'],
    message: 'what looks at machines knows none of them',
  },
  {
    target: ['./frontend/src/api', './frontend/src/ui', './frontend/src/features'],
    from: './frontend/src/inspect/machine.registry.ts',
    message: 'the registry is opened once, by main.tsx',
  },
  ...['./frontend/widget', './frontend/loader', './frontend/configurator'].map((target) => ({
    target,
    from: './frontend/src',
    except: ['./testing'],
    message: 'the widget, its loader and the configurator are bundles of their own',
  })),
  {
    target: './frontend/src',
    from: ['./frontend/widget', './frontend/configurator'],
    message: 'the widget and the configurator are loaded, not imported',
  },
  {
    target: ['./frontend/src', './frontend/widget'],
    from: './frontend/loader',
    message: 'share code with the loader through the contract',
  },
  ...features.map((name) => ({
    target: `./frontend/src/features/${name}`,
    from: './frontend/src/features',
    except: [`./${name}`],
    message: 'a feature never imports another: share through api/ or ui/',
  })),
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '.cache/**',
      '.data/**',
      '.nest/**',
      'test-results/**',
      'playwright-report/**',
      'stubs/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: ['contract', 'backend', 'frontend', 'game-sdk', 'e2e', 'containers'].map(
            (part) => `${part}/tsconfig.json`,
          ),
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Users and other services choose the text these regular expressions read: none may take more than linear time.
    files: ['{contract,backend,frontend,game-sdk}/{src,widget,loader}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**'],
    plugins: { redos },
    rules: {
      // The automaton decides; the fuzzer would only take longer. Without a timeout, a busy machine changes no verdict.
      'redos/no-vulnerable': [
        'error',
        { ignoreErrors: false, checker: 'automaton', cache: false, timeout: null },
      ],
    },
  },
  {
    // The image holds no fixtures.
    files: ['{contract,backend,frontend,game-sdk}/{src,widget,loader}/**/*.{ts,tsx}'],
    ignores: ['**/*.{test,fixture,fixtures}.{ts,tsx}', '**/testing/**', '**/kept.*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['**/*.fixture', '**/*.fixture.js'], message: 'fixtures are for tests only' }],
        },
      ],
    },
  },
  {
    // A promise that nobody waits for loses its error, and an assertion in it never fails a test.
    files: ['{contract,backend,frontend,game-sdk,e2e,containers}/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: {
        project: [
          'contract/tsconfig.json',
          'contract/tsconfig.test.json',
          'backend/tsconfig.json',
          'frontend/tsconfig.json',
          'game-sdk/tsconfig.json',
          'e2e/tsconfig.json',
          'containers/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // In 'try', 'return' without 'await' leaves the rejection to the caller instead of 'catch'.
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
    },
  },
  {
    // A longer machine is several.
    files: ['**/*.machine.ts'],
    rules: { 'max-lines': ['error', { max: 250 }] },
  },
  {
    files: ['contract/**/*.ts', 'backend/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['{frontend,templates}/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['frontend/**/*.tsx'],
    ignores: ['**/*.test.tsx', '**/testing/**'],
    plugins: { portal: { rules: { 'bare-text': bareText, 'known-class': knownClass } } },
    rules: {
      'portal/bare-text': 'error',
      'portal/known-class': ['error', { below: `${import.meta.dirname}/frontend` }],
      // The types accept any string for these attributes.
      'no-restricted-syntax': [
        'error',
        ...Object.entries({
          'align|justify': 'start|center|end|stretch|baseline|flex-end|space-between',
          scope: 'col|row',
          autoComplete: 'off|username|email|current-password|new-password|one-time-code',
          target: '_blank',
          rel: 'noopener|noreferrer|noopener noreferrer',
        }).map(([names, values]) => ({
          selector: `JSXAttribute[name.name=/^(${names})$/] > Literal:not([value=/^(${values})$/])`,
          message: `Use one of: ${values.replaceAll('|', ', ')}. Browsers ignore other values.`,
        })),
        {
          selector:
            'JSXAttribute[name.name="gap"] > JSXExpressionContainer > Literal:not([raw=/^(4|8|12|16|20|24|40)$/])',
          message: 'Use a gap of 4, 8, 12, 16, 20, 24 or 40 pixels.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.config.ts'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
      },
    },
    rules: { 'import-x/no-default-export': 'off' },
  },
);

import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import redos from 'eslint-plugin-redos';
import tseslint from 'typescript-eslint';
import { bareText } from './scripts/eslint/bare.text.mjs';
import { knownClass } from './scripts/eslint/known.class.mjs';

// Checks regular expressions in this process: no worker, no binary, the same result every time.
process.env.RECHECK_SYNC_BACKEND = 'pure';

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
    rules: {
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
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
    rules: { 'no-restricted-exports': 'off' },
  },
);

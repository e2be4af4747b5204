/** One Jest for the parts that need no browser. Sources are transformed to CommonJS; Nest, jose and others ship ESM only, so dependencies are transformed too. */
const transform = (extra = {}) => ({
  '^.+\\.(m?[jt]sx?)$': [
    '@swc/jest',
    {
      swcrc: false,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', tsx: true, decorators: true },
        transform: {
          legacyDecorator: true,
          decoratorMetadata: true,
          useDefineForClassFields: false,
          react: { runtime: 'automatic' },
        },
        keepClassNames: true,
        ...extra,
      },
    },
  ],
});

const project = (displayName, more = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  roots: [`<rootDir>/${displayName}`],
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: transform(),
  transformIgnorePatterns: [],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  extensionsToTreatAsEsm: [],
  ...more,
});

export default {
  maxWorkers: 2,
  projects: [
    project('contract'),
    project('scripts', { testMatch: ['**/*.test.mjs'] }),
    project('backend', {
      globalSetup: '<rootDir>/backend/test.setup.mjs',
      globalTeardown: '<rootDir>/backend/test.teardown.mjs',
    }),
    project('frontend'),
    // The image's steps install and build everything anew: `npm run check:container` asks for them by name.
    project('containers', {
      testMatch: [process.env.CHECK_IMAGE === '1' ? '**/*.check.ts' : '**/*.test.ts'],
    }),
  ],
};

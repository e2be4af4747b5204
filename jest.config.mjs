/**
 * One Jest for the parts that need no browser. Sources are transformed to CommonJS; Nest, jose and others ship ESM
 * only, so dependencies are transformed too.
 */
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

/** The React build that users get. The development build records a stack for each element, a third of a run. */
const production = (name, ...parts) =>
  `<rootDir>/node_modules/${name}/cjs/${[name, ...parts].join('-')}.production.js`;

/** The contract's sources instead of its build, so that `--findRelatedTests` finds what imports one of its files. */
const contract = { '^@orange-id/contract/(.*)$': '<rootDir>/contract/src/$1' };

const project = (displayName, { folder = displayName, tests = '*.test.ts', ...more } = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  roots: [...new Set([`<rootDir>/${folder}`, '<rootDir>/contract'])],
  testMatch: [`<rootDir>/${folder}/**/${tests}`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: '<rootDir>/scripts/jest/node.environment.mjs',
  transform: transform(),
  transformIgnorePatterns: [],
  moduleNameMapper: { ...contract, '^(\\.{1,2}/.*)\\.js$': '$1' },
  extensionsToTreatAsEsm: [],
  ...more,
});

// Tests and snapshots expect times in UTC.
process.env['TZ'] = 'UTC';

export default {
  // For two cores: backend tests spend a third of their time waiting.
  maxWorkers: 3,
  // Ends only tests that hang. Jest fails no test for being slow, because a machine may be busy; only a complete run in
  // the browser does (decision 40).
  testTimeout: 30_000,
  projects: [
    project('contract'),
    project('scripts', { tests: '*.test.mjs' }),
    project('backend', {
      globalSetup: '<rootDir>/backend/test.setup.mjs',
      globalTeardown: '<rootDir>/backend/test.teardown.mjs',
    }),
    project('frontend', {
      moduleNameMapper: {
        ...contract,
        '/template\\.files$': '<rootDir>/frontend/src/testing/template.files.ts',
        '^(\\.{1,2}/.*)\\.js$': '$1',
      },
    }),
    // Pages and components in jsdom, the network mocked at the wire.
    project('components', {
      folder: 'frontend',
      tests: '*.test.tsx',
      testEnvironment: '<rootDir>/scripts/jest/jsdom.environment.mjs',
      globals: { __PORTAL_INSPECT__: true },
      setupFilesAfterEnv: ['<rootDir>/frontend/src/testing/component.setup.ts'],
      transform: { ...transform(), '\\.module\\.css$': '<rootDir>/scripts/jest/css.modules.mjs' },
      // antd and its icons, each in one file: loading their thousands of modules would cost every test file 1.5 s.
      transformIgnorePatterns: ['/antd/dist/', '/@ant-design/icons/dist/'],
      moduleNameMapper: {
        ...contract,
        '/template\\.files$': '<rootDir>/frontend/src/testing/template.files.ts',
        '^antd$': 'antd/dist/antd.min.js',
        '^antd/es/input/Input$': '<rootDir>/frontend/src/testing/antd.input.ts',
        '^@ant-design/icons$': '<rootDir>/node_modules/@ant-design/icons/dist/index.umd.min.js',
        '^[rR]eact$': production('react'),
        '^react/jsx-runtime$': production('react', 'jsx-runtime'),
        '^react-dom$': production('react-dom'),
        '^react-dom/client$': production('react-dom', 'client'),
        '^react-dom/test-utils$': '<rootDir>/frontend/src/testing/production.act.ts',
        '^scheduler$': production('scheduler'),
        '(?<!\\.module)\\.css$|\\.webp$': '<rootDir>/frontend/src/testing/no.style.ts',
        // The files that socket.io gives a browser.
        '^(\\.{1,2}/.*(?:polling-xhr|websocket|globals))\\.node\\.js$': '$1.js',
        '^(\\.{1,2}/.*)\\.js$': '$1',
      },
    }),
    project('game-sdk', {
      testEnvironment: '<rootDir>/scripts/jest/jsdom.environment.mjs',
      globals: { SDK_VERSION: '0.0.0' },
    }),
    // `*.check.ts` installs and builds everything anew, so only `npm run check:container` runs it.
    project('containers', { tests: process.env.CHECK_IMAGE === '1' ? '*.check.ts' : '*.test.ts' }),
  ],
};

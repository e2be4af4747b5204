/**
 * Imports go one way: contract ← backend, contract ← frontend; in the browser app → features → ui, api, inspect.
 * `.dependency-cruiser.folders.mjs` checks folders.
 */
const to = (path, exceptPath) => ({ path, ...(exceptPath && { pathNot: exceptPath }) });
const rule = (name, comment, from, target) => ({ name, comment, severity: 'error', from, to: target });
const bundles = '^frontend/(widget|loader|configurator)/';

export default {
  forbidden: [
    rule('no-file-cycle', 'files never import each other', {}, { circular: true }),
    rule(
      'contract',
      'the contract imports nobody',
      { path: '^contract/' },
      to('^(backend|frontend|game-sdk|e2e)/'),
    ),
    rule('backend', 'the backend knows no browser code', { path: '^backend/' }, to('^(frontend|e2e)/')),
    rule(
      'backend-config',
      'config imports no other folder of the backend',
      { path: '^backend/src/config/' },
      to('^backend/src/', '^backend/src/(config|testing)/'),
    ),
    rule(
      'game-sdk',
      'the game SDK is a package of its own',
      { path: '^game-sdk/' },
      to('^(backend|frontend|e2e)/'),
    ),
    rule('frontend', 'the frontend knows the contract only', { path: '^frontend/' }, to('^(backend|e2e)/')),
    rule(
      'frontend-api',
      'api knows no component',
      { path: '^frontend/src/api/' },
      to('^frontend/src/(ui|features|app)/'),
    ),
    rule(
      'frontend-ui',
      'ui knows no page',
      { path: '^frontend/src/ui/' },
      to('^frontend/src/(features|app)/'),
    ),
    rule(
      'frontend-features',
      'features do not know the app',
      { path: '^frontend/src/features/' },
      to('^frontend/src/app/'),
    ),
    rule(
      'feature-imports-feature',
      'a feature never imports another: share through api/ or ui/',
      { path: '^frontend/src/features/([^/]+)/' },
      to('^frontend/src/features/', '^frontend/src/features/$1/'),
    ),
    rule(
      'frontend-inspect',
      'what looks at machines knows none of them',
      { path: '^frontend/src/inspect/' },
      to('^frontend/src/(api|ui|features|app)/'),
    ),
    rule(
      'machine-registry',
      'the registry is opened once, by main.tsx',
      { path: '^frontend/src/(api|ui|features)/' },
      to('^frontend/src/inspect/machine\\.registry\\.ts$'),
    ),
    rule(
      'own-bundles',
      'the widget, its loader and the configurator are bundles of their own',
      { path: bundles },
      to('^frontend/src/', '^frontend/src/testing/'),
    ),
    rule(
      'bundles-are-loaded',
      'the widget, its loader and the configurator are loaded, not imported',
      { path: '^frontend/src/' },
      to(bundles),
    ),
    rule(
      'loader-stands-alone',
      'share code with the loader through the contract',
      { path: '^frontend/(widget|configurator)/' },
      to('^frontend/loader/'),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};

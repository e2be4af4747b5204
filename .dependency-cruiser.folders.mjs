import files from './.dependency-cruiser.mjs';

/** Folders never import each other. Tests, Nest's modules and the factory of the application may import everything. */
export default {
  forbidden: [
    { name: 'no-folder-cycle', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    ...files.options,
    exclude: {
      path: `${files.options.exclude.path}|\\.(test|module)\\.tsx?$|/app\\.factory\\.ts$|/testing/`,
    },
  },
};

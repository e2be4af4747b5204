/**
 * The builds for other platforms that a lock file lacks, as `parent: name`. npm drops an optional package from the lock
 * file if the registry does not have it, and then `npm ci` refuses that file on those platforms. `packages` is the lock
 * file's table of packages by folder.
 */
export function missingBuilds(packages) {
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(folder).some((above) => packages[`${above}node_modules/${name}`]))
      .map((name) => `${folder.replace(/^.*node_modules\//, '') || 'package.json'}: ${name}`),
  );
}

/** Where Node looks for a package imported by the one in `folder`: its own folder first, the root last. */
function foldersAbove(folder) {
  const found = folder === '' ? [] : [`${folder}/`];
  for (
    let at = folder.lastIndexOf('node_modules/');
    at > 0;
    at = folder.lastIndexOf('node_modules/', at - 1)
  ) {
    found.push(folder.slice(0, at));
  }
  return [...found, ''];
}

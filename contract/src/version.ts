/** The release, as in package.json and CHANGELOG.md (semver). */
export const version = '0.1.0';

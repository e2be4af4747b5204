const heading = /^## (\S+)(?: \((.+)\))?$/gm;
const semver = /^(\d+)\.(\d+)\.(\d+)$/;

/** The sections of CHANGELOG.md, newest first: `{ version, date, text }`; `version` of the next one is `Unreleased`. */
export function sectionsOf(changelog) {
  const found = [...changelog.matchAll(heading)];
  return found.map(([line, version, date], place) => ({
    version,
    date,
    text: changelog.slice(found[place].index + line.length, found[place + 1]?.index).trim(),
  }));
}

/** CHANGELOG.md with what is unreleased as the section of a version. */
export const withRelease = (changelog, version, date) =>
  changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`);

/**
 * Everything that keeps a version from being tagged, one line each. `versions` has the version in each file that names
 * it, `tags` those of earlier releases, `changes` the `[status, path]` of each file that differs from the latest one.
 */
export function releaseProblems({ version, versions, changelog, tags, changes, isClean }) {
  const problems = [];
  const [newest] = tags.map((tag) => tag.replace(/^v/, '')).toSorted((a, b) => compare(b, a));
  if (!isClean) problems.push('There are changes that are not committed: commit or stash them');
  for (const [file, found] of Object.entries(versions)) {
    if (found !== version) problems.push(`${file} must have the version ${version} (it has ${found})`);
  }
  if (newest !== undefined && compare(version, newest) <= 0) {
    problems.push(`The version must be above ${newest}, the latest tag (it is ${version})`);
  }
  const [unreleased, section] = sectionsOf(changelog);
  if (unreleased?.version !== 'Unreleased' || unreleased.text !== '') {
    problems.push('CHANGELOG.md must begin with an empty section Unreleased');
  }
  if (section?.version !== version || !/^\d{4}-\d\d-\d\d$/.test(section.date ?? '') || section.text === '') {
    problems.push(`CHANGELOG.md must have the section '## ${version} (2026-01-31)' with its date and a text`);
  }
  for (const [status, path] of changes) {
    if (status !== 'A' && isMigration(path)) {
      problems.push(`${path} is part of ${newest}: databases have run it, so add a new migration instead`);
    }
  }
  return problems;
}

export const isVersion = (text) => semver.test(text);

const isMigration = (path) => /\/migrations\/\d{4}-[\w-]+\.ts$/.test(path);

function compare(one, other) {
  const [a, b] = [one, other].map((text) => semver.exec(text)?.slice(1).map(Number) ?? [0, 0, 0]);
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

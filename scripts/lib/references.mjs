import { posix } from 'node:path';

const outside = /\b(?:spec|threats|design)\.md\b|\bspec §|\bissue #?\d+/g;

/**
 * What a file refers to that is not in the repository, one sentence each: a decision record without a file, a relative
 * Markdown link to nothing, a document kept elsewhere. `paths` are all files and folders of the repository.
 */
export function danglingReferences(path, text, paths) {
  const faults = [];
  for (const [mention, list] of text.matchAll(/\bdecisions? (\d+(?:(?:, | and )\d+)*)/g)) {
    for (const number of list.split(/\D+/)) {
      const start = `docs/decisions/${number.padStart(4, '0')}-`;
      if (![...paths].some((each) => each.startsWith(start))) faults.push(`'${mention}' has no record`);
    }
  }
  if (path.endsWith('.md')) {
    for (const [, target] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      if (!paths.has(posix.join(posix.dirname(path), target).replace(/\/$/, '')))
        faults.push(`'${target}' does not exist`);
    }
  }
  for (const [mention] of text.matchAll(outside)) faults.push(`'${mention}' is not in this repository`);
  return faults;
}

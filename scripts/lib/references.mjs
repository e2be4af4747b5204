import { posix } from 'node:path';

/** The name of a Markdown file, but not the path of a URL, which starts with a slash. */
const markdownName = /(?<![*\w]|`\/)[\w-]+\.md\b/g;
const commentLine = /^\s*(?:\/?\*|#|\/\/).*|\s\/\/ .*/gm;

/**
 * What a file refers to that is not in the repository, one sentence each: a decision record without a file, a relative
 * Markdown link to nothing, a Markdown file named in a comment or a document. `paths` are all files and folders of the
 * repository.
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
  const prose = path.endsWith('.md') ? text : (text.match(commentLine) ?? []).join('\n');
  for (const [name] of prose.matchAll(markdownName)) {
    if (![...paths].some((each) => posix.basename(each) === name))
      faults.push(`'${name}' is not in this repository`);
  }
  return faults;
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { verdictOf } from './lib/audit.mjs';
import { root } from './lib/steps.mjs';

/** Asks the registry for known vulnerabilities of high severity and above, and reports if it does not answer. */
const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  timeout: 60_000,
});
const allowed = JSON.parse(readFileSync(new URL('audit.allowed.json', import.meta.url), 'utf8'));
const { unanswered, open, stale } = verdictOf(
  readReport(stdout),
  allowed,
  new Date().toISOString().slice(0, 10),
);

if (unanswered !== null) {
  process.stdout.write(
    `  NOT CHECKED: this package registry doesn't serve audits (${unanswered}). Use one that does: npm audit --audit-level=high\n`,
  );
}
for (const { id, until } of stale) {
  process.stdout.write(
    `  ${id} (until ${until}) is no longer reported: remove it from scripts/audit.allowed.json\n`,
  );
}
for (const { id, name, severity, title } of open) {
  process.stderr.write(`  ${severity}: ${name}: ${title} (${id})\n`);
}
if (open.length > 0) {
  process.stderr.write(
    'Update these packages, or add { "id", "reason", "until" } to scripts/audit.allowed.json.\n',
  );
  process.exit(1);
}

function readReport(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

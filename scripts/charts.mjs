/**
 * Draws every state machine of the frontend into docs/machines/<id>.md from the machines themselves, so that the charts
 * always match the code. With `--check` it writes nothing and exits with 1 if a chart is stale.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createServer } from 'vite';
import { root } from './lib/steps.mjs';

const folder = join(root, 'docs', 'machines');
const isCheck = process.argv.includes('--check');

async function drawAll() {
  const files = ['frontend/src', 'frontend/widget', 'frontend/configurator']
    .flatMap((part) => readdirSync(join(root, part), { recursive: true }).map((name) => `${part}/${name}`))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.machine.ts'))
    .sort();
  const server = await createServer({
    configFile: false,
    root,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  const style = await resolveConfig(join(root, 'docs', 'x.md'));
  const drawn = new Map();
  const index = [];
  try {
    for (const file of files) {
      const source = readFileSync(join(root, file), 'utf8');
      const exported = await server.ssrLoadModule(`/${file}`);
      for (const [name, machine] of Object.entries(exported)) {
        if (!machine?.root?.states || typeof machine.provide !== 'function') continue;
        const about = aboutOf(source, name);
        if (drawn.has(`${machine.id}.md`))
          throw new Error(`Two machines have the id '${machine.id}': see ${file}`);
        drawn.set(
          `${machine.id}.md`,
          await format(pageOf(machine, file, about), { ...style, parser: 'markdown' }),
        );
        index.push(`- [${machine.id}](${machine.id}.md): ${about}`);
      }
    }
  } finally {
    await server.close();
  }
  const readme = `# Machines\n\nGenerated from the code by \`npm run charts\`.\n\n${index.sort().join('\n')}\n`;
  drawn.set('README.md', await format(readme, { ...style, parser: 'markdown' }));
  return drawn;
}

/** The doc comment directly above the export. */
function aboutOf(source, name) {
  const found =
    new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export const ${name}\\b`).exec(source)?.[1] ?? '';
  return found
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function pageOf(machine, file, about) {
  const rows = nodesOf(machine.root).flatMap((node) => rowsOf(node, machine));
  return [
    `# ${machine.id}`,
    about,
    `Source: [\`${file}\`](${relative(folder, join(root, file))})`,
    ['```mermaid', 'stateDiagram-v2', ...chartOf(machine), '```'].join('\n'),
    '## Transitions',
    table(['State', 'When', 'If', 'Goes to', 'Does'], rows),
    ...invokesOf(machine),
  ].join('\n\n');
}

/** XState adds entry and exit actions for `after`; the charts leave them out. */
const own = (actions) => actions.filter(({ type }) => type !== 'xstate.raise' && type !== 'xstate.cancel');

function invokesOf(machine) {
  const rows = nodesOf(machine.root).flatMap((node) => [
    ...node.invoke.map(({ src }) => [
      stateOf(node),
      `invokes \`${typeof src === 'string' ? src : 'an actor'}\``,
    ]),
    ...(own(node.entry).length > 0 ? [[stateOf(node), `on entry: ${namesOf(own(node.entry))}`]] : []),
    ...(own(node.exit).length > 0 ? [[stateOf(node), `on exit: ${namesOf(own(node.exit))}`]] : []),
    ...(node.tags.length > 0 ? [[stateOf(node), `tagged ${node.tags.join(', ')}`]] : []),
  ]);
  return rows.length > 0 ? ['## While in a state', table(['State', 'What'], rows)] : [];
}

const nodesOf = (node) => [node, ...Object.values(node.states).flatMap(nodesOf)];
const idOf = (node) => node.path.join('_');
const stateOf = (node) => (node.path.length === 0 ? 'any state' : `\`${node.path.join('.')}\``);

/** Every transition of a node, in the order the machine tries them. */
const transitionsOf = (node) => [...node.transitions.values()].flat().concat(node.always ?? []);

function rowsOf(node, machine) {
  return transitionsOf(node).map((transition) => [
    stateOf(node),
    eventOf(transition.eventType, machine),
    guardOf(transition.guard),
    transition.target?.map(stateOf).join(', ') ?? '(stays)',
    namesOf(transition.actions),
  ]);
}

function chartOf(machine) {
  const lines = [];
  const draw = (node, indent) => {
    const first = node.initial?.target?.[0];
    if (first) lines.push(`${indent}[*] --> ${idOf(first)}`);
    for (const child of Object.values(node.states)) {
      lines.push(`${indent}state "${child.key}" as ${idOf(child)}`);
      if (Object.keys(child.states).length > 0) {
        lines.push(`${indent}state ${idOf(child)} {`);
        draw(child, `${indent}  `);
        lines.push(`${indent}}`);
      }
      if (child.type === 'final') lines.push(`${indent}${idOf(child)} --> [*]`);
    }
  };
  draw(machine.root, '  ');
  for (const node of nodesOf(machine.root)) {
    if (node.path.length === 0) continue;
    for (const transition of transitionsOf(node)) {
      for (const target of transition.target ?? []) {
        if (target.path.length === 0) continue;
        const guard = guardOf(transition.guard);
        const label = eventOf(transition.eventType, machine) + (guard ? ` [${guard}]` : '');
        lines.push(`  ${idOf(node)} --> ${idOf(target)}: ${label.replaceAll('`', '').replaceAll(':', ' ')}`);
      }
    }
  }
  return lines;
}

function eventOf(type, machine) {
  if (type === '') return 'at once';
  const after = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  if (after) {
    const delay = machine.implementations.delays[after] ?? Number(after);
    return Number.isFinite(delay) ? `after ${after} (${delay} ms)` : `after ${after}`;
  }
  const settled = /^xstate\.(done|error|snapshot)\.(actor|state)\.(.+)$/.exec(type);
  if (!settled) return `\`${type}\``;
  const [, how, kind, id] = settled;
  const words = { done: 'is done', error: 'fails', snapshot: 'reports' };
  if (kind === 'state') return `${id} ${words[how]}`;
  const src = nodesOf(machine.root)
    .flatMap((node) => node.invoke)
    .find((invoked) => invoked.id === id)?.src;
  return `${typeof src === 'string' ? src : 'the actor'} ${words[how]}`;
}

/** A guard's name; for `and`, `or` and `not`, with the guards they combine. */
function guardOf(guard) {
  if (!guard) return '';
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') {
    const inner = guard.guards?.map(guardOf).join(', ');
    return inner === undefined ? guard.name || 'inline' : `${guard.name}(${inner})`;
  }
  return guard.type;
}

function namesOf(actions) {
  return actions
    .map((action) => (typeof action === 'string' ? action : (action.type ?? action.name) || 'inline'))
    .map((name) => name.replace(/^xstate\./, ''))
    .join(', ');
}

function table(head, rows) {
  const cell = (text) => text.replaceAll('|', '\\|');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const present = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

function findStale(drawn) {
  mkdirSync(folder, { recursive: true });
  const gone = present().filter((name) => name.endsWith('.md') && !drawn.has(name));
  const changed = [...drawn].filter(([name, text]) => {
    try {
      return readFileSync(join(folder, name), 'utf8') !== text;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return true;
    }
  });
  return [...gone, ...changed.map(([name]) => name)];
}

function write(drawn) {
  const stale = findStale(drawn);
  for (const name of stale) {
    if (drawn.has(name)) writeFileSync(join(folder, name), drawn.get(name));
    else rmSync(join(folder, name));
  }
  return stale;
}

const pages = await drawAll();
const stale = isCheck ? findStale(pages) : write(pages);
if (isCheck && stale.length > 0) {
  process.stderr.write(`Stale charts: ${stale.join(', ')}. Run npm run charts and commit docs/machines.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(
    `${pages.size - 1} machines, ${isCheck ? 'charts up to date' : `${stale.length} charts written`}\n`,
  );
}

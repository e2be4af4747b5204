import { spawn } from 'node:child_process';
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { contextFilter, root, Stage, Step } from './image.file.js';

/** An unprivileged account; `null` if this process runs as one. */
export type Account = { uid: number; gid: number } | null;

export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a program as `account`, with only the variables of `env`, and waits until it exits. */
export function run(
  command: string[],
  { cwd, env, account }: { cwd: string; env: Record<string, string>; account: Account },
): Promise<Ended> {
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, { cwd, env, ...account, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** The variables that a builder passes to every step, as Docker does with its proxy settings. */
const handedOn = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        /^(https?_proxy|no_proxy)$/i.test(name) || /^(NODE_EXTRA_CA_CERTS|npm_config_registry)$/i.test(name),
    ),
  ) as Record<string, string>;

/** `PATH` without the `node_modules` folders that `npm run` adds to it. */
const systemPath = () =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

/** The variables of a step: the image's, `PATH`, and a home that the account can write to. */
export const stepEnvironment = (
  environment: Record<string, string>,
  home: string,
): Record<string, string> => ({
  ...handedOn(),
  PATH: systemPath(),
  HOME: home,
  ...environment,
});

/**
 * Runs the steps of the Dockerfile, each stage in a separate folder below `into` that replaces the stage's root.
 * Resolves to the stages' folders by name. If a command fails, throws its output.
 */
export async function buildImage(
  stages: Stage[],
  options: { into: string; home: string; account: Account; say: (line: string) => void },
): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const stage of stages) {
    const folder = join(options.into, stage.name.replaceAll(' ', '-'));
    const parent = folders.get(stage.base);
    if (parent === undefined) await mkdir(folder, { recursive: true });
    else await must('cp', ['-a', parent, folder]);
    folders.set(stage.name, folder);
    const workdir = join(folder, stage.workdir);
    await mkdir(workdir, { recursive: true });
    await handOver(folder, options.account);
    for (const step of stage.steps) {
      if (step.kind === 'copy') await copy(step, workdir, folders, options.account);
      else await command(step.command, stage, workdir, options);
    }
  }
  return folders;
}

async function command(
  text: string,
  stage: Stage,
  cwd: string,
  { home, account, say }: { home: string; account: Account; say: (line: string) => void },
): Promise<void> {
  const started = Date.now();
  const { code, output } = await run(['sh', '-c', text], {
    cwd,
    env: stepEnvironment(stage.environment, home),
    account,
  });
  if (code !== 0) throw new Error(`in stage ${stage.name}, ${text} ended with ${code}:\n${output}`);
  say(`${stage.name}: ${text.replace(/\s+/g, ' ')} (${Math.round((Date.now() - started) / 1000)} s)`);
}

/** Copies like Docker: a folder's contents; a file to the target, or into it if the target ends with a slash. */
async function copy(
  step: Step & { kind: 'copy' },
  workdir: string,
  folders: Map<string, string>,
  account: Account,
): Promise<void> {
  for (const source of step.sources) {
    const from = join(step.from === null ? root : (folders.get(step.from) as string), source);
    const isFolder = (await lstat(from)).isDirectory();
    const into = join(workdir, step.target);
    const to = isFolder || !step.target.endsWith('/') ? into : join(into, basename(source));
    await mkdir(dirname(to), { recursive: true });
    if (step.from === null) await copyContext(from, to);
    else if (isFolder) {
      await mkdir(to, { recursive: true });
      await must('cp', ['-a', `${from}/.`, to]);
    } else await must('cp', ['-a', from, to]);
    await handOver(join(workdir, step.target.split('/')[0] as string), account);
  }
}

/**
 * Copies what `.dockerignore` allows. It also enters ignored folders, because a later rule may allow a file in one, but
 * neither `node_modules` nor `dist`.
 */
async function copyContext(from: string, to: string): Promise<void> {
  const isIgnored = contextFilter();
  const filesOf = async (path: string): Promise<string[]> => {
    if (!(await lstat(join(root, path))).isDirectory()) return isIgnored(path) ? [] : [path];
    if (['node_modules', 'dist'].includes(basename(path))) return [];
    const names = await readdir(join(root, path));
    return (await Promise.all(names.map((name) => filesOf(join(path, name))))).flat();
  };
  for (const path of await filesOf(relative(root, from))) {
    const target = join(to, relative(from, join(root, path)));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(root, path), target);
  }
}

/** Makes the account the owner of a tree, so that it can build there. */
async function handOver(path: string, account: Account): Promise<void> {
  if (account !== null) await must('chown', ['-R', `${account.uid}:${account.gid}`, path]);
}

/** Makes a tree read-only for everybody, and no longer owned by the account. */
export async function sealTree(path: string, account: Account): Promise<void> {
  if (account !== null) await must('chown', ['-R', '0:0', path]);
  await must('chmod', ['-R', 'a-w', path]);
}

async function must(program: string, args: string[]): Promise<void> {
  const env = { PATH: process.env['PATH'] as string };
  const { code, output } = await run([program, ...args], { cwd: '/', env, account: null });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`);
}

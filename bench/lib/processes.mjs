import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';

const ticksPerSecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'])) : null;

/** Whether processes can be bound to cores here, which needs Linux, `taskset` and two cores. */
export const canPin = (() => {
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' });
    return cpus().length > 1;
  } catch {
    return false;
  }
})();

/** Servers run on the first core and the load generator on the second; the scheduler places PostgreSQL. */
export const cores = { server: 0, load: 1 };

/** Starts a Node program with an IPC channel, bound to a core if possible. */
export function startNode(core, args, env = {}) {
  const flags = core === cores.server ? (process.env.BENCH_NODE_FLAGS?.split(' ') ?? []) : [];
  const command = [process.execPath, ...flags, ...args];
  if (canPin) command.unshift('taskset', '-c', String(core));
  const [program, ...rest] = command;
  return spawn(program, rest, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Resolves to the first message of a child; rejects if it exits before that. */
export async function firstMessage(child) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with code ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return message;
}

/** Seconds of processor time used so far by a process or, with `isTree`, by it and its children. */
export function processorSeconds(pid, isTree = false) {
  if (ticksPerSecond === null) return NaN;
  const pids = isTree ? [pid, ...childrenOf(pid)] : [pid];
  return pids.reduce((sum, id) => sum + ticksOf(id), 0) / ticksPerSecond;
}

function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ticksOf(pid) {
  try {
    const fields = statOf(pid);
    // utime, stime, and those of exited children.
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  } catch {
    return 0;
  }
}

function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(statOf(name)[1]) === pid;
    } catch {
      return false;
    }
  });
}

/** Returns a free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

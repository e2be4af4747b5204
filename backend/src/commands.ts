import { resolve } from 'node:path';
import { CommandError } from './command.error.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';
import type { Environment } from './config/environment.js';
import { openDatabase, openRunning } from './database/open.database.js';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** What `node main.js <command>` does instead of serving. */
const commands: Record<string, (environment: Environment, args: string[]) => Promise<void>> = {
  migrate: async (environment) => {
    const { Logger } = await import('@nestjs/common');
    const { portalLogger } = await import('./http/portal.logger.js');
    const { migrate, withStartLock } = await import('./database/migrate.js');
    Logger.overrideLogger(portalLogger(environment));
    const { address, stop } = await openDatabase(environment, say);
    try {
      await withStartLock(address, () => migrate(address, environment));
      say('The database is up to date.');
    } finally {
      await stop();
    }
  },
  backup: async (environment, args) => {
    const { backup } = await import('./backup.js');
    await backup(environment, folderOf('backup', args), say);
  },
  restore: async (environment, args) => {
    const { restore } = await import('./backup.js');
    await restore(environment, folderOf('restore', args), say);
  },
  admin: async (environment, args) => {
    const { administer } = await import('./admin/admin.command.js');
    const { address, stop } = await openRunning(environment);
    try {
      await administer(environment, address, args, say);
    } finally {
      await stop();
    }
  },
  check: async (environment) => {
    const { configurationProblems } = await import('./configuration.check.js');
    const problems = await configurationProblems(environment);
    if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
    say('The configuration is complete, and everything that it names answers.');
  },
};

function folderOf(command: string, [folder]: string[]): string {
  if (!folder)
    throw new ConfigurationError(`${command} needs a folder; for example: ${command} /backups/monday`);
  return resolve(folder);
}

/**
 * Runs one command and sets the exit code: 1 if it fails, 2 if its command line cannot be read, with the reason on
 * stderr.
 */
export async function runCommand(name: string, args: string[]): Promise<void> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      throw new ConfigurationError(
        `"${name}" is not a command; the commands are ${Object.keys(commands).join(', ')}, and none to serve`,
      );
    }
    await command(parseEnvironment(process.env), args);
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
}

/** One line for what an operator can mend, otherwise the stack. */
export function failureText(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof CommandError) return error.message;
  return error instanceof Error ? String(error.stack) : String(error);
}

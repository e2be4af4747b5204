import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { version } from '@orange-id/contract/version';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { ConfigurationError, Environment, parseEnvironment, servesMailbox } from './config/environment.js';
import { servesBuiltInOpenid } from './config/social.providers.js';
import { failureText, runCommand } from './commands.js';
import { jsonLines } from './http/json.lines.js';
import { openDatabase } from './database/open.database.js';
import type { OpenDatabase } from './database/open.database.js';

// A stack names the files under src.
process.setSourceMapsEnabled(true);

/** In production each line is an object of the log. */
const lines = process.env['NODE_ENV'] === 'production' ? jsonLines() : null;
const say = (line: string) =>
  lines === null ? void process.stdout.write(`${line}\n`) : lines.info({ context: 'Portal', version }, line);
const complain = (text: string) => {
  if (lines === null) process.stderr.write(`${text}\n`);
  else lines.fatal({ context: 'Portal', version }, text);
};

/**
 * Starts the portal and ends it on SIGINT or SIGTERM: it serves for `DRAIN_SECONDS` without being ready, then requests in
 * flight are answered, and the database stops last.
 */
export async function main(): Promise<void> {
  let opening: Promise<OpenDatabase> | null = null;
  let app: NestFastifyApplication | null = null;
  let ending: Promise<void> | null = null;

  let timeoutMs = 10_000;
  let drainMs = 0;
  let endDrain: () => void = () => undefined;

  const end = (code: number, why?: string) => {
    ending ??= (async () => {
      if (why) say(why);
      if (app !== null && drainMs > 0) {
        const { DrainState } = await import('./http/drain.state.js');
        app.get(DrainState).begin();
        await new Promise<void>((resolve) => {
          endDrain = resolve;
          setTimeout(resolve, drainMs);
        });
      }
      const failed = await closeWithin(app, timeoutMs);
      await (await opening?.catch(() => null))?.stop();
      if (failed) throw failed;
      if (why) say('Stopped');
      process.exit(code);
    })().catch((error: unknown) => {
      complain(error instanceof Error ? error.message : String(error));
      process.exit(1);
    });
  };
  // A second signal ends the wait for load balancers.
  const stop = (why: string) => {
    endDrain();
    end(0, why);
  };
  process.on('SIGINT', () => stop(`${lines === null ? '\n' : ''}Stopping: finishing in-flight requests …`));
  process.on('SIGTERM', () => stop('Stopping: finishing in-flight requests …'));

  try {
    const environment = parseEnvironment(process.env);
    timeoutMs = environment.SHUTDOWN_SECONDS * 1000;
    drainMs = environment.DRAIN_SECONDS * 1000;
    const { WEB_ROOT } = environment;
    if (WEB_ROOT !== undefined && !existsSync(join(WEB_ROOT, 'app', 'index.html'))) {
      throw new ConfigurationError(
        `WEB_ROOT must be a folder with a built app (it is ${JSON.stringify(WEB_ROOT)}); for example WEB_ROOT=frontend/dist`,
      );
    }
    // Loading the application's modules takes as long as starting the database, so both run concurrently.
    opening = openDatabase(environment, say);
    const [{ address }, { createApp, defaultWebRoot }] = await Promise.all([
      opening,
      import('./app.factory.js'),
    ]);
    app = await createApp({
      environment,
      address,
      webRoot: WEB_ROOT ?? defaultWebRoot(),
    });
    await listen(app, environment);
    welcome(environment);
  } catch (error) {
    if (ending) return;
    complain(failureText(error));
    end(1);
  }
}

/**
 * Closes the application. Cuts requests that are still open after `timeoutMs` (such as an endless body), so that
 * closing ends. Resolves to an error, if any: the database must be stopped either way.
 */
async function closeWithin(app: NestFastifyApplication | null, timeoutMs: number): Promise<unknown> {
  if (app === null) return null;
  const cut = setTimeout(() => (app.getHttpServer() as Server).closeAllConnections(), timeoutMs);
  const late = new Promise<Error>((resolve) => {
    setTimeout(
      () => resolve(new Error('Stopping took too long and was cut short')),
      timeoutMs + 10_000,
    ).unref();
  });
  const closing = app.close().then(
    () => null,
    (error: unknown) => error,
  );
  return Promise.race([closing, late]).finally(() => clearTimeout(cut));
}

/** Why the portal cannot listen, by the code of the error. */
const listenProblems = ({ HOST, PORT }: Environment): Record<string, string> => ({
  EADDRINUSE: `PORT ${PORT} is in use by another program; choose another one, for example PORT=3001`,
  EACCES: `PORT ${PORT} needs rights that this user lacks; choose one above 1023, for example PORT=3000`,
  EADDRNOTAVAIL: `HOST must be an address of this machine (it is "${HOST}"); for example HOST=127.0.0.1`,
  ENOTFOUND: `HOST must be an address of this machine (it is "${HOST}"); for example HOST=127.0.0.1`,
});

async function listen(app: NestFastifyApplication, environment: Environment): Promise<void> {
  try {
    await app.listen(environment.PORT, environment.HOST);
  } catch (error) {
    const problem = listenProblems(environment)[String((error as NodeJS.ErrnoException).code)];
    throw problem === undefined ? error : new ConfigurationError(problem);
  }
}

function welcome(environment: Environment): void {
  if (lines !== null) return say(`Orange ID developer portal ${version}: ${environment.PUBLIC_URL}`);
  say('');
  say(`  Orange ID developer portal ${version}: ${environment.PUBLIC_URL}`);
  say('  Open it and choose Start Building to create an account with your email or a browser wallet.');
  if (servesBuiltInOpenid(environment)) {
    say('  Google and Apple work too: a built-in provider stands in until you set their credentials.');
  }
  if (servesMailbox(environment)) {
    say(`  SMTP_URL isn't set, so emails aren't sent. Read them at ${environment.PUBLIC_URL}/dev/mailbox`);
  }
  if (!environment.isProduction) say('  Stop with Ctrl-C; your data stays in ' + environment.dataDir);
  say('');
}

const [command, ...args] = process.argv.slice(2);
await (command === undefined ? main() : runCommand(command, args));

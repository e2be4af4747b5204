import { ConsoleLogger } from '@nestjs/common';
import type { Environment } from '../config/environment.js';

/** Nest's start-up messages, which an operator cannot act on. */
const chatter = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);
const levels = ['error', 'warn', 'log', 'debug'] as const;

/** Nest's logger without its start-up lines; JSON in production. */
export class QuietLogger extends ConsoleLogger {
  constructor({ isProduction, LOG_LEVEL }: Environment) {
    super({ json: isProduction, colors: false, logLevels: levels.slice(0, levels.indexOf(LOG_LEVEL) + 1) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!chatter.has(String(rest.at(-1)))) super.log(message, ...(rest as [string]));
  }

  /** The program itself reports a port in use, in one line. */
  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) !== 'NestApplication') super.error(message, ...(rest as [string]));
  }
}

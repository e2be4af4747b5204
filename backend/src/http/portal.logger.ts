import { ConsoleLogger, type LoggerService } from '@nestjs/common';
import type { Logger as Pino } from 'pino';
import type { Environment } from '../config/environment.js';
import { jsonLines } from './json.lines.js';

/** A log line with values of its own, such as the id of the request that it is about. */
export interface LogFields {
  message: string;
  stack?: string | undefined;
  [name: string]: string | number | undefined;
}

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

/** In production one JSON object per line, otherwise text for a person. */
export const portalLogger = (environment: Pick<Environment, 'isProduction' | 'LOG_LEVEL'>): LoggerService =>
  environment.isProduction ? new JsonLogger(environment) : new TextLogger(environment);

class JsonLogger implements LoggerService {
  private readonly lines: Pino;

  constructor({ LOG_LEVEL }: Pick<Environment, 'LOG_LEVEL'>) {
    this.lines = jsonLines(LOG_LEVEL === 'log' ? 'info' : LOG_LEVEL);
  }

  log(message: unknown, ...rest: unknown[]): void {
    if (!chatter.has(String(rest.at(-1)))) this.write('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  /** The program itself reports a port in use, in one line. */
  error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) !== 'NestApplication') this.write('error', message, rest);
  }

  private write(level: 'info' | 'warn' | 'debug' | 'error', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    if (isFields(message)) {
      const { message: text, ...fields } = message;
      this.lines[level]({ context, ...fields }, text);
    } else this.lines[level]({ context, stack }, String(message));
  }
}

class TextLogger extends ConsoleLogger {
  constructor({ LOG_LEVEL }: Pick<Environment, 'LOG_LEVEL'>) {
    super({ colors: false, logLevels: levels.slice(0, levels.indexOf(LOG_LEVEL) + 1) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!chatter.has(String(rest.at(-1)))) super.log(textOf(message), ...(rest as [string]));
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(textOf(message), ...(rest as [string]));
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) !== 'NestApplication') super.error(textOf(message), ...(rest as [string]));
  }
}

const isFields = (message: unknown): message is LogFields =>
  typeof message === 'object' && message !== null && !(message instanceof Error) && 'message' in message;

function textOf(message: unknown): unknown {
  if (!isFields(message)) return message;
  const { message: text, stack, ...fields } = message;
  const values = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  return [`${text} (${values.join(' ')})`, ...(stack === undefined ? [] : [stack])].join('\n');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './image.file.js';

/** The fields of a compose service that the tests read; other fields are ignored. */
export interface Service {
  image?: string;
  profiles?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  build?: string;
  user?: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  environment: Record<string, string>;
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; interval?: string };
  stop_grace_period?: string;
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

/** A required variable that is not set; `message` is the file's text about it. */
export class DemandedVariable extends Error {
  constructor(
    readonly variable: string,
    message: string,
  ) {
    super(message);
  }
}

/** Every variable the file reads, and those it requires. */
export function composeVariables(): { read: string[]; demanded: string[] } {
  const read = new Set<string>();
  const demanded = new Set<string>();
  interpolated(text, (name, operator) => {
    read.add(name);
    if (operator === ':?') demanded.add(name);
    return '';
  });
  return { read: [...read], demanded: [...demanded] };
}

/** The file as `docker compose` reads it with these `variables`. Throws `DemandedVariable`. */
export function readCompose(variables: Record<string, string>): Compose {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return interpolated(value, (name, operator, word) => {
        const given = variables[name] ?? '';
        if (given !== '' || operator === '') return given;
        if (operator === ':?') throw new DemandedVariable(name, `${name} ${word}`);
        return word;
      });
    }
    if (Array.isArray(value)) return value.map(filled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  };
  return filled(parse(text, { merge: true })) as Compose;
}

/** Replaces `${NAME}`, `${NAME:-word}`, where the word may have a `${NAME}`, and `${NAME:?word}`; any other `$` throws. */
function interpolated(
  value: string,
  replace: (name: string, operator: string, word: string) => string,
): string {
  return value.replace(
    /\$(?:\{([A-Z][A-Z0-9_]*)(?:(:[-?])((?:\$\{[A-Z0-9_]+\}|[^}])*))?\})?/g,
    (whole, name, operator = '', word = '') => {
      if (name === undefined)
        throw new Error(`docker-compose.yml has a $ that starts no variable, before: ${whole}`);
      return replace(name, operator, word.includes('$') ? interpolated(word, replace) : word);
    },
  );
}

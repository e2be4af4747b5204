import { jest } from '@jest/globals';
import type { TestApp } from './test.app.js';

/** Captures everything that this process would print from now on, until `jest.restoreAllMocks()`. */
export function keepLog(): { text: string } {
  const log = { text: '' };
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      log.text += chunk.toString();
      return true;
    });
  }
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    jest.spyOn(console, method).mockImplementation((...words) => {
      log.text += `${words.map(String).join(' ')}\n`;
    });
  }
  return log;
}

/** Every row of every table as text, as a stolen dump shows it. */
export async function dumpOf({ db }: Pick<TestApp, 'db'>): Promise<string> {
  const tables: { name: string }[] = await db.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  let dump = '';
  for (const { name } of tables) {
    const [{ text }] = await db.query(`select string_agg(t::text, E'\\n') as text from ${name} t`);
    dump += text ?? '';
  }
  return dump;
}

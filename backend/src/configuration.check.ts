import type { NodemailerError } from 'nodemailer';
import { ChainNode } from './chain/chain.client.js';
import { addressOf } from './config/database.address.js';
import type { Environment } from './config/environment.js';
import { waits } from './config/waits.js';
import { databaseProblems } from './database/database.check.js';
import { smtpTransport } from './mail/smtp.transport.js';
import { S3Store } from './profile/pictures/s3.store.js';
import { ClickHouseClient, clickHouseAddress } from './usage/clickhouse/clickhouse.client.js';

const askMs = 5_000;

/** Asks everything outside the portal that the configuration names; one line for each that can't be used. */
export async function configurationProblems(environment: Environment): Promise<string[]> {
  const { CLICKHOUSE_URL, DATABASE_URL, SMTP_URL, ETH_RPC_URL } = environment;
  const problems = await Promise.all([
    DATABASE_URL === undefined ? [] : databaseProblems(addressOf(DATABASE_URL)),
    SMTP_URL === undefined
      ? []
      : problemOf('SMTP_URL must be a mail server that accepts this user', () => verifyMail(SMTP_URL)),
    CLICKHOUSE_URL === undefined
      ? []
      : problemOf('CLICKHOUSE_URL must be a ClickHouse server that accepts this user', () =>
          askClickHouse(CLICKHOUSE_URL),
        ),
    problemOf('PICTURES_S3_ENDPOINT, its bucket and its key must work', () => readPicture(environment)),
    problemOf(
      'ETH_RPC_URL must be a node of Ethereum mainnet',
      () => askNode(ETH_RPC_URL),
      new URL(ETH_RPC_URL).host,
    ),
  ]);
  return problems.flat();
}

async function problemOf(demand: string, ask: () => Promise<unknown>, asked = 'it'): Promise<string[]> {
  try {
    await ask();
    return [];
  } catch (error) {
    return [`${demand} (asking ${asked} failed: ${reasonOf(error)})`];
  }
}

/** The code of the innermost error that has one, such as ECONNREFUSED, or else the first line of the outermost. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  let found = message.split('\n')[0] as string;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { originalCode, code } = at as NodemailerError;
    found = originalCode ?? (typeof code === 'string' ? code : found);
  }
  return found;
}

async function askClickHouse(url: string): Promise<void> {
  const client = new ClickHouseClient(clickHouseAddress(url));
  // Its own database is created at the first start.
  await client.rows('select version()', { timeoutMs: askMs, settings: { database: 'system' } });
}

async function verifyMail(url: string): Promise<void> {
  const transport = smtpTransport(url);
  await transport.verify().finally(() => transport.close());
}

async function readPicture(environment: Environment): Promise<void> {
  const { PICTURES_S3_ENDPOINT: endpoint, PICTURES_S3_REGION: region } = environment;
  const { PICTURES_S3_BUCKET: bucket, PICTURES_S3_KEY_ID: keyId, PICTURES_S3_SECRET: secret } = environment;
  if (!endpoint || !bucket || !keyId || !secret) return;
  await new S3Store({ endpoint, bucket, region, keyId, secret }).read('portal-check', 'check');
}

async function askNode(url: string): Promise<void> {
  const chain = await new ChainNode(url, waits).node.getChainId();
  if (chain !== 1) throw new Error(`its chain is ${chain}`);
}

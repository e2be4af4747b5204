import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { parseArgs } from 'node:util';
import { CommandError } from '../command.error.js';
import type { DatabaseAddress } from '../config/database.address.js';
import { ConfigurationError } from '../config/environment.js';
import type { Environment } from '../config/environment.js';
import { requireMigrated } from '../database/migrate.js';
import { PortalError } from '../http/portal.error.js';
import { checkSecretCanary } from '../secrets/secret.canary.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { AdminModule } from './admin.module.js';
import { AdminRefusal } from './admin.refusal.js';
import type { FoundAccount } from './admin.repository.js';
import { AdminService, type MailAgain, quotaText } from './admin.service.js';

const wrongUsage = (message: string): CommandError => new CommandError(message, 2);

const usage = `admin find <account>                        shows what the portal knows of an account
admin disable <account> [--reason <text>]   ends its sessions, stops its keys and the sign-ins to its projects
admin enable <account>                      lets it sign in again, and its keys work
admin revoke <key>                          revokes a key, named by its id or its text
admin quota <account> <calls>|none|default  how many calls of its keys are answered a day
admin mail <account> confirmation|reset     sends the link that confirms its email, or resets its password

<account> is an email, a wallet's address or an id. Each needs --as <email or wallet of one of ADMINISTRATORS>;
--json prints one JSON object.`;

interface Asked {
  action: string;
  subject: string;
  rest: string[];
  as: string;
  reason: string | null;
  json: boolean;
}

/** What a command answers: an object for --json, and lines for people. */
interface Told {
  object: object;
  lines: string[];
}

/** Runs `admin …` on the database of the portal, beside running instances. Throws `CommandError`. */
export async function administer(
  environment: Environment,
  address: DatabaseAddress,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const command = readCommand(args);
  if (environment.IDENTITY_URL !== undefined) {
    throw new ConfigurationError(
      `IDENTITY_URL is set (${environment.IDENTITY_URL}): that service has the accounts, so administer them there`,
    );
  }
  await requireMigrated(address, environment);
  const context = await NestFactory.createApplicationContext(AdminModule.with(environment, address), {
    abortOnError: false,
    logger: false,
  });
  try {
    await checkSecretCanary(context.get(DataSource), context.get(SecretsService));
    const { object, lines } = await act(context.get(AdminService), command);
    if (command.json) say(JSON.stringify(object));
    else lines.forEach(say);
  } catch (error) {
    if (error instanceof AdminRefusal || error instanceof PortalError) {
      throw new CommandError(error.message, 1, { cause: error });
    }
    throw error;
  } finally {
    await context.close();
  }
}

async function act(admin: AdminService, { action, subject, rest, as, reason }: Asked): Promise<Told> {
  const actorId = await admin.actorNamed(as);
  switch (action) {
    case 'find': {
      const accounts = await admin.find(actorId, subject);
      return { object: { accounts }, lines: accounts.flatMap(linesOf) };
    }
    case 'disable': {
      const done = await admin.disable(actorId, subject, reason);
      return told(
        done,
        `The account ${done.accountId} is disabled: no sessions, keys or sign-ins to its projects.`,
      );
    }
    case 'enable': {
      const done = await admin.enable(actorId, subject);
      return told(
        done,
        `The account ${done.accountId} is enabled. Its owner signs in again; keys and projects work.`,
      );
    }
    case 'revoke': {
      const done = await admin.revokeKey(actorId, subject);
      return told(done, `The key ${done.keyId} of the account ${done.accountId} is revoked.`);
    }
    case 'quota': {
      const quota = quotaIn(rest[0]) as number | null;
      const done = await admin.setQuota(actorId, subject, quota);
      return told(done, `The daily quota of the account ${done.accountId} is: ${quotaText(quota)}.`);
    }
    default: {
      const mail = rest[0] as MailAgain;
      const done = await admin.sendMail(actorId, subject, mail);
      const lacking = mail === 'reset' ? 'has no password to reset' : 'has no address that isn’t confirmed';
      return done.isChanged
        ? told(done, `Emails will be sent within seconds to: ${done.sentTo.join(', ')}`)
        : { object: done, lines: [`The account ${done.accountId} ${lacking}; no email is sent.`] };
    }
  }
}

const told = (done: { isChanged: boolean }, line: string): Told => ({
  object: done,
  lines: [done.isChanged ? line : `${line} No change was needed.`],
});

const actions = ['find', 'disable', 'enable', 'revoke', 'quota', 'mail'];
const mails: readonly string[] = ['confirmation', 'reset'] satisfies MailAgain[];

function readCommand(args: readonly string[]): Asked {
  const { values, positionals } = parsed(args);
  const [action, subject, ...rest] = positionals;
  if (action === undefined) throw wrongUsage(`The commands of administrators are:\n\n${usage}`);
  if (!actions.includes(action)) {
    throw wrongUsage(`"${action}" is none of ${actions.join(', ')}. The commands are:\n\n${usage}`);
  }
  if (subject === undefined) throw wrongUsage(`admin ${action} needs what it is for:\n\n${usage}`);
  if (values.as === undefined) {
    throw wrongUsage(`admin ${action} needs --as with your email or wallet, which ADMINISTRATORS names`);
  }
  if (action === 'mail' && (rest.length !== 1 || !mails.includes(rest[0] as string))) {
    throw wrongUsage(
      `admin mail needs ${mails.join(' or ')} after the account (it is ${JSON.stringify(rest.join(' '))})`,
    );
  }
  if (action === 'quota' && (rest.length !== 1 || quotaIn(rest[0]) === undefined)) {
    throw wrongUsage(
      `admin quota needs a whole number of calls from 1 to ${mostCalls}, none or default after the account (it is ${JSON.stringify(rest.join(' '))})`,
    );
  }
  if (!['mail', 'quota'].includes(action) && rest.length > 0) {
    throw wrongUsage(`Unexpected argument "${rest.join(' ')}" after ${JSON.stringify(subject)}`);
  }
  if (action !== 'disable' && values.reason !== undefined) {
    throw wrongUsage('--reason belongs to admin disable only');
  }
  return {
    action,
    subject,
    rest,
    as: values.as,
    reason: values.reason ?? null,
    json: values.json ?? false,
  };
}

const mostCalls = 1_000_000_000;

/** Null for the portal's quota, 0 for none; undefined for a text that is no quota. */
function quotaIn(text: string | undefined): number | null | undefined {
  if (text === 'default') return null;
  if (text === 'none') return 0;
  const isInRange = /^[1-9]\d{0,12}$/.test(text ?? '') && Number(text) <= mostCalls;
  return isInRange ? Number(text) : undefined;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { as: { type: 'string' }, reason: { type: 'string' }, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw wrongUsage(`${(error as Error).message}. The commands are:\n\n${usage}`);
  }
}

function linesOf(account: FoundAccount): string[] {
  const state = account.disabledAt
    ? `disabled since ${account.disabledAt.toISOString()}`
    : account.deletesAt
      ? `deleted by its owner; its rows go on ${account.deletesAt.toISOString()}`
      : 'enabled';
  return [
    `Account ${account.id}, ${state}`,
    `  since ${account.createdAt.toISOString()}, ${account.callsToday} calls today, daily quota: ${quotaText(account.quota)}`,
    ...account.emails.map(
      ({ email, isVerified, of }) =>
        `  email ${email} (${of}, ${isVerified ? 'confirmed' : 'not confirmed'})`,
    ),
    ...account.wallets.map((wallet) => `  wallet ${wallet}`),
    ...account.projects.map(({ projectId, name }) => `  project ${projectId} ${JSON.stringify(name)}`),
    ...account.keys.map(
      ({ id, name, prefix, projectId, isActive }) =>
        `  key ${id} ${prefix}… ${JSON.stringify(name)}${projectId === null ? '' : ` of project ${projectId}`}, ${isActive ? 'active' : 'revoked'}`,
    ),
    ...account.actions.map(
      ({ at, action, actorId }) => `  administrator ${actorId}: ${action} at ${new Date(at).toISOString()}`,
    ),
  ];
}

import type { FastifyReply } from 'fastify';

/**
 * Lets the forms of this page lead to other origins too. A browser checks every redirect that follows a form against
 * the policy of its page, not only the form's address.
 */
export function allowForms(reply: FastifyReply, origins: readonly string[]): void {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy !== 'string') return;
  const allowed = ["form-action 'self'", ...origins.map(sourceOf)].join(' ');
  const allowing = policy.replace("form-action 'self'", allowed);
  // A redirect to an http origin must not become one to https.
  const isHttp = origins.some((origin) => origin.startsWith('http:'));
  void reply.header(
    'content-security-policy',
    isHttp ? allowing.replace(/;?upgrade-insecure-requests/, '') : allowing,
  );
}

/** A policy cannot name an IPv6 address (CSP 3 §2.3.1), so its scheme stands for it. */
const sourceOf = (origin: string): string => (origin.includes('[') ? origin.replace(/\/\/.*/, '') : origin);

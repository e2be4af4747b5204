import type { FastifyReply } from 'fastify';

/**
 * Lets the forms of this page lead to other origins too. A browser checks every redirect that follows a form against
 * the policy of its page, not only the form's address.
 */
export function allowForms(reply: FastifyReply, origins: readonly string[]): void {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy !== 'string') return;
  const allowed = ["form-action 'self'", ...origins].join(' ');
  void reply.header('content-security-policy', policy.replace("form-action 'self'", allowed));
}

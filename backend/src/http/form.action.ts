import type { FastifyReply } from 'fastify';

/**
 * Lets the forms of this answer lead to other origins too. A browser holds every redirect that follows a form against
 * its page's policy, not only the form's own address.
 */
export function allowForms(reply: FastifyReply, origins: readonly string[]): void {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy !== 'string') return;
  const allowed = ["form-action 'self'", ...origins].join(' ');
  void reply.header('content-security-policy', policy.replace("form-action 'self'", allowed));
}

import { enterEmail, notAnEmail } from '@orange-id/contract/email.rule';
import { formatCount } from './number.text';

/**
 * The error text below a field. The contract's phrases (`must …`) follow the field's label, except those that ask for a
 * value; a server's own sentence stands alone.
 */
export function refusalText(label: string, refusal: string): string {
  if (refusal === notAnEmail) return `${enterEmail}.`;
  if (refusal === 'must not be empty') return `Enter a ${label.toLowerCase()}.`;
  const sentence = /^(must|is|isn’t|has) /.test(refusal)
    ? `${label} ${refusal.replace(/\d{4,}/g, (digits) => formatCount(Number(digits)))}`
    : refusal;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

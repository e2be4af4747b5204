import { enterEmail, notAnEmail } from '@orange-id/contract/email.rule';

/**
 * What stands under a field that was refused. The contract's phrases (`must …`) follow the field's label; a server's
 * own sentence stands alone.
 */
export function refusalText(label: string, refusal: string): string {
  if (refusal === notAnEmail) return `${enterEmail}.`;
  const sentence = /^(must|is|isn’t|has) /.test(refusal) ? `${label} ${refusal}` : refusal;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

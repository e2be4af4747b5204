import type { Notice } from '../http/notice.page.js';

/** What a reader meets on one of the server's pages, for a comparison with its snapshot: one text per line. */
export function noticeLines(notice: Notice): string[] {
  const { title, facts = [], paragraphs, problem, form, link, note } = notice;
  const { choices, fields = [], submit, other } = form ?? {};
  return [
    problem,
    title,
    ...facts.map(({ term, value }) => `${term}: ${value}`),
    ...paragraphs,
    choices && `${choices.legend} (${choices.hint})`,
    ...(choices?.items ?? []).map(({ label, isChecked }) => `${isChecked ? '[x]' : '[ ]'} ${label}`),
    ...fields.map((field) =>
      [`field “${field.label}”`, field.problem ?? field.hint].filter(Boolean).join(': '),
    ),
    submit && `button “${submit}”`,
    other && `button “${other.text}”`,
    link && `link “${link.text}” to ${link.href}`,
    note,
  ].flatMap((line) => line || []);
}

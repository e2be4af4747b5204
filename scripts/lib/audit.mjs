const severe = ['high', 'critical'];

/**
 * Evaluates a report of `npm audit --json`. `unanswered` is the reason if there is no report; `open` are the findings
 * of high severity and above that no entry of `allowed` allows on the day `today` (ISO date); `stale` are the entries
 * that no longer match a finding.
 */
export function verdictOf(report, allowed, today) {
  if (!report?.vulnerabilities) {
    const reason = report?.statusCode ? `status ${report.statusCode}` : (report?.error?.code ?? 'no answer');
    return { unanswered: reason, open: [], stale: [] };
  }
  const findings = new Map();
  for (const { via } of Object.values(report.vulnerabilities)) {
    for (const finding of via) {
      if (typeof finding === 'string' || !severe.includes(finding.severity)) continue;
      const id = String(finding.url).split('/').at(-1);
      findings.set(id, { id, name: finding.name, severity: finding.severity, title: finding.title });
    }
  }
  const isAllowed = ({ id }) => allowed.some((entry) => entry.id === id && entry.until >= today);
  return {
    unanswered: null,
    open: [...findings.values()].filter((finding) => !isAllowed(finding)),
    stale: allowed.filter(({ id }) => !findings.has(id)),
  };
}

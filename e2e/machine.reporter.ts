import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { machineAttachment, type MachinePlan, type MachineVisit } from './fixtures/machine.steps';

/** The report of all visited states and transitions, for a closer look. */
const output = join(import.meta.dirname, '..', '.cache', 'test-results', 'machines.json');

/**
 * Split a slower test or move it to a cheaper layer, because every run waits for it. On a busy machine all tests are
 * slower, so the run fails only if the test also takes six times the median; the median of a quiet run is 2.5 s, so
 * there both limits are equal.
 */
const mostMs = 15_000;
const mostMedians = 6;

interface Sum {
  plan: MachinePlan;
  states: Set<string>;
  transitions: Set<string>;
}

/**
 * Counts the states and transitions that a run visited per machine, and prints one line per machine at the end;
 * `machines.json` lists what was visited and what was missed. This is a report: the machines' own tests prove their
 * transitions. A run of all tests (`PORTAL_E2E_WHOLE`) fails if a passed test took more than 15 s and more than six times
 * the median; other runs only print such a test. Every run fails if a test reports no machines, because then its spec
 * does not take `test` from the fixtures.
 */
class MachineReporter implements Reporter {
  private readonly sums = new Map<string, Sum>();
  private readonly silent = new Set<string>();
  private readonly passed: { title: string; duration: number }[] = [];

  onTestEnd(test: TestCase, { status, attachments, duration }: TestResult): void {
    if (status === 'passed') this.passed.push({ title: test.title, duration });
    const told = attachments.find(({ name }) => name === machineAttachment)?.body;
    if (told === undefined) {
      if (status === 'passed') this.silent.add(test.location.file);
      return;
    }
    const visits = JSON.parse(told.toString('utf8')) as Record<string, MachineVisit>;
    for (const [machine, visit] of Object.entries(visits)) this.add(machine, visit);
  }

  async onEnd(): Promise<Partial<FullResult> | undefined> {
    const sums = [...this.sums].sort(([one], [other]) => (one < other ? -1 : 1));
    if (sums.length > 0) {
      const told = Object.fromEntries(sums.map(([machine, sum]) => [machine, toJson(sum)]));
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, `${JSON.stringify(told, null, 2)}\n`);
      const lines = sums.map(
        ([machine, { plan, states, transitions }]) =>
          `  ${machine}: ${states.size} of ${plan.states.length} states, ` +
          `${transitions.size} of ${plan.transitions.length} transitions`,
      );
      process.stdout.write(`\nMachines visited in the browser:\n${lines.join('\n')}\n`);
    }
    const isWhole = Boolean(process.env['PORTAL_E2E_WHOLE']);
    const faults: string[] = [];
    if (this.silent.size > 0) {
      const files = [...this.silent].join(', ');
      faults.push(`Take \`test\` from e2e/fixtures; these specs report no machines: ${files}`);
    }
    const slowest = this.slowest();
    if (slowest.length > 0) {
      const slow = `Split these tests, which take too long:\n  ${slowest.join('\n  ')}`;
      // A run of some specs on a busy machine proves nothing about the cost of a test.
      if (isWhole) faults.push(slow);
      else process.stdout.write(`\n${slow}\n`);
    }
    if (faults.length === 0) return undefined;
    process.stdout.write(`\n${faults.join('\n')}\n`);
    return { status: 'failed' };
  }

  private slowest(): string[] {
    const durations = this.passed.map(({ duration }) => duration).sort((one, other) => one - other);
    const median = durations[Math.floor(durations.length / 2)] ?? 0;
    return this.passed
      .filter(({ duration }) => duration > Math.max(mostMs, mostMedians * median))
      .map(({ title, duration }) => `${(duration / 1000).toFixed(1)} s  ${title}`);
  }

  private add(machine: string, { plan, states, transitions }: MachineVisit): void {
    const sum = this.sums.get(machine) ?? { plan, states: new Set(), transitions: new Set() };
    this.sums.set(machine, sum);
    for (const state of states) sum.states.add(state);
    for (const transition of transitions) sum.transitions.add(transition);
  }
}

const toJson = ({ plan, states, transitions }: Sum) => ({
  visited: { states: [...states].sort(), transitions: [...transitions].sort() },
  missed: {
    states: plan.states.filter((state) => !states.has(state)),
    transitions: plan.transitions.filter((transition) => !transitions.has(transition)),
  },
});

// eslint-disable-next-line no-restricted-exports -- Playwright loads a reporter by its default export
export default MachineReporter;

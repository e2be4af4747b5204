import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { machineAttachment, type MachineStep } from './fixtures/machine.steps';

/** Where the sum is written, for whoever wants to look closer. */
const output = join(import.meta.dirname, '..', '.cache', 'test-results', 'machines.json');

/** Sums up which states and transitions of which machines a run visited; one line per machine at the end. */
class MachineReporter implements Reporter {
  private readonly visited = new Map<string, { states: Set<string>; transitions: Set<string> }>();

  onTestEnd(_test: TestCase, result: TestResult): void {
    for (const { name, body } of result.attachments) {
      if (name !== machineAttachment || !body) continue;
      const steps = JSON.parse(body.toString('utf8')) as Record<string, MachineStep[]>;
      for (const [machine, taken] of Object.entries(steps)) this.add(machine, taken);
    }
  }

  onEnd(): void {
    if (this.visited.size === 0) return;
    const sum = Object.fromEntries(
      [...this.visited]
        .sort()
        .map(([machine, { states, transitions }]) => [
          machine,
          { states: [...states].sort(), transitions: [...transitions].sort() },
        ]),
    );
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, `${JSON.stringify(sum, null, 2)}\n`);
    const lines = Object.entries(sum).map(
      ([machine, { states, transitions }]) =>
        `  ${machine}: ${transitions.length} transitions, states ${states.join(', ')}`,
    );
    process.stdout.write(`\nMachines visited in the browser:\n${lines.join('\n')}\n`);
  }

  private add(machine: string, taken: MachineStep[]): void {
    const known = this.visited.get(machine) ?? { states: new Set(), transitions: new Set() };
    this.visited.set(machine, known);
    for (const { event, from, to } of taken) {
      known.states.add(to);
      if (from !== null) known.transitions.add(`${from} -> ${to} (${event})`);
    }
  }
}

// eslint-disable-next-line import-x/no-default-export -- Playwright loads a reporter by its default export
export default MachineReporter;

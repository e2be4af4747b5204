import { build } from './lib/parts.mjs';
import { install, installBench } from './lib/install.mjs';
import { fail, requireNode, step } from './lib/steps.mjs';

/** `npm run bench [-- throughput|latency|page|widget|volume] [options]`: measures and writes bench/RESULTS.md. */
const programs = {
  throughput: 'bench/run.mjs',
  latency: 'bench/latency.mjs',
  page: 'bench/page.mjs',
  widget: 'bench/widget.mjs',
  volume: 'bench/volume.mjs',
};
const [first, ...rest] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith('-');
const name = isNamed ? first : 'throughput';
const options = isNamed ? rest : process.argv.slice(2);

requireNode();
try {
  if (!programs[name]) {
    throw new Error(`Unknown measurement "${name}". Choose one of: ${Object.keys(programs).join(', ')}`);
  }
  await install();
  await installBench();
  await build('contract', 'backend');
  await step(`Measuring ${name}`, process.execPath, [programs[name], ...options], { loud: true });
} catch (error) {
  fail(error.message);
}

// Run by the build as a process of its own: what React leaves open ends with it.
import { pathToFileURL } from 'node:url';

const [file, config] = process.argv.slice(2);
const { prerenderHome } = await import(pathToFileURL(file).href);
process.stdout.write(await prerenderHome(JSON.parse(config)), () => process.exit(0));

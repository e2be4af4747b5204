// The build runs this as a separate process, so that handles left open by React end with it.
import { pathToFileURL } from 'node:url';

const [file, config] = process.argv.slice(2);
const { prerenderHome } = await import(pathToFileURL(file).href);
const home = await prerenderHome(JSON.parse(config));
process.stdout.write(JSON.stringify(home), () => process.exit(0));

// The build runs this as a separate process, so that handles left open by React end with it.
import { pathToFileURL } from 'node:url';

const [file, config, ...paths] = process.argv.slice(2);
const { prerenderPage } = await import(pathToFileURL(file).href);
const pages = {};
for (const path of paths) pages[path] = await prerenderPage(path, JSON.parse(config));
process.stdout.write(JSON.stringify(pages), () => process.exit(0));

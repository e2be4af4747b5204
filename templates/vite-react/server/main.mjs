import { createServer } from 'node:http';
import { handle } from './api.mjs';

const port = Number(process.env.PORT ?? 8787);

createServer((request, response) => void handle(request, response)).listen(port, () =>
  console.log(`Listening on http://localhost:${port}`),
);

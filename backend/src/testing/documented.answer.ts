import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>;
}

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

const document = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};
const operations = Object.entries(document.paths).map(([template, byMethod]) => ({
  template,
  byMethod,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));
const schemas = new Map<object, z.ZodType>();

/**
 * Throws if a response is not what docs/openapi.json says: a status that the operation does not list, another type of
 * content, or a JSON body with a missing, wrong or extra field. Addresses that the document does not list pass.
 */
export function requireDocumented(method: string, address: string, { status, headers, body }: Answer): void {
  const path = address.replace(/[?#].*$/, '');
  // A path without parameters wins over a template.
  const place =
    operations.find(({ template }) => template === path) ??
    operations.find(({ pattern }) => pattern.test(path));
  const operation = place?.byMethod[method.toLowerCase()];
  if (!place || !operation) return;
  const say = (fault: string) =>
    new Error(`${method} ${place.template} ${status} is not as documented: ${fault}`);
  const listed = operation.responses[status] ?? (status >= 400 ? operation.responses['default'] : undefined);
  if (!listed) throw say('docs/openapi.json does not list the status');
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const documented = listed.content?.[type];
  if (listed.content && !documented && status < 400) throw say(`its type is ${type || 'missing'}`);
  if (!documented?.schema || !type.endsWith('json')) return;
  const { error } = schemaOf(documented.schema).safeParse(body);
  if (error) throw say(z.prettifyError(error));
}

function schemaOf(schema: { $ref?: string }): z.ZodType {
  const made = schemas.get(schema);
  if (made) return made;
  const name = schema.$ref?.split('/').at(-1);
  const parsed = z.fromJSONSchema(
    name === undefined ? (schema as JsonSchema) : (document.components.schemas[name] as JsonSchema),
  );
  schemas.set(schema, parsed);
  return parsed;
}

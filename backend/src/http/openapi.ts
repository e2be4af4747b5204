import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { MeteredParameter } from '@orange-id/contract/metered.paths';
import { type MeteredRoute, meteredRoutes } from '@orange-id/contract/metered.routes';
import { z } from 'zod';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const errorDescription = 'An error. Its `code` names the cause.';

const success = 'Success.';

/** The default description of a response, by status. */
const outcomes: Record<string, string> = {
  200: success,
  201: 'Created.',
  204: 'Success. The response has no body.',
};

const errorAnswer: Schema = {
  type: 'object',
  description:
    'Every error has `statusCode`, `error`, `message` and a stable `code`. `details`, when present, lists each invalid field, what is allowed and what was sent; `current` is what a change that came too late has to start from. `requestId` is also in the header `X-Request-Id`; name it when you report a problem.',
  properties: {
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    error: { type: 'string' },
    code: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' }, given: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
    current: {},
    requestId: { type: 'string' },
  },
  required: ['statusCode', 'message', 'error', 'code'],
};

/** The groups of operations, in the order a developer needs them. */
const tags = {
  'Calls with an API key':
    'Calls with any of your keys, including replaced and deleted ones, show up in Usage.',
  Projects: 'Projects, their API keys and allowed URLs.',
  'API keys': 'API keys that don’t belong to a project.',
  Usage: 'Usage totals and individual calls.',
  Profile: 'Profile and photo.',
  Community: 'Posts and replies of developers. Reading needs no sign-in.',
  Rewards: 'Rank and experience points.',
  Identity: 'Sign-in, sign-in methods and sessions.',
  Account: 'All of a user’s data as a file, and the deletion of the account.',
  Configuration: 'Configuration for the browser app.',
  Operations: 'For operators: health and metrics.',
};

/**
 * The OpenAPI 3.1 document of the portal: Nest's routes, and the metered ones from the contract's table. It depends
 * only on the code, never on the configuration, and its paths are sorted.
 */
export function openApiOf(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Orange ID developer portal')
    .setDescription(
      'Calls with an API key take it in the `X-API-Key` header. Calls with any of your keys, including replaced and deleted ones, show up in Usage. Most other calls take an access token as a bearer token.',
    )
    .setVersion('0.1.0')
    .addServer('/')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth()
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'The access token of a player signed in to the key’s project.',
      },
      'player',
    );
  for (const [name, description] of Object.entries(tags)) config.addTag(name, description);
  const document = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}.${method}`,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: errorAnswer },
  };
  for (const [id, route] of Object.entries<MeteredRoute>(meteredRoutes)) {
    const path = document.paths[route.path] ?? {};
    document.paths[route.path] = { ...path, [route.method.toLowerCase()]: meteredOperation(id, route) };
  }
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as Operation[]) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (response && 'description' in response) response.description ||= outcomes[status] ?? '';
      }
      operation.responses['default'] ??= {
        description: errorDescription,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
    }
  }
  // Operations that need no credentials name none.
  document.security = [];
  dropPatternsOfFormats(document.paths);
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return document;
}

/** Beside `format: date-time` zod emits its whole regular expression, which adds nothing and is unreadable. */
function dropPatternsOfFormats(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && 'pattern' in node) delete node.pattern;
  Object.values(node).forEach(dropPatternsOfFormats);
}

function meteredOperation(id: string, route: MeteredRoute): Operation {
  const schema = withoutDialect(z.toJSONSchema(route.response, { io: 'output' }));
  // OpenAPI 3.1 §4.8.12.1: a parameter named Authorization is a security scheme instead.
  const inHeader = route.parameters.filter((parameter) => parameter.in === 'header');
  const others = route.parameters.filter((parameter) => parameter.in !== 'header');
  const responses: Operation['responses'] = {};
  for (const { statusCode, body } of route.samples) {
    responses[statusCode] = {
      description: statusCode === 200 ? success : errorDescription,
      content: {
        'application/json': {
          schema: statusCode === 200 ? schema : { $ref: '#/components/schemas/Error' },
          example: body,
        },
      },
    };
  }
  return {
    operationId: `Metered.${id}`,
    summary: route.title,
    description: route.description,
    tags: ['Calls with an API key'],
    security: [inHeader.length === 0 ? { apiKey: [] } : { apiKey: [], player: [] }],
    parameters: others.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      description: parameter.description,
      required: parameter.required,
      ...parameterSchemaOf(parameter),
    })),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: withoutDialect(z.toJSONSchema(route.body, { io: 'input' })),
                example: route.bodyExample,
              },
            },
          },
        }),
    responses,
  };
}

const withoutDialect = ({ $schema: _, ...schema }: Record<string, unknown>): Schema => schema as Schema;

function parameterSchemaOf({ type, minimum, maximum, example }: MeteredParameter): {
  schema: Schema;
  example: unknown;
} {
  if (type === 'integer') {
    const bounds = {
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    };
    return { schema: { type, ...bounds }, example: Number(example) };
  }
  return {
    schema: { type: 'string', ...(type === 'address' ? { pattern: '^0x[0-9a-fA-F]{40}$' } : {}) },
    example,
  };
}

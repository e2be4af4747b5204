export const invalidKeySample = {
  statusCode: 401,
  body: { statusCode: 401, message: 'Invalid API key', error: 'Unauthorized', code: 'key.invalid' },
} as const;

/**
 * The first call to make with a key. In a file of its own, because the landing page shows this call and must not load
 * the others.
 */
export const keyPath = {
  group: 'key',
  method: 'GET',
  path: '/api/v1/key',
  title: 'Get this key',
  description:
    'The project, name and prefix of the key in the header. Needs no parameters, so it’s a good first call.',
  requiresAuth: true,
  parameters: [],
  samples: [
    {
      statusCode: 200,
      body: { project: { code: 'orange-k3x9p2m7qa', name: 'Acme' }, name: 'Acme', prefix: 'oid_4fGh' },
    },
    invalidKeySample,
  ],
} as const;

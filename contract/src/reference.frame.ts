import { z } from 'zod';

/** Where the server has the OpenAPI document and the page that shows it, which `/api` frames. */
export const referencePaths = { document: '/api/openapi.json', page: '/api/docs' } as const;

/** What the framed page tells the one around it. */
export const referenceWord = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['reference.drawn', 'reference.failed']) }),
  /** How tall its content is, in CSS px. */
  z.object({ type: z.literal('reference.resized'), height: z.int().positive().max(1_000_000) }),
]);
export type ReferenceWord = z.infer<typeof referenceWord>;

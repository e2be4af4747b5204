import { z } from 'zod';

/** The paths of the OpenAPI document and of the page that shows it, which `/api` frames. */
export const referencePaths = { document: '/api/openapi.json', page: '/api/docs' } as const;

/** The messages of the framed page to the page around it. */
export const referenceWord = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['reference.drawn', 'reference.failed']) }),
  /** The height of its content in CSS px. */
  z.object({ type: z.literal('reference.resized'), height: z.int().positive().max(1_000_000) }),
]);
export type ReferenceWord = z.infer<typeof referenceWord>;

import { z } from 'zod';
import { usageFilters } from './usage.filter.schema.js';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Requests an export of the calls that match now. */
export const createExport = z.strictObject({ format: z.enum(exportFormats), filters: usageFilters });
export type CreateExport = z.infer<typeof createExport>;

/** `url` is a path of the portal that works once, until `expiresAt`, for the browser or the bearer that asked. */
export const createdExport = z.object({ url: z.string(), fileName: z.string(), expiresAt: z.string() });
export type CreatedExport = z.infer<typeof createdExport>;

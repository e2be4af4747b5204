import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { readRequest } from './request.issues.js';

/** Checks every `@Body({ schema })` and `@Query({ schema })`; input without a schema passes unchanged. */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    // Every schema here is a zod schema; Nest types them by Standard Schema, which zod implements.
    return schema === undefined ? value : readRequest(schema as unknown as z.ZodType, value, type);
  }
}

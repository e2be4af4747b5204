import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { readRequest } from './request.issues.js';

/** Checks every `@Body({ schema })` and `@Query({ schema })`; what has no schema passes as it came. */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    // Every schema here is zod's; Nest types them by the standard zod follows.
    return schema === undefined ? value : readRequest(schema as unknown as z.ZodType, value, type);
  }
}

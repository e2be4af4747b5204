/** Whether the value is an object, whose fields can be checked next. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const statementTimeout = '57014';

/** Whether the server cancelled the query because it took too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  (error as { driverError?: { code?: string } } | null)?.driverError?.code === statementTimeout;

import { type Logger, pino } from 'pino';

/** Lines of JSON with `level`, `time` and `msg` on standard output. */
export const jsonLines = (level = 'info'): Logger =>
  pino(
    { level, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    process.stdout,
  );

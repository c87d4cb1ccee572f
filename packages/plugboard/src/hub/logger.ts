import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../settings/settings.js';

/** Where the parts of the hub report; fields never hold a secret. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Second line of defence: the code hands over no secrets, and if it did, these members would not be written. */
const REDACTED = ['auth_token', 'custom_headers', 'env', 'authorization', 'headers', 'config'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** JSON lines on the given stream. */
export const createLogger = (level: LogLevel, destination: Writable): Logger => {
  const log = pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, redact: REDACTED }, destination);
  return {
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, fields) => log.error(fields ?? {}, message),
  };
};

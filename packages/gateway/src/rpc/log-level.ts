/** From the most talkative to the most severe. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly string[];

export const isLogLevel = (value: unknown): value is (typeof LOG_LEVELS)[number] =>
  LOG_LEVELS.some((level) => level === value);

/** Unknown levels count as the least severe, so that they are shown only to those who want everything. */
export const severityOf = (level: string): number =>
  Math.max(
    0,
    LOG_LEVELS.findIndex((known) => known === level),
  );

/** Is a message of this level wanted by somebody who asked for `wanted` and above? */
export const reaches = (level: unknown, wanted: string): boolean =>
  severityOf(typeof level === 'string' ? level : '') >= severityOf(wanted);

/** What a modern server is asked for on behalf of a legacy client that never set a level: legacy servers log unasked. */
export const LEGACY_DEFAULT_LEVEL = 'info';

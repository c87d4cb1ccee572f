export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: readable in a terminal, JSON otherwise. */
export const LOG_FORMATS = ['auto', 'readable', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

import type { LogLevel } from './tool-call.js';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export const isLogLevel = (value: unknown): value is LogLevel => LEVELS.some((level) => level === value);

/** Whether a message of this level is wanted by someone who asked for `threshold`. */
export const reaches = (level: LogLevel, threshold: LogLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);

import { LATEST_LEGACY, LATEST_MODERN, revisionOf } from '@plugboard/wire';

const modern = revisionOf(LATEST_MODERN).methods.clientRequests;

/** The tasks extension has these two names in common with the tasks of 2025-11-25. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['tasks/get', 'tasks/cancel']);

const LEGACY_ONLY: ReadonlySet<string> = new Set(
  [...revisionOf(LATEST_LEGACY).methods.clientRequests].filter(
    (method) => !modern.has(method) && !SHARED_NAMES.has(method),
  ),
);

/** Methods that the modern era took away. */
export const isLegacyOnly = (method: string): boolean => LEGACY_ONLY.has(method);

export const isTaskMethod = (method: string): boolean => method.startsWith('tasks/');

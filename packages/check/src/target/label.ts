import type { CheckTarget } from './target.js';

/** How reports and lists call a target. */
export const labelOf = (target: CheckTarget): string =>
  target.name ?? target.url ?? target.command?.join(' ') ?? 'target';

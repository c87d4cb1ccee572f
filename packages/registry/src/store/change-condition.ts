import { PlugboardError } from '@plugboard/contract';
import { isoTime } from '../port/clock.js';

interface Changed {
  readonly updated_at: string;
}

interface Condition {
  readonly if_updated_at?: string | undefined;
}

/** Refuses a change that was computed from an older state than the stored one. @param kind such as `agent` */
export const assertNotChanged = (kind: string, { updated_at }: Changed, { if_updated_at: seen }: Condition): void => {
  if (seen === undefined || Date.parse(seen) === Date.parse(updated_at)) return;
  throw new PlugboardError('CONFLICT', `The ${kind} was changed after you read it. Your change was not made.`, {
    hint: 'Read it again, apply your change to what it is now, and send it with the new `updated_at`.',
    details: { updated_at },
  });
};

/** When a change is stored. Two states never have the same time, even if they are stored within one millisecond. */
export const timeOfChange = ({ updated_at }: Changed, nowMs: number): string =>
  isoTime(Math.max(nowMs, Date.parse(updated_at) + 1));

import type { NoRoom } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';

const RETRY_MS = 1000;

/** The hub, or the share of one caller of it, has no memory for what is sent. */
export const overloaded = (why: NoRoom): PlugboardError =>
  new PlugboardError(
    'OVERLOADED',
    why === 'holder'
      ? 'This caller has more data in flight than one caller is allowed.'
      : 'The hub is out of memory for new work.',
    {
      hint: 'Wait for answers before you send more. An operator can raise bounds.memoryMb.',
      details: { limit: why === 'holder' ? 'caller' : 'hub', refused_by: 'plugboard' },
      retryAfterMs: RETRY_MS,
    },
  );

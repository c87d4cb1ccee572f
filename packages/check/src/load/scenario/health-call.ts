import type { CheckEra } from '@plugboard/contract';
import type { LoadCall } from '../call/call-text.js';

/** The cheapest request that every server of the era answers. */
export const healthCall = (era: CheckEra): LoadCall => ({
  method: era === 'modern' ? 'server/discover' : 'ping',
  echoes: false,
  progress: false,
});

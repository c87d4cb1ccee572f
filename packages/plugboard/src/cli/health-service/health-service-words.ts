import type { HealthServiceStatus } from '@plugboard/contract';

/** How a service is, in a few words. */
export const serviceWords = ({ state, latency_ms, reason }: HealthServiceStatus): string => {
  switch (state) {
    case 'up':
      return `up, ${Math.round(latency_ms ?? 0)} ms`;
    case 'down':
      return `down: ${reason ?? 'it does not answer.'}`;
    case 'unknown':
      return 'not asked yet';
    default:
      return state satisfies never;
  }
};

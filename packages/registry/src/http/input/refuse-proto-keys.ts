import { PlugboardError } from '@plugboard/contract';

/** `__proto__` has no honest use as a key, and code that copies objects carelessly would obey it. */
export const refuseProtoKeys = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new PlugboardError('INVALID_REQUEST', 'The body contains the key "__proto__".', { hint: 'Leave it out.' });
  }
  for (const member of Object.values(value)) refuseProtoKeys(member);
};

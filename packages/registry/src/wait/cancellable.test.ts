import { PlugboardError } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { cancellable } from './cancellable.js';

const late = (): PlugboardError => new PlugboardError('UPSTREAM_TIMEOUT', 'Too late.');
const never = new Promise<never>(() => undefined);

it('hands on what the work came to', async () => {
  const { signal } = new AbortController();
  await expect(cancellable(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(cancellable(Promise.reject(late()), signal)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});

it('ends with the reason of the abort, or as cancelled', async () => {
  await expect(cancellable(never, AbortSignal.abort(late()))).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  await expect(cancellable(never, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
});

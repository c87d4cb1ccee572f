import { expect, it } from 'vitest';
import { createPortPool } from './port-pool.js';

const HOST = '127.0.0.1';

it('hands out a fixed port once, until it is released', async () => {
  const pool = createPortPool((port) => Promise.resolve(port));
  const lease = await pool.lease({ kind: 'fixed', port: 80 }, HOST);
  await expect(pool.lease({ kind: 'fixed', port: 80 }, HOST)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: 'Port 80 is already in use.',
  });
  lease.release();
  expect((await pool.lease({ kind: 'fixed', port: 80 }, HOST)).port).toBe(80);
});

it('takes the first port of a range that nobody else has', async () => {
  const pool = createPortPool((port) => Promise.resolve(port === 11 ? undefined : port));
  const range = { kind: 'range', from: 10, to: 12 } as const;
  const ports = await Promise.all([pool.lease(range, HOST), pool.lease(range, HOST)]);
  expect(ports.map(({ port }) => port)).toEqual([10, 12]);
  await expect(pool.lease(range, HOST)).rejects.toThrow('No port from 10 to 12 is free.');
});

it('asks the system again when it offers a port that was handed out', async () => {
  const offers = [5, 5, 6, 5];
  const pool = createPortPool(() => Promise.resolve(offers.shift()));
  const free = { kind: 'free' } as const;
  expect((await pool.lease(free, HOST)).port).toBe(5);
  expect((await pool.lease(free, HOST)).port).toBe(6);
  await expect(pool.lease(free, HOST)).rejects.toThrow('The system offers no free port.');
});

it('reserves nothing when the system fails', async () => {
  let fails = true;
  const pool = createPortPool((port) => (fails ? Promise.reject(new Error('no such host')) : Promise.resolve(port)));
  await expect(pool.lease({ kind: 'fixed', port: 80 }, HOST)).rejects.toThrow('no such host');
  fails = false;
  expect((await pool.lease({ kind: 'fixed', port: 80 }, HOST)).port).toBe(80);
});

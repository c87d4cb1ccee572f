import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPortPool } from './port-pool.js';

const host = '127.0.0.1';

describe('the port pool', () => {
  it('never hands a port out twice', async () => {
    const pool = createPortPool();
    const leases = await Promise.all(Array.from({ length: 50 }, () => pool.lease({ kind: 'free' }, host)));
    expect(new Set(leases.map((lease) => lease.port)).size).toBe(50);
  });

  it('gives a fixed port to one at a time', async () => {
    const pool = createPortPool();
    const lease = await pool.lease({ kind: 'free' }, host);
    const { port } = lease;
    await expect(pool.lease({ kind: 'fixed', port }, host)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    lease.release();
    expect((await pool.lease({ kind: 'fixed', port }, host)).port).toBe(port);
  });

  it('walks over the ports of a range that others hold', async () => {
    const blocker = createServer().listen(0, host);
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const pool = createPortPool();
    const lease = await pool.lease({ kind: 'range', from: port, to: Math.min(65_535, port + 200) }, host);
    expect(lease.port).toBeGreaterThan(port);
    await expect(pool.lease({ kind: 'range', from: port, to: port }, host)).rejects.toMatchObject({
      code: 'PORT_IN_USE',
    });
  });

  it('passes on what is not about the port', async () => {
    const pool = createPortPool();
    await expect(pool.lease({ kind: 'fixed', port: 1_234 }, '203.0.113.77')).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
    });
  });
});

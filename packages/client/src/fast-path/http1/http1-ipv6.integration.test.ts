/// <reference lib="esnext.disposable" />
import { networkInterfaces } from 'node:os';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { Http1Poster } from '../direct-poster.js';
import { echoWith, openPoolRig } from './test-support/pool-rig.js';
import { answerOf, postText } from './test-support/post-text.js';
import { RawServer } from './test-support/raw-server.js';
import { Recorder } from './test-support/recorder.js';
import { testCertificate, testKey } from './test-support/test-certificate.js';

const address = '::1';
const isThere = Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address));

// Where the machine has no such address the tests are reported as skipped.
describe.skipIf(!isThere)('a server at an IPv6 address', () => {
  it('is reached, and named with brackets', async () => {
    await using rig = await openPoolRig({ server: new RawServer(echoWith(answerOf)), address });
    const { server, pool, url } = rig;
    const recorder = new Recorder();
    const other = { post: () => expect.unreachable('nothing here needs undici') };
    new Http1Poster(pool, url, other).post({ fixed: [], own: [], body: Buffer.from('hello') }, recorder);
    expect((await recorder.answer).body.toString()).toBe('hello');
    expect(server.received[0]).toContain(`\r\nhost: [::1]:${url.port}\r\n`);
    expect(server.sockets[0]?.remoteAddress).toBe(address);
  });

  it('is trusted over TLS by its address, which is never told as a name', async () => {
    const server = new RawServer(echoWith(answerOf), createTlsServer({ cert: testCertificate, key: testKey }));
    await using rig = await openPoolRig({ server, address, network: { ca: testCertificate } });
    for (const text of ['a', 'b']) expect((await postText(rig.pool, text).answer).body.toString()).toBe(text);
    expect(server.sockets.map((socket) => (socket as TLSSocket & { servername?: unknown }).servername)).toEqual([
      false,
    ]);
  });
});

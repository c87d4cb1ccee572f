import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { peerKey, readProof, writeProof } from './peer-proof.js';

const key = peerKey(new Uint8Array(32).fill(1));
const passed = {
  number: 1,
  from: 'aaaaaaaa',
  to: 'bbbbbbbb',
  method: 'POST',
  url: '/mcp',
  isLocal: false,
  lease: 'server x 3',
};

describe('the proof of a peer', () => {
  it('says who passed the request on', () => {
    expect(readProof(key, writeProof(key, passed), passed)).toEqual({ from: 'aaaaaaaa', number: 1 });
  });

  // Written and read by the program before requests were numbered, whose replicas run beside newer ones during an upgrade.
  it('of a replica of the version before is known by its random word', () => {
    const header = 'aaaaaaaa EYRCUcHC5v1CCOI3XOpCZg B03ZJlzWfxXhGZrhXbeOcczrETC8mqF86G_MSPc65fw';
    expect(readProof(key, header, passed)).toEqual({ from: 'aaaaaaaa', nonce: 'EYRCUcHC5v1CCOI3XOpCZg' });
    expect(readProof(key, header, { ...passed, to: 'cccccccc' })).toBeUndefined();
  });

  it('can be read by a replica of the version before', () => {
    const [from, word, signature] = writeProof(key, passed).split(' ');
    const { to, method, url, isLocal, lease } = passed;
    const signed = createHmac('sha256', key).update(JSON.stringify([word, from, to, method, url, isLocal, lease]));
    expect(signature).toBe(signed.digest('base64url'));
  });

  it.each([
    ['another process', { to: 'cccccccc' }],
    ['another method', { method: 'DELETE' }],
    ['another address', { url: '/v1/keys' }],
    ['a caller who is not local', { isLocal: true }],
    ['another lease', { lease: 'server x 4' }],
    ['no lease', { lease: undefined }],
  ])('is not valid for %s', (_case, change) => {
    expect(readProof(key, writeProof(key, passed), { ...passed, ...change })).toBeUndefined();
  });

  it('is not valid without the key, or when it is incomplete', () => {
    const header = writeProof(key, passed);
    expect(readProof(peerKey(new Uint8Array(32).fill(2)), header, passed)).toBeUndefined();
    for (const broken of [
      undefined,
      '',
      'aaaaaaaa',
      header.slice(0, -4),
      `${header} more`,
      header.replace('aaaaaaaa', 'dddddddd'),
      header.replace(' 1 ', ' 2 '),
      header.replace(' 1 ', ' 01 '),
    ]) {
      expect(readProof(key, broken, passed)).toBeUndefined();
    }
  });
});

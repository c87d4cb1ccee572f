import { describe, expect, it } from 'vitest';
import { encodeSegment, signRequest } from './aws-signature.js';

/** The examples in "Authenticating Requests: Using the Authorization Header" of the reference of Amazon S3. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const scope = { region: 'us-east-1', service: 's3' } as const;
const now = new Date('2013-05-24T00:00:00Z');
const HOST = 'https://examplebucket.s3.amazonaws.com';

describe('a signature of AWS', () => {
  it.each([
    [
      'of the example that reads an object',
      { method: 'GET', url: new URL(`${HOST}/test.txt`), headers: { range: 'bytes=0-9' }, body: '' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'of the example that writes an object',
      {
        method: 'PUT',
        url: new URL(`${HOST}/${encodeSegment('test$file.text')}`),
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: 'Welcome to Amazon S3.',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ])('is that %s', (_, request, signature) => {
    const { authorization = '' } = signRequest(request, scope, credentials, now);
    expect(authorization.endsWith(`Signature=${signature}`)).toBe(true);
    expect(authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request');
  });

  it('covers the token of a session', () => {
    const request = { method: 'GET', url: new URL(`${HOST}/a`), headers: {}, body: '' };
    const signed = signRequest(request, scope, { ...credentials, sessionToken: 'token' }, now);
    expect(signed['x-amz-security-token']).toBe('token');
    expect(signed['authorization']).toContain(
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,',
    );
  });
});

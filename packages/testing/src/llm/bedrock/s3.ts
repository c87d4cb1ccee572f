import { createHash } from 'node:crypto';
import { Refusal, type RefusalFacts } from '../script/refusal.js';
import type { SideRoute } from '../script/side-route.js';
import type { WholeReply } from '../wire/reply.js';
import { type AwsCredentials, checkSignature } from './signature.js';

/** Objects by bucket, and by key within it. */
export type Buckets = ReadonlyMap<string, Map<string, Buffer>>;

export const bucketsNamed = (names: readonly string[]): Buckets => new Map(names.map((name) => [name, new Map()]));

/** Undefined when there is no such object. */
export const objectAt = (buckets: Buckets, uri: string): Buffer | undefined => {
  const { bucket = '', key = '' } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.*)$/u.exec(uri)?.groups ?? {};
  return buckets.get(bucket)?.get(key);
};

/** False when there is no such bucket. */
export const putObject = (buckets: Buckets, uri: string, body: Buffer): boolean => {
  const { bucket = '', key = '' } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.*)$/u.exec(uri)?.groups ?? {};
  return buckets.get(bucket)?.set(key, body) !== undefined;
};

/** The bucket is the first part of the path, as clients ask endpoints of their own. */
export const S3_PATH = /^\/(?!(?:model|model-invocation-job|v1beta)(?:\/|$))([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/u;

/** S3 has other words for the same mistakes. */
const CODES: Readonly<Record<string, string>> = {
  MissingAuthenticationTokenException: 'AccessDenied',
  IncompleteSignatureException: 'AuthorizationHeaderMalformed',
  UnrecognizedClientException: 'InvalidAccessKeyId',
  InvalidSignatureException: 'SignatureDoesNotMatch',
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An error as S3 sends it. */
export const s3Problem = ({ status, message, type = 'InvalidRequest', headers }: RefusalFacts): WholeReply => ({
  status,
  headers: { 'content-type': 'application/xml', 'x-amz-request-id': 'double', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${CODES[type] ?? type}</Code><Message>${escaped(message)}</Message><RequestId>double</RequestId></Error>`,
});

/** PutObject and GetObject. */
export const s3Objects = (credentials: AwsCredentials, buckets: Buckets): readonly SideRoute[] => {
  const bucketOf = (name: string): Map<string, Buffer> => {
    const bucket = buckets.get(name);
    if (bucket !== undefined) return bucket;
    throw new Refusal({ status: 404, type: 'NoSuchBucket', message: 'The specified bucket does not exist' });
  };
  const tagOf = (body: Buffer): Readonly<Record<string, string>> => ({
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
  });
  return [
    {
      method: 'PUT',
      path: S3_PATH,
      answer: (arrival, _context, bucket = '', key = '') => {
        checkSignature(arrival, credentials, 's3');
        bucketOf(bucket).set(decodeURIComponent(key), arrival.body);
        return { status: 200, headers: tagOf(arrival.body), body: '' };
      },
    },
    {
      method: 'GET',
      path: S3_PATH,
      answer: (arrival, _context, bucket = '', key = '') => {
        checkSignature(arrival, credentials, 's3');
        const body = bucketOf(bucket).get(decodeURIComponent(key));
        if (body !== undefined) return { status: 200, headers: tagOf(body), body };
        throw new Refusal({ status: 404, type: 'NoSuchKey', message: 'The specified key does not exist.' });
      },
    },
  ];
};

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal, refuse } from '../script/refusal.js';
import type { Arrival } from '../wire/arrival.js';

/** The credentials that the double accepts. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request, ?SignedHeaders=(?<signed>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/u;

const ALLOWED_SKEW_MS = 15 * 60_000;

const hash = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const mac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Each part of the path is encoded once more than it was sent, except for S3. */
const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/gu,
        (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');

/** Sorted, and with a value for each name. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .toSorted()
    .join('&');

const valueOf = (headers: Arrival['headers'], name: string): string =>
  (name === 'host' ? (headers['host'] ?? headers[':authority'] ?? '') : (headers[name] ?? ''))
    .trim()
    .replaceAll(/ +/gu, ' ');

const denied = (type: string, message: string): never => {
  throw new Refusal({ status: 403, type, message });
};

const dateOf = (stamp: string): number => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(stamp);
  if (parts === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

export type AwsService = 'bedrock' | 's3';

/** What the signature says the body is. S3 requires a header for it, and allows clients to leave the body open. */
const bodyHash = ({ body, headers }: Arrival, service: string): string => {
  const found = hash(body);
  if (service !== 's3') return found;
  const claimed = headers['x-amz-content-sha256'];
  if (claimed !== found && claimed !== 'UNSIGNED-PAYLOAD') {
    return refuse('The provided x-amz-content-sha256 header does not match what was computed.', {
      type: 'XAmzContentSHA256Mismatch',
    });
  }
  return claimed;
};

/** The signature that the request should have, by AWS Signature Version 4. */
const expected = (arrival: Arrival, signed: string, scope: readonly string[], secret: string): string => {
  const [, , service = ''] = scope;
  const stamp = arrival.headers['x-amz-date'] ?? '';
  const headers = signed.split(';').map((name) => `${name}:${valueOf(arrival.headers, name)}\n`);
  const canonical = [
    arrival.method,
    service === 's3' ? arrival.path : canonicalPath(arrival.path),
    canonicalQuery(arrival.query),
    headers.join(''),
    signed,
    bodyHash(arrival, service),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((previous, part) => mac(previous, part), `AWS4${secret}`);
  return mac(key, text).toString('hex');
};

/** Checks who signed the request, for what, when, and that nothing was changed since. */
export const checkSignature = (
  arrival: Arrival,
  credentials: AwsCredentials,
  wantedService: AwsService = 'bedrock',
): void => {
  const { authorization } = arrival.headers;
  if (authorization === undefined) return denied('MissingAuthenticationTokenException', 'Missing Authentication Token');
  const found = AUTHORIZATION.exec(authorization)?.groups;
  if (found === undefined) return denied('IncompleteSignatureException', 'The Authorization header is not complete.');
  const { key = '', date = '', region = '', service = '', signed = '', signature = '' } = found;
  if (key !== credentials.accessKeyId || arrival.headers['x-amz-security-token'] !== credentials.sessionToken) {
    denied('UnrecognizedClientException', 'The security token included in the request is invalid.');
  }
  if (service !== wantedService || region !== credentials.region) {
    denied('InvalidSignatureException', `Credential should be scoped to ${credentials.region} and ${wantedService}.`);
  }
  const skew = Math.abs(Date.now() - dateOf(arrival.headers['x-amz-date'] ?? ''));
  if (!(skew < ALLOWED_SKEW_MS)) denied('InvalidSignatureException', 'Signature expired.');
  const wanted = expected(arrival, signed, [date, region, service, 'aws4_request'], credentials.secretAccessKey);
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(signature))) {
    denied(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
};

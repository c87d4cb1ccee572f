import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request without a query. */
export interface UnsignedRequest {
  readonly method: string;
  /** Its path is encoded by `encodeSegment`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AwsScope {
  readonly region: string;
  readonly service: 'bedrock' | 's3';
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** One part of a path. Unlike URLs, AWS has these five letters encoded too. */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/gu, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** All services but S3 sign the path encoded once more than it is sent. */
const signedPath = ({ pathname }: URL, service: AwsScope['service']): string =>
  service === 's3' ? pathname : pathname.split('/').map(encodeSegment).join('/');

const stampOf = (now: Date): string => now.toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');

/** The headers of the request with its signature, by AWS Signature Version 4. */
export const signRequest = (
  { method, url, headers, body }: UnsignedRequest,
  { region, service }: AwsScope,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  now = new Date(),
): Readonly<Record<string, string>> => {
  const stamp = stampOf(now);
  const day = stamp.slice(0, 8);
  const added = {
    ...headers,
    'x-amz-content-sha256': hash(body),
    'x-amz-date': stamp,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const signed = Object.entries({ ...added, host: url.host }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    signedPath(url, service),
    '',
    signed.map(([name, value]) => `${name}:${value.trim()}\n`).join(''),
    names,
    hash(body),
  ].join('\n');
  const scope = [day, region, service, 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<string | Uint8Array>((previous, part) => mac(previous, part), `AWS4${secretAccessKey}`);
  const signature = mac(key, text).toString('hex');
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  };
};

import { createHash, createHmac } from 'node:crypto';
import type { AwsKeys } from '../target.js';

const SERVICE = 'bedrock';

const hash = (data: string): string => createHash('sha256').update(data).digest('hex');
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Each part of the path is encoded once more than it is sent. */
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

/** The headers that AWS Signature Version 4 adds to a POST request. */
export const signRequest = (
  url: URL,
  body: string,
  { accessKeyId, secretAccessKey, sessionToken, region }: AwsKeys,
  now: Date,
): Readonly<Record<string, string>> => {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');
  const scope = [stamp.slice(0, 8), region, SERVICE, 'aws4_request'];
  const signed: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    host: url.host,
    'x-amz-date': stamp,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(signed).join(';');
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', canonicalPath(url.pathname), '', lines.join(''), names, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((previous, part) => mac(previous, part), `AWS4${secretAccessKey}`);
  const signature = mac(key, text).toString('hex');
  const { host: _host, ...headers } = signed;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  };
};

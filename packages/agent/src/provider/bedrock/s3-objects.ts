import { PlugboardError } from '@plugboard/contract';
import { type AwsSender, isNotFound, sendToAws } from './aws-http.js';
import { encodeSegment } from './aws-signature.js';

/** Texts by their address in S3: all that batches need of it. */
export interface S3Objects {
  put(uri: string, text: string, signal: AbortSignal): Promise<void>;
  /** Undefined: there is no such object. */
  get(uri: string, signal: AbortSignal): Promise<string | undefined>;
}

const S3_URI = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<key>.*))?$/u;

/** The folder of a batch, with a slash at its end. */
export const s3Folder = (uri: string): string => {
  if (S3_URI.test(uri)) return uri.endsWith('/') ? uri : `${uri}/`;
  throw new PlugboardError('INVALID_ARGUMENT', `"${uri}" is not the address of a folder in S3.`, {
    hint: 'Write s3://bucket/folder.',
  });
};

export const awsDomain = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

/** Where an object is asked for. The certificate of S3 does not fit buckets with dots; other endpoints have no names for buckets. */
const objectUrl = (uri: string, region: string, endpoint: string | undefined): URL => {
  const { bucket = '', key = '' } = S3_URI.exec(uri)?.groups ?? {};
  const path = key.split('/').map(encodeSegment).join('/');
  const host = `s3.${region}.${awsDomain(region)}`;
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/+$/u, '')}/${bucket}/${path}`);
  return bucket.includes('.')
    ? new URL(`https://${host}/${bucket}/${path}`)
    : new URL(`https://${bucket}.${host}/${path}`);
};

/** The objects of buckets of one region. */
export const s3Objects = (sender: AwsSender, endpoint?: string): S3Objects => {
  const at = (uri: string): { readonly service: 's3'; readonly url: URL } => ({
    service: 's3',
    url: objectUrl(uri, sender.region, endpoint),
  });
  return {
    put: async (uri, body, signal) => {
      await sendToAws(sender, { ...at(uri), method: 'PUT', contentType: 'application/jsonl', body, signal });
    },
    get: async (uri, signal) => {
      try {
        return await sendToAws(sender, { ...at(uri), method: 'GET', signal });
      } catch (thrown) {
        if (isNotFound(thrown)) return undefined;
        throw thrown;
      }
    },
  };
};

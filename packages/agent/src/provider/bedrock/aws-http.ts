import { isJsonObject, tryJson } from '@plugboard/base';
import { type AwsCredentials, type AwsScope, signRequest } from './aws-signature.js';

/** Who sends requests to AWS, and how. */
export interface AwsSender {
  readonly fetch: typeof globalThis.fetch;
  readonly region: string;
  readonly credentials?: AwsCredentials | undefined;
  /** A key of the Bedrock API; S3 does not accept it. */
  readonly apiKey?: string | undefined;
}

export interface AwsRequest {
  readonly service: AwsScope['service'];
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A failure in the shape that errors of the AWS SDK have. */
class AwsRefusal extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  readonly $response: { readonly headers: Readonly<Record<string, string>> };

  constructor(name: string, message: string, { status, headers }: Response) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode: status };
    this.$response = { headers: Object.fromEntries(headers) };
  }
}

const tagged = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>(?<text>[^<]*)</${tag}>`, 'u').exec(xml)?.groups?.['text'];

/** Bedrock has the name of an error in a header and its message in JSON; S3 has both in XML. */
const refusalOf = (answer: Response, text: string): AwsRefusal => {
  const body = tryJson(text);
  const said = isJsonObject(body) ? (body['message'] ?? body['Message']) : tagged(text, 'Message');
  const name = answer.headers.get('x-amzn-errortype')?.split(':')[0] ?? tagged(text, 'Code') ?? 'UnknownError';
  return new AwsRefusal(name, typeof said === 'string' ? said : `The status is ${answer.status}.`, answer);
};

export const isNotFound = (thrown: unknown): boolean =>
  thrown instanceof AwsRefusal && thrown.$metadata.httpStatusCode === 404;

/** The text of the answer. Another status than 2xx is thrown. */
export const sendToAws = async (
  { fetch, region, credentials, apiKey }: AwsSender,
  { service, method, url, contentType, body = '', signal }: AwsRequest,
): Promise<string> => {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = await fetch(url, {
    method,
    headers:
      credentials === undefined
        ? { ...headers, authorization: `Bearer ${apiKey ?? ''}` }
        : { ...signRequest({ method, url, headers, body }, { region, service }, credentials) },
    ...(method === 'GET' ? {} : { body }),
    signal,
  });
  const text = await answer.text();
  if (!answer.ok) throw refusalOf(answer, text);
  return text;
};

import { quote } from '../../reproduce/shell.js';
import type { Dialect, Outgoing } from '../dialect/dialect.js';
import type { LlmTarget } from '../target.js';

/** Names of variables in place of secrets: the line goes into reports. */
const CREDENTIALS: Readonly<Record<LlmTarget['api'], string>> = {
  'openai-chat': '-H "authorization: Bearer $OPENAI_API_KEY"',
  'openai-responses': '-H "authorization: Bearer $OPENAI_API_KEY"',
  anthropic: '-H "x-api-key: $ANTHROPIC_API_KEY"',
  bedrock: '-H "authorization: Bearer $AWS_BEARER_TOKEN_BEDROCK"',
};

const signed = ({ region }: NonNullable<LlmTarget['aws']>): string =>
  `--aws-sigv4 aws:amz:${region}:bedrock --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"`;

/** A line for a shell that sends the same request again. Secrets come from the environment. */
export const curlLine = (target: LlmTarget, dialect: Dialect, { method, path, body }: Outgoing): string => {
  const isSigned = target.key === undefined && target.aws !== undefined;
  const version = dialect.headers({ ...target, key: undefined });
  return [
    `curl -sSi -X ${method} ${quote(`${target.url.replace(/\/+$/u, '')}${path}`)}`,
    ...Object.entries(version).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(isSigned && target.aws !== undefined ? [signed(target.aws)] : []),
    ...(target.key === undefined ? [] : [CREDENTIALS[target.api]]),
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${quote(JSON.stringify(body))}`]),
  ].join(' ');
};

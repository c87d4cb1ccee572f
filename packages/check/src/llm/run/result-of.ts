import type { CheckEvidence, CheckResult } from '@plugboard/contract';
import type { Dialect, Outgoing } from '../dialect/dialect.js';
import type { Finding, LlmCheck } from '../probe/llm-check.js';
import type { LlmTarget } from '../target.js';
import type { Exchange } from '../wire/send.js';
import { quote } from '../../reproduce/shell.js';

/** Each rule stands there, with links to the documentation of the providers. */
const PAGE = 'https://github.com/plugboard/plugboard/blob/main/docs/check-llm.md';

const SHOWN = 4_000;

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

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
const curlLine = (target: LlmTarget, dialect: Dialect, { method, path, body }: Outgoing): string => {
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

/** No header is shown: they hold the key. */
const evidenceOf = (
  exchange: Exchange,
  expected: string,
  { target, dialect }: { readonly target: LlmTarget; readonly dialect: Dialect },
): CheckEvidence => {
  const { outgoing, status, text } = exchange;
  const body = outgoing.body === undefined ? '' : `\n${JSON.stringify(outgoing.body)}`;
  return {
    sent: cut(`${outgoing.method} ${outgoing.path}${body}`),
    received: cut(`HTTP ${status} ${exchange.headers.get('content-type') ?? ''}\n${text}`),
    expected,
    reproduce: curlLine(target, dialect, outgoing),
    transcript: [],
  };
};

const verdictOf = (check: LlmCheck, finding: Finding | 'once'): CheckResult['verdict'] => {
  if (finding === 'once') return 'warn';
  if (finding.verdict !== 'fail') return finding.verdict;
  return check.level === 'MUST' ? 'fail' : 'warn';
};

/** The result of a check in the form that every reporter reads. */
export const resultOf = (
  check: LlmCheck,
  finding: Finding | 'once',
  run: { readonly target: LlmTarget; readonly dialect: Dialect; readonly ms: number },
): CheckResult => {
  const { id, title, family, level, rule, remedy } = check;
  const common = {
    id,
    title,
    family,
    level,
    tier: 'standard',
    transport: 'streamable-http',
    era: 'none',
    verdict: verdictOf(check, finding),
    source: { sentence: rule, url: `${PAGE}#${id.replace(/:.*/u, '').toLowerCase()}` },
    remedy,
    durationMs: Math.round(run.ms),
  } as const;
  if (finding === 'once') {
    return {
      ...common,
      problem: check.problem,
      detail: 'It failed in the first of two tries, and passed in the second.',
    };
  }
  switch (finding.verdict) {
    case 'pass':
      return common;
    case 'not-applicable':
      return { ...common, detail: finding.detail };
    case 'not-verified':
      return { ...common, detail: finding.detail, supply: finding.supply };
    case 'fail':
      return {
        ...common,
        problem: check.problem,
        detail: finding.detail,
        ...(finding.exchange === undefined ? {} : { evidence: evidenceOf(finding.exchange, finding.expected, run) }),
      };
  }
};

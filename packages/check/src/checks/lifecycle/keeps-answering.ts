import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, type Finding } from '../../model/finding.js';
import type { Death } from '../../session/death.js';
import { requestNames } from '../../session/request-names.js';
import type { Silence } from '../../session/silences.js';

const MORE = (count: number): string =>
  count === 0 ? '' : ` It happened ${count + 1} times, with different requests.`;

const EXPECTED = 'an answer to every request, and a server that is still there afterwards';

/** How it ended, and after which requests: one that was open at the time may be the cause. */
const told = ({ detail, exchange }: Death): string => {
  const names = requestNames(exchange.sent);
  if (names.length === 0) return detail;
  return `The last ${names.length === 1 ? 'request was' : 'requests were'} ${names.join(', ')}. ${detail}`;
};

/** The server runs, and leaves requests without an answer that it was sent at least twice. */
const judgeSilence = (silences: readonly Silence[]): Finding => {
  const [first] = silences;
  if (first === undefined) return holds();
  const methods = silences.map(({ method }) => method).join(', ');
  const detail = `${first.detail} The server answers other requests, and left ${methods} without an answer at each try.`;
  return broken({ detail, expected: EXPECTED, exchange: first.exchange });
};

/** Judged in every run, whichever checks were selected: a server that has ended must never pass. */
export const keepsAnswering = defineCheck({
  id: 'LIF-29',
  title: 'the server keeps answering until the end of the run',
  family: 'lifecycle',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'smoke',
  phase: 'last',
  perRun: true,
  unopened: true,
  source: {
    sentence:
      'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
    url: 'https://www.jsonrpc.org/specification#response_object',
  },
  remedy:
    'Do not let the request that is shown end the process. Log uncaught errors, answer the request with an error, and continue.',
  async run(probe) {
    const [first, ...others] = await probe.deaths();
    if (first === undefined) return judgeSilence(probe.silences());
    return broken({
      detail: `${told(first)}${MORE(others.length)}`,
      expected: EXPECTED,
      exchange: first.exchange,
    });
  },
});

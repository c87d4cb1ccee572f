import { at, show } from '../../connection/json.js';
import { isGuessed, secretsIn } from '../../detect/secret.js';
import { ALL_TRANSPORTS, BOTH_ERAS, MODERN_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { collectLogs, everythingLogged, LEVELS, type Logged } from './collect.js';

const logging = { family: 'logging', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'logging' } as const;
const SILENT = notVerified('Nothing was logged.', 'a tool that logs: --allow name');

export const levelsSet = defineCheck({
  ...logging,
  id: 'LOG-01',
  eras: ['legacy'],
  title: 'every log level can be set, and any other value is rejected with -32602',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'server/utilities/logging#error-handling',
    'Servers SHOULD return standard JSON-RPC errors for common failure cases: Invalid log level: -32602 (Invalid params)',
  ),
  remedy: 'Answer logging/setLevel with {} for the eight levels, and with -32602 otherwise.',
  async run(probe) {
    const session = await probe.open();
    const flaws: Flaw[] = [];
    for (const level of LEVELS) {
      const answer = await session.request('logging/setLevel', { level });
      if (answer.result === undefined) {
        flaws.push({ detail: `The level ${level} came back with ${describe(answer)}.`, exchange: answer.exchange });
      }
    }
    const answer = await session.request('logging/setLevel', { level: 'loud' });
    if (answer.error?.code !== -32602) {
      flaws.push({
        detail: `The level loud, which does not exist, came back with ${describe(answer)}.`,
        exchange: answer.exchange,
      });
    }
    return judged(flaws, '{} for the eight levels, error -32602 otherwise');
  },
});

const below = ({ messages }: Logged, level: string): readonly string[] =>
  messages
    .map((message) => String(at(message, 'params', 'level')))
    .filter((one) => LEVELS.includes(one) && LEVELS.indexOf(one) < LEVELS.indexOf(level));

export const levelHonoured = defineCheck({
  ...logging,
  id: 'LOG-02',
  title: 'nothing below the requested level is logged',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'schema#setlevelrequestparams',
      'The level of logging that the client wants to receive from the server. The server should send all logs at this level and higher',
    ),
    modern: spec(
      '2026-07-28',
      'server/utilities/logging#per-request-log-level',
      'When the field is present, the server MAY send notifications/message notifications at or above the requested level on the response stream of that request, before the final response.',
    ),
  },
  remedy: 'Compare the level of each message with the requested level.',
  async run(probe) {
    if ((await everythingLogged(probe)).messages.length === 0) return SILENT;
    const logged = await collectLogs(probe, 'emergency');
    const low = below(logged, 'emergency');
    if (low.length === 0) return holds();
    return broken({
      detail: `After emergency was requested, messages of ${[...new Set(low)].join(', ')} came.`,
      expected: 'messages of emergency only',
      exchange: logged.exchange,
    });
  },
});

export const logOnDemand = defineCheck({
  ...logging,
  id: 'LOG-03',
  eras: ['modern'],
  transports: MODERN_TRANSPORTS,
  title: 'nothing is logged for a request that did not ask for logs',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/utilities/logging#per-request-log-level',
    'The server MUST NOT emit notifications/message for a request that does not include this field.',
  ),
  remedy: 'Send notifications/message only when the request has io.modelcontextprotocol/logLevel.',
  async run(probe) {
    const logged = await collectLogs(probe, undefined);
    if (logged.messages.length > 0) {
      return broken({
        detail: `${logged.messages.length} messages came.`,
        expected: 'none',
        exchange: logged.exchange,
      });
    }
    const answer = await probe.session().request('tools/list', undefined, { meta: { [META.logLevel]: 'loud' } });
    return holds(answer.error === undefined ? 'A level that does not exist is tolerated.' : undefined);
  },
});

export const logShape = defineCheck({
  ...logging,
  id: 'LOG-04',
  title: 'log messages have one of the eight levels, and data',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    'schema#loggingmessagenotificationparams',
    'The severity of this log message. […] The data to be logged, such as a string message or an object.',
  ),
  remedy: 'Send { level, data } with one of the eight levels of RFC 5424.',
  async run(probe) {
    const { messages, exchange } = await everythingLogged(probe);
    if (messages.length === 0) return SILENT;
    const flaws = messages.flatMap((message) => {
      const [level, data] = [at(message, 'params', 'level'), at(message, 'params', 'data')];
      return [
        ...(LEVELS.includes(String(level)) ? [] : [{ detail: `The level is ${show(level)}.`, exchange }]),
        ...(data === undefined ? [{ detail: 'A message has no data.', exchange }] : []),
      ];
    });
    return judged(flaws, 'level: debug … emergency; data: anything', `${messages.length} messages.`);
  },
});

export const logWithoutSecrets = defineCheck({
  ...logging,
  id: 'LOG-05',
  title: 'log messages contain no credentials',
  level: 'MUST',
  tier: 'standard',
  source: inBoth('server/utilities/logging#security', 'Log messages MUST NOT contain: Credentials or secrets […]'),
  remedy: 'Mask secrets before they reach the log.',
  async run(probe) {
    const { messages, exchange } = await everythingLogged(probe);
    if (messages.length === 0) return SILENT;
    const flaws = messages.flatMap((message) =>
      secretsIn(JSON.stringify(message)).map((kind) => {
        const beyond = isGuessed(kind);
        return { detail: `A message contains ${beyond ? `what looks like ${kind}` : kind}.`, exchange, beyond };
      }),
    );
    return judged(flaws, 'no secrets');
  },
});

const FLOOD = 200;

export const logBounded = defineCheck({
  ...logging,
  id: 'LOG-06',
  title: 'a single call does not flood the log',
  level: 'SHOULD',
  tier: 'full',
  source: inBoth('server/utilities/logging#security', 'Implementations SHOULD: Rate limit messages […]'),
  remedy: 'Limit the messages per second, and summarise repeated ones.',
  async run(probe) {
    const { messages, exchange, most } = await everythingLogged(probe);
    if (messages.length === 0) return SILENT;
    const flaws = most > FLOOD ? [{ detail: `One call came with ${most} messages.`, exchange }] : [];
    return judged(flaws, `at most ${FLOOD} messages for a call`);
  },
});

export const loggingChecks = [levelsSet, levelHonoured, logOnDemand, logShape, logWithoutSecrets, logBounded];

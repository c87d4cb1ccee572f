import { at, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds } from '../../model/finding.js';
import { endOfSequence } from '../../session/exchange.js';
import { describe } from '../../session/answer.js';
import { isResponse } from '../../session/envelope.js';
import { LATEST } from '../../session/revision.js';
import { spec } from '../instrument/spec.js';

const legacy = { family: 'lifecycle', eras: ['legacy'], transports: ALL_TRANSPORTS } as const;

export const initializedAccepted = defineCheck({
  ...legacy,
  id: 'LIF-05',
  title: 'notifications/initialized is accepted: HTTP 202 without a body, no reply on stdio',
  transports: ['stdio', 'streamable-http'],
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/transports#sending-messages-to-the-server',
    'If the server accepts the input, the server MUST return HTTP status code 202 Accepted with no body.',
  ),
  remedy: 'Answer a notification over HTTP with 202 and an empty body, and over stdio not at all.',
  async run(probe) {
    const session = await probe.open({ fresh: true });
    const { http, exchange } = session.initialized ?? {};
    if (http !== undefined) {
      if (http.status === 202 && http.body === '') return holds();
      const detail = `It was answered with HTTP ${http.status} and ${http.body === '' ? 'no body' : show(http.body)}.`;
      const evidence = { detail, expected: 'HTTP 202 without a body', exchange };
      // The sentence is about input that the server accepts.
      return http.status >= 400 ? doubtful(evidence) : broken(evidence);
    }
    await session.settle();
    const reply = session.incoming.find(isResponse);
    if (reply === undefined) return holds();
    return broken({ detail: `It was answered with ${show(reply)}.`, expected: 'no reply', exchange });
  },
});

export const secondInitialize = defineCheck({
  ...legacy,
  id: 'LIF-06',
  title: 'a second initialize on the same session is rejected or starts a new session, and breaks nothing',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/lifecycle#initialization',
    'The initialization phase MUST be the first interaction between client and server.',
  ),
  remedy: 'Answer a second initialize with an error or a new session; never crash on it.',
  async run(probe) {
    const session = await probe.open();
    const { params } = session.opening.request;
    const again = await session.request('initialize', params as Record<string, unknown>);
    if (again.error === undefined && again.result === undefined) {
      return broken({
        detail: `It was answered with ${describe(again)}.`,
        expected: 'a result or an error',
        exchange: again.exchange,
      });
    }
    const fresh = await probe.open();
    const ping = await fresh.request('ping');
    if (ping.result !== undefined) {
      return holds(again.error === undefined ? 'It starts a new session.' : 'It is rejected.');
    }
    return broken({
      detail: 'Afterwards the server does not answer ping.',
      expected: 'a server that keeps working',
      exchange: endOfSequence(ping.exchange),
    });
  },
});

export const beforeInitialize = defineCheck({
  ...legacy,
  id: 'LIF-07',
  demandsAnswer: true,
  title: 'a request before initialize is rejected or tolerated, but always answered',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/lifecycle#initialization',
    'The initialization phase MUST be the first interaction between client and server.',
  ),
  remedy: 'Answer early requests with an error such as -32600; do not ignore them.',
  async run(probe) {
    const session = await probe.open({ unopened: true });
    const answer = await session.request('tools/list');
    if (answer.http !== undefined && answer.http.status >= 500) {
      return broken({
        detail: `It was answered with ${describe(answer)}.`,
        expected: 'an error or a result',
        exchange: answer.exchange,
      });
    }
    return holds(answer.result === undefined ? 'It is rejected.' : 'It is tolerated.');
  },
});

const MEMBERS = ['protocolVersion', 'capabilities', 'clientInfo'] as const;

export const incompleteInitialize = defineCheck({
  ...legacy,
  id: 'LIF-08',
  title: 'initialize with a missing member is rejected with -32602 or -32600',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/lifecycle#initialization',
    'The client MUST initiate this phase by sending an initialize request containing: […] Protocol version supported […] Client capabilities […] Client implementation information',
  ),
  remedy: 'Check the params of initialize and answer with -32602 when a member is missing.',
  async run(probe) {
    const whole: Record<string, unknown> = {
      protocolVersion: LATEST.legacy,
      capabilities: {},
      clientInfo: { name: 'plugboard-check', version: '1.0.0' },
    };
    for (const member of MEMBERS) {
      const session = await probe.open({ unopened: true });
      const params = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member));
      const answer = await session.request('initialize', params);
      const code = at(answer.response, 'error', 'code');
      const expected = `error -32602 or -32600 for a missing ${member}`;
      const { exchange } = answer;
      if (answer.result !== undefined) {
        return doubtful({ detail: `initialize without ${member} was accepted.`, expected, exchange });
      }
      if (code === -32_602 || code === -32_600) continue;
      return broken({ detail: `initialize without ${member} came back with ${describe(answer)}.`, expected, exchange });
    }
    return holds();
  },
});

export const ping = defineCheck({
  ...legacy,
  id: 'LIF-27',
  demandsAnswer: true,
  title: 'ping is answered promptly with an empty result',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    'basic/utilities/ping#behavior-requirements',
    'The receiver MUST respond promptly with an empty response',
  ),
  remedy: 'Answer ping with {} at any time, also while a tool is running.',
  async run(probe) {
    const session = probe.session();
    const slow = (await probe.callable()).find(({ name }) => /sleep|slow|wait|delay/iu.test(name));
    const running =
      slow === undefined ? undefined : probe.call(session, slow, slow.arguments[0] ?? {}).catch(() => undefined);
    const answer = await session.request('ping');
    await running;
    const members = Object.keys(answer.result ?? {}).filter((name) => name !== '_meta');
    if (answer.result !== undefined && members.length === 0) {
      return holds(slow === undefined ? undefined : `Also while ${slow.name} ran.`);
    }
    return broken({
      detail: members.length > 0 ? `The result has ${members.join(', ')}.` : `It came back with ${describe(answer)}.`,
      expected: 'an empty result',
      exchange: answer.exchange,
    });
  },
});

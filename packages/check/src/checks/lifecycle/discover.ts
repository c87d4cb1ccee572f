import { at, isObject, listAt, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { answeredMethod } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';

const modern = { family: 'lifecycle', eras: ['modern'], transports: ['stdio', 'streamable-http'] } as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;

export const discoverFirst = defineCheck({
  ...modern,
  id: 'LIF-13',
  title: 'server/discover works as the first request, and returns versions and capabilities',
  level: 'MUST',
  tier: 'smoke',
  source: spec('2026-07-28', 'server/discover', 'Servers MUST implement it.'),
  remedy: 'Answer server/discover at any time with supportedVersions (dates) and a capabilities object.',
  async run(probe) {
    const { opening } = probe.session();
    const { result, exchange } = opening;
    const expected = 'supportedVersions: non-empty array of dates; capabilities: object';
    const versions = listAt(result, 'supportedVersions');
    if (result === undefined) {
      return broken({ detail: `server/discover came back with ${describe(opening)}.`, expected, exchange });
    }
    if (versions.length === 0 || !versions.every((version) => typeof version === 'string' && DATE.test(version))) {
      return broken({
        detail: `supportedVersions is ${JSON.stringify(at(result, 'supportedVersions'))}.`,
        expected,
        exchange,
      });
    }
    if (!isObject(at(result, 'capabilities'))) {
      return broken({ detail: `capabilities is ${JSON.stringify(at(result, 'capabilities'))}.`, expected, exchange });
    }
    return holds(versions.join(', '));
  },
});

export const unsupportedVersion = defineCheck({
  ...modern,
  id: 'LIF-16',
  demandsAnswer: true,
  title: 'an unsupported version is rejected with -32022 and the list of supported versions',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    'basic/versioning#protocol-version-negotiation',
    'If the server does not implement the requested version […], it MUST respond with an UnsupportedProtocolVersionError listing the versions it does support',
  ),
  remedy: 'Answer with error -32022 and data { supported, requested }; over HTTP with status 400.',
  async run(probe) {
    const session = probe.session();
    const requested = '1900-01-01';
    const method = await answeredMethod(probe);
    // As the first request of a connection, so that nothing agreed on before explains the answer.
    const fresh = await probe.open({ unopened: true });
    const answer = await fresh.request(method, undefined, { meta: { [META.protocolVersion]: requested } });
    const known = listAt(session.opening.result, 'supportedVersions').map(String).toSorted();
    const { error, exchange, http } = answer;
    const expected = `error -32022 with data.supported ${JSON.stringify(known)} and data.requested "${requested}"${http === undefined ? '' : ', HTTP 400'}`;
    if (error?.code !== -32022) return broken({ detail: `It came back with ${describe(answer)}.`, expected, exchange });
    const supported = listAt(error.data, 'supported').map(String).toSorted();
    if (JSON.stringify(supported) !== JSON.stringify(known)) {
      return broken({
        detail: `data.supported is ${JSON.stringify(at(error.data, 'supported'))}, server/discover says ${JSON.stringify(known)}.`,
        expected,
        exchange,
      });
    }
    if (at(error.data, 'requested') !== requested) {
      return broken({
        detail: `data.requested is ${JSON.stringify(at(error.data, 'requested'))}.`,
        expected,
        exchange,
      });
    }
    if (http !== undefined && http.status !== 400) {
      return broken({ detail: `The status is ${http.status}.`, expected, exchange });
    }
    return holds();
  },
});

export const discoverIdentity = defineCheck({
  ...modern,
  id: 'LIF-14',
  title: 'server/discover names the server',
  level: 'SHOULD',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    'server/discover#discoverresult',
    'Name and version of the server software. Servers SHOULD include this field.',
  ),
  remedy: 'Put io.modelcontextprotocol/serverInfo with name and version into _meta of your results.',
  async run(probe) {
    const { opening } = probe.session();
    const info = at(opening.result, '_meta', META.serverInfo);
    if (typeof at(info, 'name') === 'string' && typeof at(info, 'version') === 'string') return holds();
    return broken({
      detail: `serverInfo is ${show(info)}.`,
      expected: '{ name, version } in _meta',
      exchange: opening.exchange,
    });
  },
});

const steady = (result: unknown): string =>
  JSON.stringify(
    isObject(result) ? Object.entries(result).filter(([name]) => name !== '_meta' && name !== 'ttlMs') : result,
  );

export const discoverSteady = defineCheck({
  ...modern,
  id: 'LIF-15',
  title: 'server/discover does not change within its own ttlMs',
  level: 'ADVICE',
  tier: 'standard',
  source: spec('2026-07-28', 'server/discover#response', 'This operation supports caching.'),
  remedy: 'Announce a ttlMs for which the answer stays valid.',
  async run(probe) {
    const first = await probe.session().request('server/discover');
    const second = await probe.session().request('server/discover');
    const ttl = at(first.result, 'ttlMs');
    if (typeof ttl !== 'number' || ttl < first.elapsedMs + second.elapsedMs) {
      return holds('Its ttlMs allows it to change at any time.');
    }
    if (steady(first.result) === steady(second.result)) return holds();
    return broken({
      detail: `Within ${ttl} ms the answer changed.`,
      expected: 'the same answer',
      exchange: second.exchange,
    });
  },
});

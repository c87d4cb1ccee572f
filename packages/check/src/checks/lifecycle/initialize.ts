import { at, isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified, type Finding } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { LEGACY_REVISIONS, REVISIONS } from '../../session/revision.js';
import { spec } from '../instrument/spec.js';

const LIFECYCLE = 'basic/lifecycle';
const legacy = { family: 'lifecycle', eras: ['legacy'], transports: ALL_TRANSPORTS } as const;

/** The revision that the server answers with, and the exchange to show. */
export const initializeShape = defineCheck({
  ...legacy,
  id: 'LIF-01',
  title: 'initialize is answered with protocolVersion, capabilities and serverInfo',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    `${LIFECYCLE}#initialization`,
    'The server MUST respond with its own capabilities and information',
  ),
  remedy: 'Answer initialize with protocolVersion, a capabilities object, and serverInfo with a name and a version.',
  async run(probe) {
    const { opening } = probe.session();
    const { result, exchange } = opening;
    const expected = 'protocolVersion: string, capabilities: object, serverInfo: { name: string, version: string }';
    const members = {
      protocolVersion: typeof at(result, 'protocolVersion') === 'string',
      capabilities: isObject(at(result, 'capabilities')),
      'serverInfo.name': typeof at(result, 'serverInfo', 'name') === 'string',
      'serverInfo.version': typeof at(result, 'serverInfo', 'version') === 'string',
    };
    const missing = Object.entries(members)
      .filter(([, there]) => !there)
      .map(([name]) => name);
    if (result === undefined) {
      return broken({ detail: `initialize came back with ${describe(opening)}.`, expected, exchange });
    }
    if (missing.length > 0) return broken({ detail: `The result lacks ${missing.join(', ')}.`, expected, exchange });
    return holds();
  },
});

export const versionEcho = defineCheck({
  ...legacy,
  id: 'LIF-02',
  demandsAnswer: true,
  title: 'the server agrees to a requested revision that it supports',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    `${LIFECYCLE}#version-negotiation`,
    'If the server supports the requested protocol version, it MUST respond with the same version.',
  ),
  remedy: 'Answer initialize with the requested protocolVersion when it is one that you support.',
  async run(probe) {
    const first = probe.session();
    const asked = at(first.opening.request, 'params', 'protocolVersion');
    if (asked === first.revision) return holds(`Agreed on ${first.revision}.`);
    const again = await probe.open({ revision: first.revision, mayFail: true });
    if (again.revision === first.revision) return holds(`Agreed on ${first.revision}.`);
    return broken({
      detail: `The server chose ${first.revision}; when that revision was requested, it chose ${again.revision}.`,
      expected: `protocolVersion "${first.revision}"`,
      exchange: again.opening.exchange,
    });
  },
});

const isPublished = (result: JsonObject): boolean => {
  const agreed = result['protocolVersion'];
  return agreed === '2024-10-07' || REVISIONS.some((known) => known === agreed);
};

export const unknownVersion = defineCheck({
  ...legacy,
  id: 'LIF-03',
  demandsAnswer: true,
  title: 'the server never agrees to an unpublished revision',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    `${LIFECYCLE}#version-negotiation`,
    'Otherwise, the server MUST respond with another protocol version it supports.',
  ),
  remedy: 'Answer an unknown protocolVersion with the newest one that you support, or with an error.',
  async run(probe) {
    const { opening } = await probe.open({ revision: '1999-01-01', mayFail: true });
    if (opening.result === undefined) return holds(`It was refused with ${describe(opening)}.`);
    const agreed = at(opening.result, 'protocolVersion');
    if (isPublished(opening.result)) return holds(`Answered with ${show(agreed)}.`);
    return broken({
      detail: `Asked for 1999-01-01, the server agreed to ${JSON.stringify(agreed)}.`,
      expected: 'a published protocol version, or an error',
      exchange: opening.exchange,
    });
  },
});

export const versionMatrix = defineCheck({
  ...legacy,
  id: 'LIF-04',
  demandsAnswer: true,
  title: 'a request for a published revision always leads to the same published revision',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    `${LIFECYCLE}#version-negotiation`,
    'Otherwise, the server MUST respond with another protocol version it supports.',
  ),
  remedy: 'Choose the revision from the request alone, and only from revisions that were published.',
  async run(probe) {
    const agreements: string[] = [];
    let changing: Finding | undefined;
    let refused: string | undefined;
    const asked = await Promise.all(
      LEGACY_REVISIONS.map(async (revision) => {
        // A process per request is expensive, so over stdio only the first revision is requested twice.
        const again = probe.transport !== 'stdio' || revision === LEGACY_REVISIONS[0];
        const first = await probe.open({ revision, mayFail: true });
        return { revision, sessions: [first, again ? await probe.open({ revision, mayFail: true }) : first] };
      }),
    );
    for (const { revision, sessions } of asked) {
      const agreed = sessions.map(({ opening }) => at(opening.result, 'protocolVersion'));
      const invented = sessions.find(({ opening: { result } }) => result !== undefined && !isPublished(result));
      if (invented !== undefined) {
        return broken({
          detail: `${revision} led to ${show(at(invented.opening.result, 'protocolVersion'))}.`,
          expected: `one of ${REVISIONS.join(', ')}`,
          exchange: invented.opening.exchange,
        });
      }
      const [one, two] = agreed;
      // A server may refuse a revision, or a client at that moment: what it did not agree to shows nothing.
      const failed = sessions.find(({ opening: { result } }) => result === undefined);
      if (failed !== undefined) {
        if (one !== two) refused = `${revision} was refused once, with ${describe(failed.opening)}.`;
        agreements.push(`${revision} → an error`);
        continue;
      }
      if (one !== two) {
        // The sentence demands the requested revision where it is supported, and says nothing of the choice between others.
        const isSupported = agreed.includes(revision);
        changing ??= (isSupported ? broken : doubtful)({
          detail: `${revision} led to ${show(one)} and then to ${show(two)}.`,
          expected: 'the same both times',
          exchange: sessions[1]?.opening.exchange,
        });
      }
      agreements.push(`${revision} → ${show(one)}`);
    }
    if (changing !== undefined) return changing;
    return refused === undefined
      ? holds(agreements.join(', '))
      : notVerified(refused, 'a server that accepts several clients one after the other');
  },
});

import { canonicalJson } from '@plugboard/schema';
import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, notVerified } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { LATEST } from '../../session/revision.js';
import { exercise } from '../instrument/exercise.js';
import { answeredMethod } from '../instrument/control-request.js';
import { speaksLegacy } from '../instrument/speaks-legacy.js';
import { spec } from '../instrument/spec.js';
import { down, isDown } from '../instrument/server-down.js';

const modern = { family: 'lifecycle', eras: ['modern'], transports: ['stdio', 'streamable-http'] } as const;
const REQUEST_FIELDS = 'basic/index#meta';

export const requiredMetadata = defineCheck({
  ...modern,
  id: 'LIF-17',
  title: 'a request without its required metadata is rejected with -32602',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    REQUEST_FIELDS,
    'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code -32602 (Invalid params). On HTTP, the response status MUST be 400 Bad Request.',
  ),
  remedy:
    'Reject requests that lack protocolVersion or clientCapabilities in _meta with -32602; over HTTP with status 400.',
  async run(probe) {
    // Without the version on stdio nothing tells a dual-era server which era is meant.
    const ambiguous = probe.transport === 'stdio' && (await speaksLegacy(probe));
    const method = await answeredMethod(probe);
    const keys = [META.clientCapabilities, ...(ambiguous ? [] : [META.protocolVersion])];
    for (const key of keys) {
      const headers = key === META.protocolVersion ? { 'mcp-protocol-version': LATEST.modern } : {};
      const answer = await probe.session().request(method, undefined, { meta: { [key]: undefined }, headers });
      const { error, http, exchange } = answer;
      const mismatch = key === META.protocolVersion && http !== undefined && error?.code === -32_020;
      const refused = error?.code === -32_602 || mismatch;
      if (refused && (http === undefined || http.status === 400)) continue;
      return broken({
        detail: `Without ${key} it came back with ${describe(answer)}.`,
        expected: `error -32602${http === undefined ? '' : ', HTTP 400'}`,
        exchange,
      });
    }
    return holds();
  },
});

export const anonymousServed = defineCheck({
  ...modern,
  id: 'LIF-18',
  title: 'a request without clientInfo is served',
  level: 'SHOULD',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    REQUEST_FIELDS,
    'Clients SHOULD include io.modelcontextprotocol/clientInfo on every request unless specifically configured not to do so.',
  ),
  remedy: 'Treat clientInfo as optional.',
  async run(probe) {
    const answer = await probe
      .session()
      .request('server/discover', undefined, { meta: { [META.clientInfo]: undefined } });
    if (answer.result !== undefined) return holds();
    return broken({
      detail: `It came back with ${describe(answer)}.`,
      expected: 'a result',
      exchange: answer.exchange,
    });
  },
});

const VOLATILE = new Set(['_meta', 'ttlMs', 'nextCursor']);

/** What an answer says, whatever the order of its members and items: TOL-05 is about that. */
const comparable = (result: JsonObject | undefined): string =>
  canonicalJson(
    Object.fromEntries(
      Object.entries(result ?? {})
        .filter(([name]) => !VOLATILE.has(name))
        .map(([name, value]) => [name, Array.isArray(value) ? value.map(canonicalJson).toSorted() : value]),
    ),
  );

export const stateless = defineCheck({
  ...modern,
  id: 'LIF-19',
  title: 'a request gets the same answer as the first request of a new connection',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/index#statelessness',
    'Servers MUST NOT rely on prior requests over the same connection to establish context (e.g., capabilities, protocol version, client identity).',
  ),
  remedy: 'Read everything that a request needs from the request itself.',
  async run(probe) {
    const method = await answeredMethod(probe);
    const known = await probe.session().request(method);
    const stranger = await probe.open({ unopened: true, clientInfo: { name: 'plugboard-stranger', version: '1.0.0' } });
    const answer = await stranger.request(method);
    if (answer.result !== undefined && comparable(answer.result) === comparable(known.result)) return holds();
    const again = await probe.session().request(method);
    if (answer.result !== undefined && comparable(again.result) !== comparable(known.result)) {
      return notVerified(
        `${method} changes from one request to the next on one connection, too.`,
        `a server whose ${method} stays the same for a moment`,
      );
    }
    const detail =
      answer.result === undefined
        ? `As the first request of a new client it came back with ${describe(answer)}.`
        : 'A new connection gets a different answer than a used one.';
    return broken({
      detail,
      expected: 'the same answer as on a used connection',
      exchange: answer.exchange,
    });
  },
});

export const initializeRefused = defineCheck({
  ...modern,
  id: 'LIF-20',
  title: 'a modern server rejects initialize and names the versions that it supports',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
    'A server that supports only modern versions SHOULD name the protocol versions it supports in any error it returns to an initialize request, on any transport',
  ),
  remedy: 'Answer initialize with an error whose message or data lists your versions.',
  async run(probe) {
    if (await speaksLegacy(probe)) return notApplicable('The server also supports the legacy era.');
    const session = await probe.open({ era: 'legacy', mayFail: true });
    const { opening } = session;
    const text = JSON.stringify(opening.response ?? {});
    const named = listAt(probe.session().opening.result, 'supportedVersions').some((version) =>
      text.includes(show(version)),
    );
    if (opening.error !== undefined && named) return holds();
    return broken({
      detail: `initialize came back with ${describe(opening)}, which names no supported version.`,
      expected: 'an error that names the supported versions',
      exchange: opening.exchange,
    });
  },
});

const REMOVED: readonly (readonly [string, JsonObject])[] = [
  ['ping', {}],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'test://x' }],
  ['tasks/list', {}],
  ['tasks/result', { taskId: 'x' }],
  ['initialize', { protocolVersion: LATEST.modern, capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
];

export const removedMethods = defineCheck({
  ...modern,
  id: 'LIF-24',
  title: 'methods that the revision removed are rejected with -32601',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/transports/streamable-http#protocol-version-header',
    'If the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601 (Method not found).',
  ),
  remedy: 'Serve a request with modern metadata only with the methods of its revision.',
  async run(probe) {
    const dual = await speaksLegacy(probe);
    for (const [method, params] of REMOVED.filter(([name]) => !dual || name !== 'initialize')) {
      const answer = await probe.session().request(method, params);
      const { error, exchange } = answer;
      // An error that names the supported versions is what initialize deserves, too.
      if (error?.code === -32_601 || (method === 'initialize' && error !== undefined)) continue;
      if (await isDown(probe, answer)) return down(answer);
      return broken({ detail: `${method} came back with ${describe(answer)}.`, expected: 'error -32601', exchange });
    }
    return holds();
  },
});

export const missingCapability = defineCheck({
  ...modern,
  id: 'LIF-25',
  title: 'a request that needs an undeclared client capability is rejected with -32021',
  level: 'MUST',
  tier: 'standard',
  needs: 'tools',
  source: spec(
    '2026-07-28',
    REQUEST_FIELDS,
    'If processing a request requires a capability the client did not include in io.modelcontextprotocol/clientCapabilities, the server MUST return a MissingRequiredClientCapabilityError (-32021) whose data.requiredCapabilities lists the missing capabilities. On HTTP, the response status MUST be 400 Bad Request.',
  ),
  remedy:
    'Before you ask the client for input, check the capabilities in this request; if one is missing, answer with -32021.',
  async run(probe) {
    let seen = 0;
    for (const { tool, answer } of await exercise(probe)) {
      if (answer === undefined) continue;
      const { error, result, http, exchange } = answer;
      const expected = `error -32021 with data.requiredCapabilities${http === undefined ? '' : ', HTTP 400'}`;
      const asks = Object.keys(at(result, 'inputRequests') ?? {}).length > 0;
      if (at(result, 'resultType') === 'input_required' && asks) {
        return broken({ detail: `${tool.name} asks a client that declared nothing.`, expected, exchange });
      }
      if (error?.code !== -32_021) continue;
      seen += 1;
      const required = at(error.data, 'requiredCapabilities');
      if (!isObject(required) || Object.keys(required).length === 0) {
        return broken({ detail: `${tool.name}: data.requiredCapabilities is ${show(required)}.`, expected, exchange });
      }
      if (http !== undefined && http.status !== 400) {
        return broken({ detail: `${tool.name}: the status is ${http.status}.`, expected, exchange });
      }
    }
    if (seen > 0) return holds();
    return notVerified(
      'No tool that may be called asks the client for anything.',
      'a tool that asks the client for something: --allow name',
    );
  },
});

const EXTENSION =
  /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/u;

export const extensionNames = defineCheck({
  ...modern,
  id: 'LIF-26',
  title: 'names of extensions have a prefix, and unknown extensions of the client are ignored',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/versioning#extension-negotiation',
    'Extension identifiers MUST follow the _meta key naming rules, with a mandatory prefix.',
  ),
  remedy: 'Name extensions like com.example/name, and ignore those of the client that you do not know.',
  async run(probe) {
    const { opening, capabilities } = probe.session();
    const names = Object.keys(at(capabilities, 'extensions') ?? {});
    const wrong = names.filter((name) => !EXTENSION.test(name));
    if (wrong.length > 0) {
      return broken({
        detail: `These names have no proper prefix: ${wrong.join(', ')}.`,
        expected: 'prefix/name',
        exchange: opening.exchange,
      });
    }
    const meta = { [META.clientCapabilities]: { extensions: { 'com.example/unknown': {} } } };
    const answer = await probe.session().request('server/discover', undefined, { meta });
    if (answer.result !== undefined) return holds(names.length === 0 ? undefined : names.join(', '));
    // The sentence is about names. A refusal is worth a warning.
    return doubtful({
      detail: `An unknown extension of the client came back with ${describe(answer)}.`,
      expected: 'a result',
      exchange: answer.exchange,
    });
  },
});

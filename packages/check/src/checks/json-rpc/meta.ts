import { at, isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, type Finding } from '../../model/finding.js';
import { observedExchange } from '../../session/observations.js';
import { describe } from '../../session/answer.js';
import { eraOf } from '../../session/revision.js';
import { plainMethod } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { TRACE_FORMATS } from './trace-format.js';

/** Members whose content is the application's own business. */
const FOREIGN = new Set(['structuredContent', 'inputSchema', 'outputSchema', 'data', 'arguments', 'requestedSchema']);

const metasOf = (value: unknown): readonly JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(metasOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (FOREIGN.has(name)) return [];
    return name === '_meta' && isObject(inner) ? [inner] : metasOf(inner);
  });
};

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const KEY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`, 'u');
const RESERVED = /^[^./]+\.(?:modelcontextprotocol|mcp)(?:[./])/u;
const SINCE = '2025-06-18';

export const metaKeys = defineCheck({
  id: 'RPC-17',
  title: 'the keys of _meta follow the grammar and avoid reserved prefixes',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'standard',
  phase: 'last',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/index#_meta',
      'If specified, MUST be a series of labels separated by dots (.), followed by a slash (/).',
    ),
    modern: spec(
      '2026-07-28',
      'basic/index#_meta',
      'If specified, MUST be a series of labels separated by dots (.), followed by a slash (/).',
    ),
  },
  remedy: 'Name keys of _meta like com.example/name: labels of letters, digits and hyphens, a slash, a name.',
  async run(probe) {
    await probe.session().request(plainMethod(probe.era));
    let strange: Finding | undefined;
    for (const observation of probe.observations.all) {
      if (eraOf(observation.revision) !== probe.era || observation.revision < SINCE) continue;
      for (const key of metasOf(observation.message).flatMap((meta) => Object.keys(meta))) {
        const evidence = { expected: 'keys like com.example/name', exchange: observedExchange(observation) };
        if (!KEY.test(key)) {
          return broken({ detail: `_meta has the key "${show(key)}".`, ...evidence, observed: [observation] });
        }
        if (RESERVED.test(key) && !key.startsWith('io.modelcontextprotocol/')) {
          strange ??= doubtful({ detail: `The key "${key}" has a prefix that is reserved.`, ...evidence });
        }
      }
    }
    return strange ?? holds();
  },
});

export const traceContext = defineCheck({
  id: 'RPC-20',
  title: 'trace context in _meta is accepted, and well-formed when the server sends it',
  family: 'json-rpc',
  eras: ['modern'],
  transports: ['stdio', 'streamable-http'],
  level: 'MUST',
  tier: 'standard',
  phase: 'last',
  source: spec(
    '2026-07-28',
    'basic/index#_meta',
    'When present, their values MUST follow W3C Trace Context and W3C Baggage formats respectively.',
  ),
  remedy: 'Accept traceparent, tracestate and baggage in _meta, and send them only in the formats of the W3C.',
  async run(probe) {
    const answer = await probe.session().request(plainMethod(probe.era), undefined, {
      meta: {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
        tracestate: 'plugboard=1',
        baggage: 'run=check',
      },
    });
    let refused: Finding | undefined;
    if (answer.result === undefined) {
      const detail = `A request with trace context came back with ${describe(answer)}.`;
      // The sentence is about the values that are sent. A refusal is worth a warning.
      refused = doubtful({ detail, expected: 'a result', exchange: answer.exchange });
    }
    for (const observation of probe.observations.all) {
      if (eraOf(observation.revision) !== probe.era) continue;
      for (const meta of metasOf(observation.message)) {
        for (const [key, format] of Object.entries(TRACE_FORMATS)) {
          const value = at(meta, key);
          if (value === undefined || (typeof value === 'string' && format.test(value))) continue;
          const exchange = observedExchange(observation);
          const expected = `${key} in the format of the W3C`;
          return broken({ detail: `${key} is ${show(value)}.`, expected, exchange, observed: [observation] });
        }
      }
    }
    return refused ?? holds();
  },
});

import { at, isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { declares, type Capability } from '../../model/capability.js';
import { broken, doubtful, holds } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { spec } from '../instrument/spec.js';

const both = { family: 'lifecycle', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

const OPEN_SET =
  'Known capabilities are defined here, in this schema, but this is not a closed set: any client can define its own, additional capabilities.';

export const unknownIgnored = defineCheck({
  ...both,
  id: 'LIF-09',
  title: 'unknown capabilities of the client and unknown keys of _meta are ignored',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'schema#clientcapabilities', OPEN_SET),
    modern: spec('2026-07-28', 'schema#clientcapabilities', OPEN_SET),
  },
  remedy: 'Read the capabilities and the keys of _meta that you know, and ignore the rest.',
  async run(probe) {
    const capabilities = { 'x-unknown': { anything: [1, 2] }, experimental: { 'com.example/unknown': {} } };
    const session = await probe.open({ capabilities, mayFail: true });
    const expected = 'the same answer as without them';
    if (session.opening.result === undefined) {
      return broken({
        detail: `Unknown capabilities came back with ${describe(session.opening)}.`,
        expected,
        exchange: session.opening.exchange,
      });
    }
    const method = probe.era === 'legacy' ? 'ping' : 'server/discover';
    const answer = await session.request(method, undefined, { meta: { 'com.example/unknown': { deep: true } } });
    if (answer.result !== undefined) return holds();
    return broken({
      detail: `An unknown key of _meta came back with ${describe(answer)}.`,
      expected,
      exchange: answer.exchange,
    });
  },
});

const LISTS: readonly (readonly [Capability, string])[] = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['resources', 'resources/templates/list'],
  ['prompts', 'prompts/list'],
];

export const declaredAnswers = defineCheck({
  ...both,
  id: 'LIF-10',
  title: 'the list of every declared capability is answered',
  level: 'MUST',
  since: '2025-06-18',
  levelBefore: 'SHOULD',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#operation',
      'Both parties MUST: […] Only use capabilities that were successfully negotiated',
    ),
    modern: spec(
      '2026-07-28',
      'server/tools#capabilities',
      'Servers that support tools MUST declare the tools capability',
    ),
  },
  remedy: 'Declare only what you implement, and implement the lists of what you declare.',
  async run(probe) {
    const session = probe.session();
    const declared = LISTS.filter(([capability]) => declares(session.capabilities, capability));
    for (const [capability, method] of declared) {
      const answer = await session.request(method);
      if (answer.result !== undefined) continue;
      // Templates are a part of resources that a server may do without.
      if (method === 'resources/templates/list' && answer.error?.code === -32_601) continue;
      const detail = `The server declares ${capability}, and ${method} came back with ${describe(answer)}.`;
      const finding = { detail, expected: 'a result', exchange: answer.exchange };
      // A method that is missing was never offered; one that fails may lack what it needs to work.
      return answer.error?.code === -32_601 ? broken(finding) : doubtful(finding);
    }
    return holds(declared.length === 0 ? 'Nothing with a list is declared.' : undefined);
  },
});

const METHODS: Readonly<Record<'legacy' | 'modern', readonly (readonly [Capability, string, JsonObject])[]>> = {
  legacy: [
    ['tools', 'tools/list', {}],
    ['resources', 'resources/list', {}],
    ['prompts', 'prompts/list', {}],
    ['logging', 'logging/setLevel', { level: 'info' }],
    [
      'completions',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } },
    ],
    ['tasks', 'tasks/list', {}],
  ],
  modern: [
    ['tools', 'tools/list', {}],
    ['resources', 'resources/list', {}],
    ['prompts', 'prompts/list', {}],
    [
      'completions',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } },
    ],
    ['tasks', 'tasks/get', { taskId: 'x' }],
  ],
};

export const undeclaredRefused = defineCheck({
  ...both,
  id: 'LIF-11',
  title: 'methods of capabilities that are not declared are rejected with -32601',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#operation',
      'Both parties MUST: […] Only use capabilities that were successfully negotiated',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/streamable-http',
      'with 404 Not Found and a JSON-RPC error with code -32601',
    ),
  },
  remedy: 'Answer methods that you do not offer with -32601; over HTTP in the modern era with status 404.',
  async run(probe) {
    const session = probe.session();
    const extended = isObject(at(session.capabilities, 'extensions', 'io.modelcontextprotocol/tasks'));
    const undeclared = METHODS[probe.era].filter(
      ([capability]) => !declares(session.capabilities, capability) && !(capability === 'tasks' && extended),
    );
    for (const [capability, method, params] of undeclared) {
      const answer = await session.request(method, params);
      const { error, http, exchange } = answer;
      const wantsStatus = probe.era === 'modern' && http !== undefined;
      if (error?.code === -32_601 && (!wantsStatus || http.status === 404)) continue;
      return broken({
        detail: `${capability} is not declared, and ${method} came back with ${describe(answer)}.`,
        expected: `error -32601${wantsStatus ? ', HTTP 404' : ''}`,
        exchange,
      });
    }
    return holds(undeclared.map(([, method]) => method).join(', '));
  },
});

const versionIn = (result: JsonObject | undefined): unknown =>
  at(result, 'serverInfo', 'version') ?? at(result, '_meta', META.serverInfo, 'version');

export const steadyVersion = defineCheck({
  ...both,
  id: 'LIF-12',
  title: 'the server states its own version, and always the same',
  level: 'ADVICE',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#initialization',
      'The server MUST respond with its own capabilities and information',
    ),
    modern: spec(
      '2026-07-28',
      'server/discover#discoverresult',
      'Name and version of the server software. Servers SHOULD include this field.',
    ),
  },
  remedy: 'Take the version of your server from one place, such as its package.',
  async run(probe) {
    const first = versionIn(probe.session().opening.result);
    const { opening } = await probe.open();
    const second = versionIn(opening.result);
    const { exchange } = opening;
    if (typeof second !== 'string' || second.trim() === '') {
      return broken({ detail: `The version is ${show(second)}.`, expected: 'a version that is not empty', exchange });
    }
    if (first === second) return holds(second);
    return broken({
      detail: `The version was ${show(first)} and then ${second}.`,
      expected: 'the same both times',
      exchange,
    });
  },
});

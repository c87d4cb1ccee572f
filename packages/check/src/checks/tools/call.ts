import { isObject, show } from '../../connection/json.js';
import { invalidArguments } from '../../generate/invalid.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';
import { responsive, tryCall, type Called } from '../instrument/exercise.js';
import { judged, NOTHING_CALLABLE, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const tools = { family: 'tools', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools' } as const;

export const unknownTool = defineCheck({
  ...tools,
  id: 'TOL-07',
  title: 'a call of an unknown tool is rejected with -32602',
  level: 'SHOULD',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'server/tools#error-handling',
      'Protocol Errors: Standard JSON-RPC errors for issues like: Unknown tools […]',
    ),
    modern: spec(
      '2026-07-28',
      'server/tools#error-handling',
      'Protocol Errors indicate issues with the request structure itself that models are less likely to be able to fix: Unknown tool […] They are returned as standard JSON-RPC errors',
    ),
  },
  remedy: 'Answer with a JSON-RPC error of code -32602, not with a result.',
  async run(probe) {
    const answer = await probe.session().request('tools/call', { name: 'no-such-tool-here', arguments: {} });
    if (answer.error?.code === -32602) return holds();
    return broken({
      detail: `The call came back with ${describe(answer)}${answer.result?.['isError'] === true ? ' that has isError: true' : ''}.`,
      expected: 'error -32602',
      exchange: answer.exchange,
    });
  },
});

const refused = ({ error, result, http }: Answer): boolean =>
  error !== undefined || result?.['isError'] === true || (http?.status ?? 200) >= 400;

export const namedCall = defineCheck({
  ...tools,
  id: 'TOL-08',
  title: 'a call without a name, or with a name that is not text, is rejected with an error',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'server/tools#error-handling',
      'Protocol Errors: Standard JSON-RPC errors for issues like: […] Malformed requests (requests that fail to satisfy CallToolRequest schema)',
    ),
    modern: spec(
      '2026-07-28',
      'server/tools#error-handling',
      'Malformed requests (requests that fail to satisfy CallToolRequest schema) […] They are returned as standard JSON-RPC errors',
    ),
  },
  remedy: 'Answer tools/call with -32602 when the name is missing or is not a string.',
  async run(probe) {
    const session = probe.session();
    const answers = [
      await session.request('tools/call', { arguments: {} }),
      await session.request('tools/call', { name: 7, arguments: {} }),
    ];
    const taken = answers.find((answer) => !refused(answer));
    if (taken !== undefined) {
      return broken({
        detail: `The call came back with ${describe(taken)}.`,
        expected: 'error -32602',
        exchange: taken.exchange,
      });
    }
    const internal = answers.find(({ error }) => error?.code === -32603);
    if (internal === undefined) return holds();
    return doubtful({
      detail: `It was refused with ${describe(internal)}, as if the server were to blame.`,
      expected: 'error -32602',
      exchange: internal.exchange,
    });
  },
});

const MAX_CASES = 40;

interface InvalidCall extends Called {
  readonly why: string;
  readonly lenient: boolean;
}

const callInvalid = async (probe: Probe): Promise<readonly InvalidCall[]> => {
  const cases = (await responsive(probe)).flatMap((tool) =>
    invalidArguments(tool.inputSchema, tool.arguments[0] ?? {}).map((item) => ({ tool, ...item })),
  );
  if (cases.length === 0) return [];
  const session = await probe.open();
  const called: InvalidCall[] = [];
  for (const { tool, args, why, lenient } of cases.slice(0, MAX_CASES)) {
    called.push({ ...(await tryCall(probe, session, { tool, args })), why, lenient });
  }
  return called;
};

/** What came of calls that the schemas forbid, made once per run. */
export const invalidCalls = (probe: Probe): Promise<readonly InvalidCall[]> =>
  probe.once('invalid calls', () => callInvalid(probe));

export const inputsValidated = defineCheck({
  ...tools,
  id: 'TOL-09',
  title: 'arguments that the schema of a tool forbids are rejected',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]'),
    modern: spec('2026-07-28', 'server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]'),
  },
  remedy: 'Validate arguments against the inputSchema before the tool runs, and answer with isError or -32602.',
  async run(probe) {
    const called = await invalidCalls(probe);
    if (called.length === 0) return NOTHING_CALLABLE;
    // A call that has no JSON-RPC answer was not served. It is worth a warning.
    const taken = called.filter(({ answer }) => answer === undefined || !refused(answer));
    const flaw = ({ tool, why, answer }: Called & { why: string }): Flaw => ({
      detail: `${tool.name} was called although ${why}, and ${answer === undefined ? 'never answered' : 'did not refuse'}.`,
      exchange: answer?.exchange,
    });
    const grave = taken.filter(({ lenient, answer }) => !lenient && answer?.result !== undefined);
    if (grave.length > 0) return judged(grave.map(flaw), 'isError: true, or error -32602');
    const light = taken.map(flaw);
    if (light.length === 0) return holds(`${called.length} invalid calls were refused.`);
    return doubtful({
      detail: light
        .slice(0, 3)
        .map(({ detail }) => detail)
        .join(' '),
      expected: 'an error, because the schema forbids these arguments',
      exchange: light[0]?.exchange,
    });
  },
});

const HEADER_MISMATCH = -32020;

export const errorsActionable = defineCheck({
  ...tools,
  id: 'TOL-14',
  title: 'wrong arguments lead to a result with isError and a text that explains the error',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'schema#calltoolresult',
      'Any errors that originate from the tool SHOULD be reported inside the result object, with isError set to true, not as an MCP protocol-level error response.',
    ),
    modern: spec(
      '2026-07-28',
      'schema#calltoolresult',
      'Any errors that originate from the tool SHOULD be reported inside the result object, with isError set to true, not as an MCP protocol-level error response.',
    ),
  },
  remedy: 'Return { content: [{ type: "text", text: "what is wrong and how to correct it" }], isError: true }.',
  async run(probe) {
    const called = await invalidCalls(probe);
    // A header that does not fit is refused before the tool sees anything.
    const failed = called.filter(
      ({ answer, lenient }) =>
        answer !== undefined && refused(answer) && !lenient && answer.error?.code !== HEADER_MISMATCH,
    );
    if (called.length === 0) return NOTHING_CALLABLE;
    if (failed.length === 0) return notVerified('No call failed.', 'a tool with parameters that may be called');
    const flaws = failed.flatMap(({ tool, why, answer }) => {
      if (answer?.error !== undefined) {
        return [{ detail: `${tool.name}: ${why}, and the answer is ${describe(answer)}.`, exchange: answer.exchange }];
      }
      const content = Array.isArray(answer?.result?.['content']) ? answer.result['content'] : [];
      const text = content
        .map((block: unknown) => (isObject(block) ? show(block['text']) : ''))
        .join(' ')
        .trim();
      return text.length < 5
        ? [{ detail: `${tool.name} failed without an explanation.`, exchange: answer?.exchange }]
        : [];
    });
    return judged(flaws, 'isError: true with a text');
  },
});

export const argumentsOmitted = defineCheck({
  ...tools,
  id: 'TOL-15',
  title: 'a tool without required parameters can be called without arguments',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'schema#calltoolrequestparams', 'arguments?: { [key: string]: unknown }'),
    modern: spec('2026-07-28', 'schema#calltoolrequestparams', 'arguments?: { [key: string]: unknown }'),
  },
  remedy: 'Treat missing arguments as an empty object.',
  async run(probe) {
    const free = (await responsive(probe)).filter(({ inputSchema, arguments: given }) => {
      const required = isObject(inputSchema) ? inputSchema['required'] : undefined;
      return (!Array.isArray(required) || required.length === 0) && Object.keys(given[0] ?? {}).length === 0;
    });
    if (free.length === 0) {
      return notVerified(
        'No tool without required parameters may be called.',
        'a tool without required parameters: --allow name',
      );
    }
    const session = await probe.open();
    const flaws: Flaw[] = [];
    for (const tool of free.slice(0, 6)) {
      const full = await tryCall(probe, session, { tool, args: {} });
      if (full.answer === undefined || refused(full.answer)) continue;
      const answer = await session.request('tools/call', { name: tool.name });
      if (refused(answer)) {
        flaws.push({ detail: `${tool.name} without arguments: ${describe(answer)}.`, exchange: answer.exchange });
      }
    }
    return judged(flaws, 'the same result as with empty arguments');
  },
});

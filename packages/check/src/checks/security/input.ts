import { show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe } from '../../session/answer.js';
import { findEcho, NO_ECHO, textOf, textTools } from '../instrument/echo.js';
import { tryCall } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';

const security = { family: 'security', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

const NO_TEXT = notVerified(
  'No tool that takes a text may be called freely.',
  'a tool with a parameter of type string: --allow name',
);

const stillAlive = async (probe: Probe, what: string): Promise<readonly Flaw[]> => {
  const answer = await probe.session().request('tools/list');
  return answer.result === undefined
    ? [{ detail: `After ${what}, tools/list gives ${describe(answer)}.`, exchange: answer.exchange }]
    : [];
};

const STRANGE = [
  { name: 'a long text', value: 'x'.repeat(1_000_000) },
  { name: 'a NUL', value: 'a\u0000b' },
  { name: 'text from right to left', value: 'abc\u202Edef\u202C' },
  { name: 'emoji and combining marks', value: '👩‍👩‍👧‍👦 e\u0301 \u{1F600}' },
];

export const strangeTexts = defineCheck({
  ...security,
  id: 'SEC-11',
  title: 'any Unicode text is returned unchanged or rejected',
  level: 'ADVICE',
  tier: 'standard',
  needs: 'tools',
  source: inBoth('server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]'),
  remedy: 'Treat text as Unicode from end to end, or reject what you do not support.',
  async run(probe) {
    const echo = await findEcho(probe);
    if (echo === undefined) return NO_ECHO;
    const session = await probe.open();
    const flaws: Flaw[] = [];
    for (const { name, value } of STRANGE.slice(1)) {
      const args = { ...echo.tool.arguments[0], [echo.parameter]: value };
      const { answer } = await tryCall(probe, session, { tool: echo.tool, args });
      const refused = answer?.error !== undefined || answer?.result?.['isError'] === true;
      if (!refused && !textOf(answer).includes(value)) {
        flaws.push({ detail: `${name} came back changed.`, exchange: answer?.exchange });
      }
    }
    return judged(flaws, 'the same text, or a refusal');
  },
});

export const oversizeInput = defineCheck({
  ...security,
  id: 'SEC-09',
  demandsAnswer: true,
  title: 'an argument of one megabyte is served or rejected, and the server keeps running',
  level: 'ADVICE',
  tier: 'standard',
  needs: 'tools',
  source: inBoth('server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]'),
  remedy: 'Limit the size of messages, and answer larger ones with an error.',
  async run(probe) {
    const [first] = await textTools(probe);
    if (first === undefined) return NO_TEXT;
    const args = { ...first.tool.arguments[0], [first.parameter]: STRANGE[0]?.value };
    const { answer } = await tryCall(probe, await probe.open(), { tool: first.tool, args });
    const silent = answer === undefined ? [{ detail: `${first.tool.name} never answered.` }] : [];
    return judged([...silent, ...(await stillAlive(probe, 'a megabyte'))], 'an answer in time');
  },
});

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

export const deepInput = defineCheck({
  ...security,
  id: 'SEC-10',
  demandsAnswer: true,
  title: 'arguments nested a thousand levels deep do not stop the server',
  level: 'ADVICE',
  tier: 'standard',
  needs: 'tools',
  source: inBoth('server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]'),
  remedy: 'Limit the depth of the input that you parse.',
  async run(probe) {
    const [first] = await textTools(probe);
    if (first === undefined) return NO_TEXT;
    const args: JsonObject = { ...first.tool.arguments[0], [first.parameter]: nested(1_000) };
    const { answer } = await tryCall(probe, await probe.open(), { tool: first.tool, args });
    const silent = answer === undefined ? [{ detail: `${first.tool.name} never answered.` }] : [];
    return judged([...silent, ...(await stillAlive(probe, 'deep arguments'))], 'a refusal in time');
  },
});

export const clientsApart = defineCheck({
  ...security,
  id: 'SEC-24',
  title: 'clients that use the same ids concurrently each get their own answer',
  level: 'SHOULD',
  tier: 'standard',
  needs: 'tools',
  source: {
    sentence: 'Responses are routed to the wrong client when JSON-RPC ids collide (CVE-2026-25536).',
    url: 'https://github.com/advisories/GHSA-345p-7cg4-v4c7',
  },
  remedy: 'Keep one transport and one table of requests per client; never share them.',
  async run(probe) {
    const echo = await findEcho(probe);
    if (echo === undefined) return NO_ECHO;
    const sessions = await Promise.all(Array.from({ length: 4 }, () => probe.open()));
    const calls = sessions.flatMap((session, client) =>
      ['same-1', 'same-2', 'same-3'].map(async (id) => {
        const canary = `client-${client}-${id}`;
        const args = { ...echo.tool.arguments[0], [echo.parameter]: canary };
        const { answer } = await tryCall(probe, session, { tool: echo.tool, args }, { id });
        return textOf(answer).includes(canary)
          ? []
          : [{ detail: `${canary} got ${show(textOf(answer)) || 'nothing'}.`, exchange: answer?.exchange }];
      }),
    );
    return judged((await Promise.all(calls)).flat(), 'each client its own text');
  },
});

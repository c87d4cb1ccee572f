import { gzipSync } from 'node:zlib';
import { lintTool } from '@plugboard/schema';
import { at, isObject, type JsonObject } from '../../connection/json.js';
import { NoAnswer, Unreachable } from '../../connection/no-answer.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, HTTP_ONLY } from '../../model/check.js';
import { broken, holds, notApplicable, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe } from '../../session/answer.js';
import { exercise, responsive, tryCall } from '../instrument/exercise.js';
import { ABLE, isInterim } from '../instrument/interview.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, NOTHING_CALLABLE, type Flaw } from '../instrument/judge.js';
import { plainMethod } from '../instrument/control-request.js';
import { bestPractice } from '../authorization/source.js';
import { saidIn } from './injection.js';

const VALIDATE = inBoth('server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]');
const security = { family: 'security', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

const MARK = 'plugboard-polluted';

export const noPollution = defineCheck({
  ...security,
  needs: 'tools',
  id: 'SEC-06',
  title: 'members such as __proto__ do not affect later calls',
  level: 'SHOULD',
  tier: 'full',
  source: VALIDATE,
  remedy: 'Copy only known members, into objects without a prototype; never merge input.',
  async run(probe) {
    const session = await probe.open();
    const [tool] = await responsive(probe);
    if (tool === undefined) return NOTHING_CALLABLE;
    const args = tool.arguments[0] ?? {};
    const before = await tryCall(probe, session, { tool, args });
    const text = JSON.stringify({ ...args, polluting: 0 });
    const poison = [`"__proto__":{"${MARK}":"${MARK}"}`, `"constructor":{"prototype":{"${MARK}":"${MARK}"}}`];
    for (const member of poison) {
      const polluted = JSON.parse(text.replace('"polluting":0', member)) as JsonObject;
      await tryCall(probe, session, { tool, args: polluted });
    }
    const after = await tryCall(probe, session, { tool, args });
    const list = await session.request('tools/list');
    const marked = [after.answer, list].find((answer) => JSON.stringify(answer?.response ?? {}).includes(MARK));
    if (marked !== undefined) {
      return broken({
        detail: 'The input of one call appears in a later one.',
        expected: 'the answer as before',
        exchange: marked.exchange,
      });
    }
    const same = describeOf(before) === describeOf(after);
    if (same) return holds();
    return broken({
      detail: `${tool.name} answered ${describeOf(before)} before and ${describeOf(after)} after.`,
      expected: 'the same',
      exchange: after.answer?.exchange,
    });
  },
});

const describeOf = ({ answer }: { readonly answer: Parameters<typeof describe>[0] | undefined }): string =>
  answer === undefined ? 'no answer' : describe(answer);

const HARD = ['a', '0', ' ', 'x', '-', '\t'].map((unit) => `${unit.repeat(28)}!`);
const SLOW_MS = 1_000;

export const noCatastrophicPatterns = defineCheck({
  ...security,
  needs: 'tools',
  alone: true,
  id: 'SEC-07',
  title: 'no text makes a pattern of a schema take much longer than another',
  level: 'SHOULD',
  tier: 'full',
  source: VALIDATE,
  remedy: 'Write patterns without nested repetition, or match them with an engine that cannot backtrack.',
  async run(probe) {
    const session = await probe.open();
    const flaws: Flaw[] = [];
    let tried = 0;
    for (const tool of await responsive(probe)) {
      const properties = at(tool.inputSchema, 'properties');
      const patterned = Object.entries(isObject(properties) ? properties : {}).filter(
        ([, schema]) => typeof at(schema, 'pattern') === 'string',
      );
      for (const [name] of patterned) {
        tried += 1;
        const usual = (await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} })).answer?.elapsedMs ?? 0;
        for (const text of HARD) {
          const { answer } = await tryCall(probe, session, { tool, args: { ...tool.arguments[0], [name]: text } });
          const slow = answer === undefined || answer.elapsedMs > Math.max(SLOW_MS, 10 * usual);
          if (slow) {
            flaws.push({
              detail: `${tool.name}.${name} = ${JSON.stringify(text)} took ${Math.round(answer?.elapsedMs ?? 0) || 'too many'} ms.`,
              exchange: answer?.exchange,
            });
          }
          if (slow) break;
        }
      }
    }
    return tried === 0
      ? notApplicable('No tool that may be called has a parameter with a pattern.')
      : judged(flaws, 'an answer as fast as others');
  },
});

/** Sends something that may well be refused by cutting the connection. */
const thrown = async (probe: Probe, request: Parameters<Probe['http']>[0]): Promise<string | undefined> => {
  try {
    await probe.http(request);
    return undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    if (error instanceof Unreachable) return 'the server is gone';
    return undefined;
  }
};

export const bombsDefused = defineCheck({
  ...security,
  transports: HTTP_ONLY,
  alone: true,
  id: 'SEC-12',
  title: 'huge headers and compressed bodies that expand to much more are rejected, and the server keeps running',
  level: 'SHOULD',
  tier: 'intrusive',
  source: VALIDATE,
  remedy: 'Limit the size of headers, and of bodies after decompression.',
  async run(probe) {
    const bombs = [
      { what: 'a header of 64 kB', headers: { 'x-bomb': 'x'.repeat(64 * 1024) }, body: '{}' },
      {
        what: 'a body that decompresses to 20 MB',
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(20_000_000, 0x20)),
      },
    ];
    const flaws: Flaw[] = [];
    for (const { what, ...request } of bombs) {
      const silent = await thrown(probe, request);
      if (silent !== undefined) flaws.push({ detail: `${what}: ${silent}` });
      const alive = await probe.session().request(plainMethod(probe.era));
      if (alive.result === undefined) {
        flaws.push({ detail: `After ${what}: ${describe(alive)}.`, exchange: alive.exchange });
      }
    }
    return judged(flaws, 'an answer in time, and a server that keeps running');
  },
});

export const resultsUnpoisoned = defineCheck({
  ...security,
  needs: 'tools',
  id: 'SEC-29',
  title: 'no result addresses the model as if it came from the user or the system',
  level: 'ADVICE',
  tier: 'standard',
  source: inBoth('server/tools#security-considerations', 'Servers MUST: […] Sanitize tool outputs'),
  remedy: 'Mark text from third parties, and remove instructions and invisible characters from it.',
  async run(probe) {
    const called = await exercise(probe);
    if (called.length === 0) return NOTHING_CALLABLE;
    const flaws = called.flatMap(({ tool, answer }) => {
      const description = saidIn(answer);
      if (description.trim() === '') return [];
      const inputSchema = { type: 'object', properties: {} };
      return lintTool({ name: tool.name, description, inputSchema })
        .filter(({ rule }) => rule === 'SEC-13' || rule === 'SEC-14')
        .map(({ message }) => ({ detail: `A result of ${tool.name}: ${message}`, exchange: answer?.exchange }));
    });
    return judged(flaws, 'results that are data');
  },
});

const LEAST = 22;

export const statesUnguessable = defineCheck({
  ...security,
  eras: ['modern'],
  transports: ['stdio', 'streamable-http'],
  needs: 'tools',
  id: 'SEC-30',
  title: 'the state of a request cannot be guessed',
  level: 'SHOULD',
  tier: 'standard',
  source: bestPractice(
    'state-handle-hijacking',
    'MCP servers SHOULD use secure, non-deterministic handles generated with secure random number generators.',
  ),
  remedy: 'Use 128 random bits, or sign the state.',
  async run(probe) {
    const session = await probe.open({ capabilities: ABLE });
    for (const tool of await responsive(probe)) {
      const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
      const state = at(answer?.result, 'requestState');
      if (!isInterim(answer) || typeof state !== 'string') continue;
      if (state.length >= LEAST && !/^\d+$/u.test(state)) return holds();
      return broken({
        detail: `A state of ${tool.name} is "${state}".`,
        expected: 'at least 128 random bits',
        exchange: answer?.exchange,
      });
    }
    return notVerified('No tool asks for input.', 'a tool that asks the user: --allow name');
  },
});

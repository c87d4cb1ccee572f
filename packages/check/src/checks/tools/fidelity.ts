import type { JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { parameterHeaders } from '../../probe/parameter-headers.js';
import type { Probe } from '../../probe/probe.js';
import { resultOf } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { findEcho, NO_ECHO, textOf, type TextTool } from '../instrument/echo.js';
import { tryCall } from '../instrument/exercise.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { modernHeaders, properRequest } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';

const LONG = 200_000;

/** Texts that are changed where an encoding, an escape or a limit is wrong. None begins or ends with a blank. */
const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['accents, composed and decomposed', 'caf\u00e9 cafe\u0301 \u00c5 A\u030a'],
  ['scripts of many languages', 'Ελληνικά Кириллица 中文 日本語 한국어 العربية עברית हिन्दी'],
  ['emoji', '👍🏽 🇩🇪 👩‍👩‍👧‍👦 \u{1F600}'],
  ['characters beyond 16 bits', '𝄞 𐍈 𠮷 \u{10FFFD}'],
  ['line breaks and tabs', 'one\ntwo\r\nthree\tfour\u2028five'],
  ['a byte order mark in the middle', 'before\uFEFFafter'],
  ['quotes and backslashes', String.raw`"double" 'single' \n \\ \u0041 C:\new`],
  ['JSON within the text', JSON.stringify({ a: [1, { b: '"quoted"', c: null }], d: { e: { f: [[]] } } })],
  ['markup and templates', '<b>&amp;</b> %20 ${x} {{y}} $(z) `w`'],
  ['a long text', `${'0123456789'.repeat(LONG / 10)}end`],
];

/** The same message in ASCII: everything else as escapes, surrogate pairs included. */
const escaped = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e]/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Calls with a message that is written with escapes. */
const calledEscaped = async (
  session: Session,
  { tool }: TextTool,
  args: JsonObject,
): Promise<Pick<Parameters<typeof textOf>[0] & object, 'result'> & Pick<Flaw, 'exchange'>> => {
  const message = properRequest(session, 'escaped', 'tools/call', { name: tool.name, arguments: args });
  const headers =
    session.era === 'modern'
      ? { ...modernHeaders(session, 'tools/call'), 'mcp-name': tool.name, ...parameterHeaders(tool.inputSchema, args) }
      : {};
  const { messages, exchange } = await session.send(escaped(JSON.stringify(message)), { headers });
  return { result: resultOf(messages.find(({ id }) => id === 'escaped')), exchange };
};

const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

const flawOf = (
  [what, text]: readonly [string, string],
  answer: Parameters<typeof textOf>[0],
  exchange: Flaw['exchange'],
): readonly Flaw[] => {
  const came = textOf(answer);
  // A tool may refuse what it does not take; what it gives back must be what it was given.
  if (answer?.result === undefined || answer.result['isError'] === true || came.includes(text)) return [];
  return [{ detail: `${what}: ${JSON.stringify(brief(text))} came back as ${JSON.stringify(brief(came))}.`, exchange }];
};

const compare = async (probe: Probe, echo: TextTool): Promise<readonly Flaw[]> => {
  const session = await probe.open();
  const flaws: Flaw[] = [];
  for (const one of TEXTS) {
    const args = { ...echo.tool.arguments[0], [echo.parameter]: one[1] };
    const { answer } = await tryCall(probe, session, { tool: echo.tool, args });
    flaws.push(...flawOf(one, answer, answer?.exchange));
  }
  const pairs = ['characters written as escapes', 'é 😀 𝄞 中'] as const;
  const reply = await calledEscaped(session, echo, { ...echo.tool.arguments[0], [echo.parameter]: pairs[1] });
  return [...flaws, ...flawOf(pairs, reply, reply.exchange)];
};

export const textsUnchanged = defineCheck({
  family: 'tools',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'TOL-23',
  title: 'an echo tool returns its input unchanged',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'basic/transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
    modern: spec('2026-07-28', 'basic/transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
  },
  remedy:
    'Read and write messages as UTF-8 with a JSON parser, keep text unchanged on the way to the tool and back, and reject text that is too long instead of truncating it.',
  async run(probe) {
    const echo = await findEcho(probe);
    if (echo === undefined) return NO_ECHO;
    return judged(await compare(probe, echo), 'the same text, or a refusal', `${TEXTS.length + 1} texts`);
  },
});

import { isObject, show } from '../../connection/json.js';
import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Exchange } from '../../session/exchange.js';
import { tryCall, type Called } from '../instrument/exercise.js';
import { UNKNOWN_METHOD } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { converse } from './conversation.js';

const family = { family: 'stdio', eras: BOTH_ERAS, transports: ['stdio'] } as const;
const EXIT_MS = 5_000;
const TRIED = 4;
const SOON_MS = 1_000;

/** A tool that answers soon. To try them all would take longer than the rest of a smoke run. */
const quickTool = async (probe: Probe): Promise<Called | undefined> => {
  for (const tool of (await probe.callable()).slice(0, TRIED)) {
    const args = tool.arguments[0] ?? {};
    const called = await tryCall(probe, probe.session(), { tool, args }, { timeoutMs: SOON_MS });
    if (called.answer?.result !== undefined) return called;
  }
  return undefined;
};

/** What a process wrote to stdout, and what it was asked. */
interface Output {
  readonly texts: readonly string[];
  /** What came after the last line feed. */
  readonly remainder: string;
  readonly bytes: Uint8Array;
  readonly exchange: Exchange;
}

const LISTS = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
] as const;

const live = async (probe: Probe): Promise<Output> => {
  const talk = await converse(probe);
  const { capabilities } = probe.session();
  talk.lines.writeLine(talk.plainLine('life-ü'));
  await talk.ask('life-unknown', UNKNOWN_METHOD);
  for (const [name, method] of LISTS) {
    if (capabilities[name] !== undefined) await talk.ask(`life-${name}`, method);
  }
  const called = await quickTool(probe);
  if (called !== undefined) {
    await talk.ask('life-call', 'tools/call', { name: called.tool.name, arguments: called.args });
  }
  talk.lines.end();
  await talk.lines.exitsWithin(EXIT_MS);
  const { lines, remainder, bytes } = talk.lines;
  return { texts: lines.items.map(({ text }) => text), remainder, bytes, exchange: talk.exchange('') };
};

/** A life from the first byte to the last: the handshake, lists, a tool, an error, the end. One for all checks. */
const lifeOf = (probe: Probe): Promise<Output> => probe.once('life of a process', () => live(probe));

/** Everything that the process of the shared conversation has written so far; whole lines only, because it is still writing. */
const sharedOutput = (probe: Probe): Promise<Output | undefined> =>
  probe.once('output of the shared process', async () => {
    const session = probe.session();
    await session.request(UNKNOWN_METHOD, { text: 'ü' });
    for (const [name, method] of LISTS) if (session.capabilities[name] !== undefined) await session.request(method);
    await quickTool(probe);
    if (session.lines === undefined) return undefined;
    const { lines, bytes } = session.lines;
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    const exchange = session.opening.exchange;
    return { texts: lines.items.map(({ text }) => text), remainder: '', bytes: whole, exchange };
  });

/**
 * Judges the life of a process. A smoke run has no time for a process of its own, so it looks at what the shared one has
 * written; only when that is not in order, a whole life decides.
 */
const judged = async (probe: Probe, judge: (output: Output) => Finding): Promise<Finding> => {
  const shared = probe.target.tier === 'smoke' ? await sharedOutput(probe) : undefined;
  const glance = shared === undefined ? undefined : judge(shared);
  return glance?.kind === 'holds' ? glance : judge(await lifeOf(probe));
};

const isMessage = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isMessage)
    : isObject(value) && value['jsonrpc'] === '2.0' && ('method' in value || 'result' in value || 'error' in value);

const parses = (text: string): boolean => {
  try {
    return isMessage(JSON.parse(text));
  } catch {
    return false;
  }
};

const onlyMessagesIn = ({ texts, remainder, exchange }: Output): Finding => {
  const lines = texts.map((text) => text.replace(/\r$/u, '').replace(/^\uFEFF/u, ''));
  const strange = [...lines, remainder].find((text) => text.trim() !== '' && !parses(text));
  const expected = 'lines that are JSON-RPC messages';
  if (strange !== undefined) return broken({ detail: `stdout carried "${show(strange)}".`, expected, exchange });
  if (lines.some((text) => text.trim() === '')) {
    return doubtful({ detail: 'stdout contained an empty line.', expected, exchange });
  }
  return holds(`${lines.length} lines, each a message.`);
};

export const onlyMessages = defineCheck({
  ...family,
  id: 'STD-01',
  inSequence: true,
  title: 'stdout contains only messages, from the first byte to the end',
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/transports#stdio',
      'The server MUST NOT write anything to its stdout that is not a valid MCP message.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio',
      'The server MUST NOT write anything to its stdout that is not a valid MCP message.',
    ),
  },
  remedy: 'Write logs, banners and debug output to stderr; check what your dependencies print.',
  run: async (probe) => await judged(probe, onlyMessagesIn),
});

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const framedOutput = ({ bytes, remainder, exchange }: Output): Finding => {
  const evidence = { expected: 'one line of UTF-8 per message, ended by a line feed', exchange };
  const text = utf8(bytes);
  if (text === undefined) return broken({ detail: 'stdout contained bytes that are not UTF-8.', ...evidence });
  if (text.startsWith('\uFEFF')) return broken({ detail: 'stdout began with a byte order mark.', ...evidence });
  if (parses(remainder)) {
    return broken({ detail: 'The last message was not ended by a line feed.', ...evidence });
  }
  const pieces = text.split('\n').filter((line) => line.trim() !== '' && !parses(line.replace(/\r$/u, '')));
  if (pieces.length > 1 && parses(pieces.join('\n'))) {
    return broken({ detail: 'A message was split over several lines.', ...evidence });
  }
  return holds();
};

export const framing = defineCheck({
  ...family,
  id: 'STD-02',
  inSequence: true,
  title: 'each message is one line of UTF-8 that ends with a line feed, without a byte order mark',
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/transports#stdio',
      'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio',
      'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
    ),
  },
  remedy: 'Write JSON without indentation, encoded as UTF-8, and one line feed after each message.',
  run: async (probe) => await judged(probe, framedOutput),
});

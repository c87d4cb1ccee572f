import { pause } from '../../connection/deadline.js';
import type { JsonObject } from '../../connection/json.js';
import { BOTH_ERAS, defineCheck, type Check } from '../../model/check.js';
import { broken, holds, notApplicable, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { ChannelSession } from '../../session/channel-session.js';
import { isResponse } from '../../session/envelope.js';
import { spec } from '../instrument/spec.js';
import { plainMethod, properRequest } from '../instrument/control-request.js';

const family = { family: 'stdio', eras: BOTH_ERAS, transports: ['stdio'] } as const;
const LEGACY_FRAMING = spec(
  '2025-11-25',
  'basic/transports#stdio',
  'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
);
const MODERN_FRAMING = spec(
  '2026-07-28',
  'basic/transports/stdio',
  'Messages are delimited by newlines, and MUST NOT contain embedded newlines.',
);
const FRAMING: Check['source'] = { legacy: LEGACY_FRAMING, modern: MODERN_FRAMING };
const REMEDY = 'Collect bytes until a line feed, then decode and parse the line. A read can end anywhere.';

interface Way {
  readonly ids: readonly string[];
  /** What is wrong when one of them stays unanswered. */
  readonly otherwise: string;
  readonly write: (session: ChannelSession) => Promise<void> | void;
}

/** A proper line that every server answers. */
const plainLine = ({ era, revision }: ChannelSession, id: string, params?: JsonObject): string =>
  JSON.stringify(properRequest({ era, revision }, id, plainMethod(era), params));

/** A check before may have used the process; so it must not have used the ids. */
const answered = async (probe: Probe, { ids, otherwise, write }: Way): Promise<Finding> => {
  const session = await probe.open();
  if (!(session instanceof ChannelSession)) return notApplicable('The server is not a process.');
  await write(session);
  for (const id of ids) {
    const answer = await session.waitFor((message) => isResponse(message) && message['id'] === id);
    if (answer !== undefined) continue;
    const why = session.death === undefined ? '' : ' The process ended.';
    return broken({
      detail: `${otherwise}${why}`,
      expected: `a response with the id "${id}"`,
      exchange: session.exchangeOf(plainLine(session, id)),
    });
  }
  return holds();
};

const hasAnswer = async (session: ChannelSession, id: string): Promise<boolean> =>
  (await session.waitFor((message) => isResponse(message) && message['id'] === id)) !== undefined;

/**
 * Writes a line in two pieces that no server can read at once, however busy the machine is: a whole request goes in one write
 * with the first piece, and the second follows when that request was answered.
 */
const writeApart = async (session: ChannelSession, line: Buffer, at: number, id: string): Promise<void> => {
  session.write(Buffer.concat([Buffer.from(`${plainLine(session, id)}\n`), line.subarray(0, at)]));
  await hasAnswer(session, id);
  session.write(line.subarray(at));
};

/** The same bytes in one piece: a server that does not answer these either has another defect (STD-04). */
const readsTogether = async (probe: Probe, ids: readonly [string, string]): Promise<boolean> => {
  const session = await probe.open();
  if (!(session instanceof ChannelSession)) return false;
  session.write(ids.map((id) => `${plainLine(session, id)}\n`).join(''));
  for (const id of ids) if (!(await hasAnswer(session, id))) return false;
  return true;
};

const NOT_TOGETHER = notVerified(
  'The server does not answer two messages that arrive in one read (STD-04).',
  'a server that answers both',
);

export const splitCharacter = defineCheck({
  ...family,
  id: 'STD-03',
  inSequence: true,
  title: 'a character whose bytes arrive in two reads is not broken',
  level: 'MUST',
  since: '2025-03-26',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'basic/transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
    modern: spec('2026-07-28', 'basic/transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
  },
  remedy: REMEDY,
  async run(probe) {
    const finding = await answered(probe, {
      ids: ['split-𝄞'],
      otherwise: 'An id with a four-byte character that was sent in two pieces was not returned.',
      write: async (session) => {
        const bytes = Buffer.from(`${plainLine(session, 'split-𝄞')}\n`);
        await writeApart(session, bytes, bytes.indexOf(Buffer.from('𝄞')) + 2, 'before-split');
      },
    });
    if (finding.kind !== 'broken') return finding;
    return (await readsTogether(probe, ['before-whole', 'whole-𝄞'])) ? finding : NOT_TOGETHER;
  },
});

export const twoInOne = defineCheck({
  ...family,
  id: 'STD-04',
  inSequence: true,
  title: 'two messages that arrive in one read are both answered',
  level: 'MUST',
  tier: 'standard',
  source: FRAMING,
  remedy: REMEDY,
  run: async (probe) =>
    await answered(probe, {
      ids: ['pair-1', 'pair-2'],
      otherwise: 'One of two messages in one write was not answered.',
      write: (session) => session.write(`${plainLine(session, 'pair-1')}\n${plainLine(session, 'pair-2')}\n`),
    }),
});

export const dribble = defineCheck({
  ...family,
  id: 'STD-05',
  inSequence: true,
  title: 'a message that arrives byte by byte is answered',
  level: 'MUST',
  tier: 'standard',
  source: FRAMING,
  remedy: REMEDY,
  async run(probe) {
    const dripped = await answered(probe, {
      ids: ['drip'],
      otherwise: 'A message that was written byte by byte was not answered.',
      write: async (session) => {
        for (const byte of Buffer.from(`${plainLine(session, 'drip')}\n`)) {
          session.write(Uint8Array.of(byte));
          await pause(1, probe.signal);
        }
      },
    });
    // A busy server may have read several bytes at once; the last one of this line comes alone.
    const last: Way = {
      ids: ['last-drop'],
      otherwise: 'A message whose last byte was written separately was not answered.',
      write: async (session) => {
        const bytes = Buffer.from(`${plainLine(session, 'last-drop')}\n`);
        await writeApart(session, bytes, bytes.length - 1, 'before-last-drop');
      },
    };
    const finding = dripped.kind === 'holds' ? await answered(probe, last) : dripped;
    if (finding.kind !== 'broken') return finding;
    return (await readsTogether(probe, ['before-no-drop', 'no-drop'])) ? finding : NOT_TOGETHER;
  },
});

export const lineEndings = defineCheck({
  ...family,
  id: 'STD-06',
  title: 'a carriage return before the line feed, and empty lines, are ignored',
  level: 'ADVICE',
  tier: 'full',
  source: FRAMING,
  remedy: 'Strip a carriage return from the end of a line, and skip empty lines.',
  run: async (probe) =>
    await answered(probe, {
      ids: ['crlf'],
      otherwise: 'A message after an empty line, ended by CR LF, was not answered.',
      write: (session) => session.write(`\r\n\n${plainLine(session, 'crlf')}\r\n`),
    }),
});

export const junkLine = defineCheck({
  ...family,
  id: 'STD-07',
  title: 'a line that is not a message does not break the connection',
  level: 'SHOULD',
  tier: 'standard',
  source: FRAMING,
  remedy: 'Answer a line that cannot be parsed with error -32700, or ignore it, and keep reading.',
  run: async (probe) =>
    await answered(probe, {
      ids: ['after-junk'],
      otherwise: 'After a line that is not JSON, the next request was not answered.',
      write: (session) => session.write(`this is no JSON {\n${plainLine(session, 'after-junk')}\n`),
    }),
});

const LONG = [1_000_000, 8_000_000] as const;

export const longLine = defineCheck({
  ...family,
  id: 'STD-08',
  title: 'lines of one and of eight megabytes are accepted or rejected, and the next request is answered',
  level: 'ADVICE',
  tier: 'full',
  source: FRAMING,
  remedy: 'Limit the length of a line, and answer a longer one with an error; do not exit.',
  run: async (probe) =>
    await answered(probe, {
      ids: ['after-long'],
      otherwise: 'After very long lines a request was not answered.',
      write: (session) => {
        for (const length of LONG) {
          const padding = { _meta: { 'dev.plugboard/padding': 'x'.repeat(length) } };
          session.write(`${plainLine(session, `long-${length}`, padding)}\n`);
        }
        session.write(`${plainLine(session, 'after-long')}\n`);
      },
    }),
});

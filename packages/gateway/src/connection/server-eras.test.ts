import { describe, expect, it } from 'vitest';
import { clientOf, sessionOf } from '../test-support/call.js';
import { sampleServer } from '../test-support/catalogue.js';
import { asLegacy, ServerEras } from './server-eras.js';
import type { ServerFacts } from './server-facts.js';

const server = sampleServer('s', 1);
const MODERN: ServerFacts = {
  era: 'modern',
  pinned: false,
  revision: '2026-07-28',
  transport: 'streamable_http',
  hasSessions: false,
  capabilities: { tools: {} },
  serverInfo: { name: 's' },
  instructions: undefined,
};
const LEGACY: ServerFacts = { ...MODERN, era: 'legacy', revision: '2025-11-25', hasSessions: true };
const client = clientOf('2025-11-25');
const legacy = { client, session: sessionOf(client) };
const modern = { client: clientOf('2026-07-28'), session: undefined };
const MINUTE = 60_000;

const clock = () => {
  const time = { now: Date.parse('2026-11-17T00:00:00Z') };
  return { time, eras: new ServerEras(() => time.now) };
};

describe('which side of a server a client meets', () => {
  it('is not known before the server was met, or its legacy side tried', () => {
    const { eras } = clock();
    expect([eras.facts(server.id), eras.meet(server.id, modern), eras.eras(server.id)]).toEqual(
      Array(3).fill(undefined),
    );
    eras.note(server, MODERN);
    expect([eras.meet(server.id, modern), eras.meet(server.id, legacy)]).toEqual([MODERN, undefined]);
    expect([eras.facts(server.id, 'legacy'), eras.eras(server.id)]).toEqual([MODERN, undefined]);
  });

  it('is that of its own era where there are two', () => {
    const { eras } = clock();
    const side = asLegacy(MODERN);
    eras.note(server, MODERN);
    eras.note(server, side);
    expect([eras.meet(server.id, modern), eras.meet(server.id, legacy)]).toEqual([MODERN, side]);
    expect([eras.facts(server.id), eras.facts(server.id, 'legacy')]).toEqual([MODERN, side]);
    expect(eras.eras(server.id)).toEqual(['legacy', 'modern']);
  });

  it('is the only one of a legacy server', () => {
    const { eras } = clock();
    eras.note(server, LEGACY);
    expect([eras.meet(server.id, modern), eras.meet(server.id, legacy)]).toEqual([LEGACY, LEGACY]);
    expect(eras.eras(server.id)).toEqual(['legacy']);
  });

  it('follows a server that is replaced', () => {
    const { eras } = clock();
    eras.note(server, LEGACY);
    eras.note(server, MODERN);
    expect([eras.meet(server.id, modern), eras.meet(server.id, legacy)]).toEqual([MODERN, undefined]);
    eras.note(server, asLegacy(MODERN));
    eras.note(server, LEGACY);
    expect([eras.meet(server.id, modern), eras.eras(server.id)]).toEqual([LEGACY, ['legacy']]);
  });

  it.each([
    ['refused', 59, ['modern']],
    ['doubtful', 0.9, undefined],
  ] as const)('stays modern for a while when the legacy side was %s', (refusal, minutes, known) => {
    const { eras, time } = clock();
    eras.note(server, MODERN);
    eras.noteRefusal(server.id, refusal);
    time.now += minutes * MINUTE;
    expect([eras.meet(server.id, legacy), eras.eras(server.id)]).toEqual([MODERN, known]);
    time.now += 2 * MINUTE;
    expect(eras.meet(server.id, legacy)).toBeUndefined();
  });

  it('is asked less and less often while it fails, and anew when another version takes its place', () => {
    const { eras, time } = clock();
    eras.note(server, MODERN);
    for (const minutes of [1, 4, 16, 60, 60]) {
      eras.noteRefusal(server.id, 'doubtful');
      time.now += minutes * MINUTE - 1;
      expect(eras.meet(server.id, legacy)).toBe(MODERN);
      time.now += 1;
      expect(eras.meet(server.id, legacy)).toBeUndefined();
    }
    eras.noteRefusal(server.id, 'refused');
    eras.note(server, { ...MODERN, serverInfo: { name: 's', version: '2' } });
    expect(eras.meet(server.id, legacy)).toBeUndefined();
  });

  it('is taken from the store for a day', () => {
    const { eras, time } = clock();
    const protocol = { era: 'modern', eras: ['modern'], revision: '2026-07-28', transport: 'streamable_http' } as const;
    const checked = new Date(time.now).toISOString();
    eras.note({ ...server, protocol: { ...protocol, eras: ['modern'], checked_at: checked } }, MODERN);
    expect(eras.meet(server.id, legacy)).toBe(MODERN);
    time.now += 25 * 60 * MINUTE;
    expect(eras.meet(server.id, legacy)).toBeUndefined();
  });

  it('keeps what it knows while the server says the same', () => {
    const { eras } = clock();
    eras.note(server, MODERN);
    eras.note(server, { ...MODERN });
    expect(eras.facts(server.id)).toBe(MODERN);
  });
});

import { describe, expect, it } from 'vitest';
import { parsePsLine } from './ps-process-table.js';

describe('parsePsLine', () => {
  it('reads what ps prints', () => {
    expect(parsePsLine('  412   410 Ss    2048 Mon Nov  2 03:40:00 2026 node  server.js --x')).toEqual({
      pid: 412,
      groupId: 410,
      zombie: false,
      rssBytes: 2_097_152,
      startedAt: 'Mon Nov 2 03:40:00 2026',
      commandLine: 'node  server.js --x',
    });
  });

  it('knows a zombie, and a line that is none of its own', () => {
    expect(parsePsLine('1 1 Z+ 0 Mon Nov 2 03:40:00 2026 ')).toMatchObject({ zombie: true, commandLine: '' });
    expect(parsePsLine('  PID  PGID STAT')).toBeUndefined();
  });
});

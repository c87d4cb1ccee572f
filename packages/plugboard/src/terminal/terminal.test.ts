import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainError } from './explain-error.js';
import { printableBlock, printableLine } from './printable.js';
import { withProgress } from '../cli/open-context.js';
import { styleFor } from './style.js';
import { type Column, formatTable } from './table.js';
import { fitWidth, textWidth, wrapText } from './text-width.js';

const plain = styleFor(false);
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/u;

describe('text of strangers', () => {
  it('cannot act on a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printableLine(text)).not.toMatch(/[\n\t]/u);
        expect(printableLine(text)).not.toMatch(CONTROLS);
        expect(printableBlock(text)).not.toMatch(CONTROLS);
      }),
    );
  });

  it('shows what would be hidden', () => {
    expect(printableLine('a\u200Bb')).toBe('a\\u{200B}b');
    expect(printableLine('\u{E0041}')).toBe('\\u{E0041}');
    expect(printableBlock('a\r\nb\u001B[2J')).toBe('a\nb\\u{001B}[2J');
  });
});

describe('width', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['\u001B[31mred\u001B[39m', 3],
  ])('of %s is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('is kept when a text is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(textWidth(fitWidth(text, width))).toBeLessThanOrEqual(
          Math.max(width, textWidth(text) <= width ? textWidth(text) : width),
        );
      }),
    );
  });

  it('is kept when a text is wrapped, and no word is lost', () => {
    const text = 'one two three four five\nsix';
    expect(wrapText(text, 9)).toEqual(['one two', 'three', 'four five', 'six']);
  });
});

describe('tables', () => {
  interface Row {
    readonly name: string;
    readonly count: number;
    readonly text: string;
  }
  const columns: readonly Column<Row>[] = [
    { title: 'NAME', text: (row) => row.name, shrinkTo: 4 },
    { title: 'N', text: (row) => String(row.count), align: 'right' },
    { title: 'TEXT', text: (row) => row.text, shrinkTo: 6 },
  ];
  const row = fc.record({
    name: fc.string({ maxLength: 40 }),
    count: fc.nat(999),
    text: fc.string({ maxLength: 200 }),
  });

  it('fit every terminal that is wide enough for their narrowest form', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.integer({ min: 20, max: 200 }), (rows, width) => {
        for (const line of formatTable(columns, rows, { style: plain, width }).split('\n')) {
          expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it('lose nothing when there is no terminal', () => {
    const rows = [{ name: 'n'.repeat(50), count: 1, text: 't'.repeat(300) }];
    expect(formatTable(columns, rows, { style: plain, width: undefined })).toContain('t'.repeat(300));
  });

  it('align numbers to the right', () => {
    const rows = [
      { name: 'a', count: 7, text: 'x' },
      { name: 'b', count: 100, text: 'y' },
    ];
    expect(formatTable(columns, rows, { style: plain, width: 80 })).toBe(
      'NAME    N  TEXT\na       7  x\nb     100  y\n',
    );
  });
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    return { written, isTTY, columns: 80, write: (text: string | Uint8Array) => void written.push(String(text)) };
  };
  const after = (ms: number) => () => new Promise<string>((resolve) => void setTimeout(() => resolve('done'), ms));

  it('shows after a second, and wipes itself away', async () => {
    const target = stream(true);
    const work = withProgress('Working', { stream: target, enabled: true }, after(2500));
    await vi.advanceTimersByTimeAsync(900);
    expect(target.written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1600);
    expect(await work).toBe('done');
    expect(target.written.join('')).toContain('Working 2 s');
    expect(target.written.at(-1)).toBe('\r\u001B[2K');
  });

  it.each([
    ['in a pipe', false, true],
    ['when told to be quiet', true, false],
  ])('is silent %s', async (_where, isTTY, enabled) => {
    const target = stream(isTTY);
    const work = withProgress('Working', { stream: target, enabled }, after(5000));
    await vi.advanceTimersByTimeAsync(5000);
    await work;
    expect(target.written).toEqual([]);
  });
});

describe('errors', () => {
  it('say what happened, what the program said and what to do', () => {
    const text = explainError(
      {
        code: 'PROCESS_EXITED',
        message: 'It ended.\nTwice.',
        hint: 'details.stderr_tail has more.',
        details: { stderr_tail: ['a', '', 'b\u0007'] },
      },
      plain,
    );
    expect(text).toBe(
      'error    It ended. (PROCESS_EXITED)\n         Twice.\nit said  a\n         b\\u{0007}\ntry      Fix the error that it reports. `plugboard logs <server>` shows its whole output.',
    );
  });

  it('leave out what is not known', () => {
    expect(explainError({ code: 'INTERNAL', message: 'Odd.' }, plain)).toBe('error    Odd. (INTERNAL)');
  });
});

import { describe, expect, it } from 'vitest';
import { codeBlock, isCodeLine } from './code-lines.js';
import { linesOf } from './text-line.js';
import type { TextRun } from './text-run.js';

const typed = (text: string, x: number, y: number, fixed = true): TextRun => ({
  text,
  x,
  y,
  width: text.length * 6,
  size: 10,
  fixed,
});

describe('lines of code on a page', () => {
  it('are set in type of equal width throughout', () => {
    expect(linesOf([typed('code', 50, 700)]).map(isCodeLine)).toEqual([true]);
    expect(linesOf([typed('code', 50, 700), typed('words', 90, 700, false)]).map(isCodeLine)).toEqual([false]);
    expect(linesOf([typed('words', 50, 700, false)]).map(isCodeLine)).toEqual([false]);
  });

  it('keep their indentation and the empty lines between them', () => {
    const runs = [typed('if x:', 50, 700), typed('go()', 74, 688), typed('end', 50, 664)];
    expect(codeBlock(linesOf(runs))).toEqual({ type: 'code', value: 'if x:\n    go()\n\nend' });
  });

  it('that stand alone are a listing too', () => {
    expect(codeBlock(linesOf([typed('npm test', 50, 700)]))).toEqual({ type: 'code', value: 'npm test' });
  });
});

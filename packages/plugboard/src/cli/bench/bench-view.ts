import type { BenchEvent } from '@plugboard/check';
import type { OutputStream } from '../../process/process-context.js';
import { printableColumns } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';

export interface BenchView {
  readonly onEvent: (event: BenchEvent) => void;
  /** Leaves no trace of the live part. */
  readonly end: () => void;
}

type Progress = Extract<BenchEvent, { readonly type: 'progress' }>;

const BAR = 30;
const CLEAR = '\r\u001B[2K';
const UP = '\u001B[1A';

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
};

const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** What a moment looks like: how far it is, how fast, how slow the slow ones are, and what went wrong. */
export const viewLines = (progress: Progress, style: Style): readonly string[] => {
  const { scenario, phase, elapsedMs, totalMs, calls, failed, violations } = progress;
  const left = Math.max(0, Math.ceil((totalMs - elapsedMs) / 1_000));
  const errors = Object.entries(progress.errors).map(([error, count]) => `${count} × ${error}`);
  const busy = `generator ${(progress.utilisation * 100).toFixed(0)} %`;
  return [
    `${style.bold(scenario)}${phase === scenario ? '' : ` ${phase}`}  ${bar(elapsedMs / totalMs)}  ${left} s left`,
    `  ${progress.callsPerSecond.toFixed(0)} calls/s  ${calls} calls  ${progress.callers} callers  ${style.dim(busy)}`,
    `  p50 ${ms(progress.p50)} ms  p95 ${ms(progress.p95)} ms  p99 ${ms(progress.p99)} ms`,
    failed + violations === 0
      ? `  ${style.green('no errors')}`
      : `  ${style.red(`${failed} failed, ${violations} wrong`)}  ${printableColumns(errors.join(', '))}`,
  ];
};

/** Four lines on a terminal that are drawn again and again; elsewhere a line for each scenario. */
export const benchView = (
  stream: OutputStream,
  { enabled, style }: { readonly enabled: boolean; readonly style: Style },
): BenchView => {
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) stream.write(`${CLEAR}${`${UP}${CLEAR}`.repeat(drawn - 1)}`);
    drawn = 0;
  };
  const say = (text: string): void => {
    erase();
    stream.write(`${printableColumns(text)}\n`);
  };
  const draw = (progress: Progress): void => {
    const lines = viewLines(progress, style).map((line) => clip(line, (stream.columns ?? 80) - 1));
    erase();
    stream.write(lines.join('\n'));
    drawn = lines.length;
  };
  if (!enabled) return { onEvent: () => undefined, end: () => undefined };
  return {
    onEvent: (event) => {
      if (event.type === 'done') say(`${event.result.scenario}: ${event.result.summary}`);
      else if (event.type === 'reached' && event.note !== undefined) say(event.note);
      else if (event.type === 'progress' && stream.isTTY) draw(event);
    },
    end: erase,
  };
};

/** As much of a line as fits, colours left whole: a line that wraps could not be erased. */
const clip = (line: string, columns: number): string => {
  let left = columns;
  return line
    .split(/(\u001B\[\d+m)/u)
    .map((part) => {
      if (part.startsWith('\u001B')) return part;
      const taken = part.slice(0, Math.max(0, left));
      left -= taken.length;
      return taken;
    })
    .join('');
};

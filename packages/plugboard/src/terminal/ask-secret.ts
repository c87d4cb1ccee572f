import { PlugboardError } from '@plugboard/contract';
import type { ProcessContext } from '../process/process-context.js';

const ENDS = new Set(['\r', '\n', '\u0004']);
const ERASES = new Set(['\u007f', '\b']);
const INTERRUPT = '\u0003';

interface Line {
  readonly text: string;
  readonly state: 'open' | 'done' | 'interrupted';
}

/** The line after one more character; nothing of it is echoed. */
export const typed = (line: Line, character: string): Line => {
  if (line.state !== 'open') return line;
  if (ENDS.has(character)) return { ...line, state: 'done' };
  if (character === INTERRUPT) return { text: '', state: 'interrupted' };
  if (ERASES.has(character)) return { ...line, text: Array.from(line.text).slice(0, -1).join('') };
  return { ...line, text: line.text + character };
};

const rawMode = (stream: unknown, on: boolean): void => {
  const terminal = stream as { setRawMode?: (mode: boolean) => void };
  terminal.setRawMode?.(on);
};

const interrupted = (): PlugboardError => new PlugboardError('CANCELLED', 'Nothing was entered.');

/** Asks for a line at the terminal without showing it. */
export const askSecret = async (
  question: string,
  { stdin, stderr, signal }: Pick<ProcessContext, 'stdin' | 'stderr' | 'signal'>,
): Promise<string> => {
  const { stream } = stdin;
  let line: Line = { text: '', state: 'open' };
  const stop = (): void => void stream.destroy();
  stderr.write(question);
  rawMode(stream, true);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw interrupted();
    for await (const chunk of stream as AsyncIterable<Buffer | string>) {
      line = Array.from(chunk.toString()).reduce(typed, line);
      if (line.state !== 'open') break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    rawMode(stream, false);
    stderr.write('\n');
  }
  if (line.state === 'interrupted' || signal.aborted) throw interrupted();
  return line.text;
};

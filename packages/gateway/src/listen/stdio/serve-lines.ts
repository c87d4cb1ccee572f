import type { Readable, Writable } from 'node:stream';
import { DEFAULT_MAX_LINE_BYTES, LineSplitter } from '@plugboard/base';
import { buildFailure, RPC_CODE } from '@plugboard/wire';
import { LineWriter } from './line-writer.js';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The peer that talks with the client. */
export interface LineConversation {
  /** Takes one line, and says what is in progress because of it. */
  take(line: string): readonly Promise<void>[];
  /** Ends everything that is in progress. */
  end(): Promise<void> | void;
}

const TOO_LONG = JSON.stringify(
  buildFailure(null, {
    code: RPC_CODE.invalidRequest,
    message: `This line is longer than ${DEFAULT_MAX_LINE_BYTES} bytes.`,
  }),
);

const endOf = (input: Readable, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      input.off('end', end).off('close', end).off('error', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    input.on('end', end).on('close', end).on('error', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** Talks with the client at the other end of two pipes until either of them ends, or the signal aborts. */
export const serveLines = async (
  { input, output }: StdioStreams,
  converse: (lines: LineWriter) => LineConversation,
  signal: AbortSignal,
): Promise<void> => {
  const lines = new LineWriter(output);
  const conversation = converse(lines);
  const running = new Set<Promise<void>>();
  const track = (work: Promise<void>): void => {
    const forget = (): void => void running.delete(tracked);
    const tracked = work.then(forget, forget);
    running.add(tracked);
  };
  const splitter = new LineSplitter({
    onLine: (line) => conversation.take(line).forEach(track),
    onOversize: () => lines.write(TOO_LONG),
  });
  const onData = (chunk: Buffer): void => splitter.push(chunk);
  const ended = endOf(input, signal);
  input.on('data', onData);
  try {
    await Promise.race([ended, lines.gone]);
    if (!signal.aborted && lines.open) splitter.end();
  } finally {
    input.off('data', onData);
    // Requests that wait for the client must not delay the end.
    lines.close();
    await conversation.end();
    await Promise.all(running);
  }
};

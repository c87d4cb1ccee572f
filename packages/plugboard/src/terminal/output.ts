import type { OutputStream, ProcessContext } from '../process/process-context.js';
import { printableBlock, printableJson, terminalSafe } from './printable.js';
import { type Style, styleFor, wantsColour } from './style.js';
import { wrapLines } from './wrap-lines.js';

export interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Where a command puts what it has to say. With --json, stdout carries one JSON value and nothing else. */
export interface Output extends OutputMode {
  /** For stdout. */
  readonly style: Style;
  /** Columns of the terminal; undefined when stdout is not one. */
  readonly width: number | undefined;
  readonly isTTY: boolean;
  /** The result for a program; only with --json. */
  data(value: unknown): void;
  /** The result for a person; never with --json. */
  text(text: string): void;
  /** Text that a server wrote, as a result: a pipe gets it unchanged, a terminal gets it without control sequences. */
  verbatim(text: string): void;
  /** Bytes of a result, as they are. */
  bytes(bytes: Uint8Array): void;
  /** A remark on stderr that a person may miss; neither with --json nor with --quiet. */
  note(text: string): void;
  /** A problem, on stderr; with --json it must be part of the data instead. */
  problem(text: string): void;
  /** For stderr. */
  readonly noteStyle: Style;
}

const endLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

export const createOutput = (
  { stdout, stderr, env }: Pick<ProcessContext, 'env'> & Record<'stdout' | 'stderr', OutputStream>,
  { json, quiet }: OutputMode,
): Output => ({
  json,
  quiet,
  style: styleFor(wantsColour(env, stdout.isTTY)),
  noteStyle: styleFor(wantsColour(env, stderr.isTTY)),
  isTTY: stdout.isTTY,
  width: stdout.columns,
  data: (value) => {
    if (json) stdout.write(`${printableJson(JSON.stringify(value, null, stdout.isTTY ? 2 : undefined))}\n`);
  },
  text: (text) => {
    if (!json && text !== '') stdout.write(endLine(terminalSafe(text)));
  },
  verbatim: (text) => {
    if (!json && text !== '') stdout.write(endLine(stdout.isTTY ? printableBlock(text) : text));
  },
  bytes: (bytes) => stdout.write(bytes),
  note: (text) => {
    if (!json && !quiet) stderr.write(endLine(wrapLines(terminalSafe(text), stderr.columns)));
  },
  problem: (text) => {
    if (!json) stderr.write(endLine(terminalSafe(text)));
  },
});

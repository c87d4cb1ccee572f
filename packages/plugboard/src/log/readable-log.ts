import { tryJson } from '@plugboard/base';
import { terminalSafe, printableLine } from '../terminal/printable.js';
import type { Style } from '../terminal/style.js';
import { flowWords, isMessage, messageWords } from './readable-flow.js';

type Fields = Readonly<Record<string, unknown>>;

const LEVELS: Readonly<Record<number, readonly [word: string, tone: 'dim' | 'green' | 'yellow' | 'red']>> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
};

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const quoted = (value: unknown): string => {
  const shown = printableLine(text(value));
  return /^[^\s"=]+$/u.test(shown) ? shown : `“${shown}”`;
};

/** `tools/call files read_file  ok  12.3 ms`: the fields of a call in the order in which people read them. */
const callWords = (fields: Fields, style: Style): string => {
  const { method, server, tool, outcome, duration_ms: duration, caller, endpoint } = fields;
  const place = server === undefined ? [] : [style.bold(quoted(server))];
  const what = tool === undefined ? [] : [quoted(tool)];
  const result = outcome === 'ok' ? style.green('ok') : style.red(text(outcome));
  return [
    quoted(method),
    ...place,
    ...what,
    result,
    style.dim(`${text(duration)} ms  ${quoted(caller)} at ${printableLine(text(endpoint))}`),
    ...flowWords(fields, style),
  ].join('  ');
};

const isCall = ({ method, outcome, duration_ms: duration }: Fields): boolean =>
  typeof method === 'string' && typeof outcome === 'string' && typeof duration === 'number';

/** The message of an error, in one line; its code and hint are what a person acts on. */
const errorWords = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return text(error);
  const { message, code } = error as Fields;
  return `${text(message ?? '')}${code === undefined ? '' : ` (${text(code)})`}`;
};

/** Names say more than ids, and what is zero or empty says nothing; the JSON form has all of it. */
const isWorthALook = (name: string, value: unknown): boolean =>
  !name.endsWith('_id') && value !== 0 && value !== false && value !== '' && value !== null;

const fieldWords = (fields: Fields, style: Style): string =>
  Object.entries(fields)
    .filter(([name, value]) => isWorthALook(name, value))
    .map(([name, value]) => `${style.dim(`${name}=`)}${quoted(name === 'err' ? errorWords(value) : value)}`)
    .join(' ');

const plainWords = (message: string, fields: Fields, style: Style): string =>
  [printableLine(message), fieldWords(fields, style)].filter((part) => part !== '').join('  ');

/** The life of one server: its name, what happened, and what it is about. */
const lifeWords = ({ server, ...fields }: Fields, message: string, style: Style): string =>
  `${style.bold(quoted(server))}  ${plainWords(message, fields, style)}`;

const wordsOf = (level: number, message: string, fields: Fields, style: Style): string => {
  if (level <= 20 && isMessage(fields)) return messageWords(fields, style);
  if (level <= 30 && isCall(fields)) return callWords(fields, style);
  return level <= 20 && fields['server'] !== undefined
    ? lifeWords(fields, message, style)
    : plainWords(message, fields, style);
};

/** A line of the log, as JSON, in the form in which a person reads it in a terminal: one line, in local time. */
export const readableLine = (line: string, style: Style): string => {
  const fields = tryJson(line) as Fields | undefined;
  if (fields === undefined) return terminalSafe(line);
  const { level, time, msg, ...rest } = fields;
  const [word, tone] = LEVELS[Number(level)] ?? ['log', 'dim'];
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const words = wordsOf(Number(level), text(msg ?? ''), rest, style);
  return `${style.dim(clock)} ${style[tone](word.padEnd(5))} ${words}\n`;
};

import { PlugboardError } from '@plugboard/contract';
import { isObject, show, tryJson, type JsonObject } from '../connection/json.js';

/** One message, and who sent it. */
export interface RecordedMessage {
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: JsonObject;
  /** Messages of several clients are told apart by it; absent when there is one. */
  readonly conversation?: number | undefined;
}

/** The conversation between a client and a server, redacted. */
export interface Recording {
  readonly label: string;
  readonly recordedAt: string;
  readonly messages: readonly RecordedMessage[];
}

const FORMAT = 'plugboard.recording/1';

/** The first line of a recording. */
export const recordingHeader = (label: string, recordedAt: Date): string =>
  `${JSON.stringify({ format: FORMAT, label, recordedAt: recordedAt.toISOString() })}\n`;

export const recordedLine = (recorded: RecordedMessage): string => `${JSON.stringify(recorded)}\n`;

const wrong = (name: string, why: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `${name} is not a recording: ${why}`, {
    hint: 'Create one with `plugboard record -o session.jsonl -- <command>`.',
  });

const readMessage = (line: string, name: string): RecordedMessage => {
  const value = tryJson(line);
  const { at, from, message, conversation } = isObject(value) ? value : {};
  if (typeof at !== 'number' || (from !== 'client' && from !== 'server') || !isObject(message)) {
    throw wrong(name, 'a line is damaged.');
  }
  return { at, from, message, ...(typeof conversation === 'number' ? { conversation } : {}) };
};

/** Reads the text of a recording. The last line may be cut off: recording was ended by force. */
export const parseRecording = (text: string, name: string): Recording => {
  const [first = '', ...rest] = text.split('\n');
  const header = tryJson(first);
  if (!isObject(header) || header['format'] !== FORMAT) throw wrong(name, `its first line does not name ${FORMAT}.`);
  const lines = rest.filter((line) => line.trim() !== '');
  const whole = lines.filter((line, index) => index < lines.length - 1 || tryJson(line) !== undefined);
  return {
    label: show(header['label']),
    recordedAt: show(header['recordedAt']),
    messages: whole.map((line) => readMessage(line, name)),
  };
};

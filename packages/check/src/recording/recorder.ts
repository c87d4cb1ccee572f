import { messagesIn, type JsonObject } from '../connection/json.js';
import { LineSplitter } from '../connection/line-splitter.js';
import { SseParser } from '../connection/sse-parser.js';
import { TooLong } from '../connection/too-long.js';
import type { Mask } from '../target/mask-secrets.js';
import { recordedLine, recordingHeader, type RecordedMessage } from './recording.js';
import { redactMessage } from './redact-message.js';

export interface RecorderOptions {
  readonly label: string;
  /** Takes the text of the recording, piece by piece. */
  readonly write: (text: string) => void;
  /** Takes secrets of the target out of a text. */
  readonly mask?: Mask;
  readonly now?: () => Date;
}

/** Longer lines are not recorded: one answer must not fill the disk. */
const MAX_LINE = 16 * 1024 * 1024;

/** Writes the messages of a conversation as they come. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #began = performance.now();
  #count = 0;
  #cut: TooLong | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    options.write(recordingHeader(options.label, options.now?.() ?? new Date()));
  }

  /** How many messages were recorded. */
  get count(): number {
    return this.#count;
  }

  /** Why the rest of a stream is not in the recording, if so. */
  get cut(): Error | undefined {
    return this.#cut;
  }

  record(from: RecordedMessage['from'], message: JsonObject, conversation?: number): void {
    const { write, mask = (text: string) => text } = this.#options;
    this.#count += 1;
    const at = Math.round(performance.now() - this.#began);
    write(recordedLine({ at, from, conversation, message: redactMessage(message, mask) }));
  }

  /** Looks at the bytes of one direction of a pipe; what is not JSON is left out. */
  tap(from: RecordedMessage['from']): (chunk: Uint8Array) => void {
    const lines = new LineSplitter(MAX_LINE);
    return this.#until((chunk) => {
      for (const line of lines.push(chunk)) this.text(from, line);
    });
  }

  /** Looks at the bytes of an event stream of the server. */
  tapEvents(conversation?: number): (chunk: Uint8Array) => void {
    const parser = new SseParser(MAX_LINE);
    return this.#until((chunk) => {
      for (const { data } of parser.push(chunk)) this.text('server', data, conversation);
    });
  }

  /** The messages of a text: a line, or the body of a request. */
  text(from: RecordedMessage['from'], text: string, conversation?: number): void {
    if (text.length > MAX_LINE) return;
    for (const message of messagesIn(text)) this.record(from, message, conversation);
  }

  /** The rest of a stream with a line that does not end passes unrecorded. */
  #until(take: (chunk: Uint8Array) => void): (chunk: Uint8Array) => void {
    let isCut = false;
    return (chunk) => {
      if (isCut) return;
      try {
        take(chunk);
      } catch (error) {
        if (!(error instanceof TooLong)) throw error;
        isCut = true;
        this.#cut ??= error;
      }
    };
  }
}

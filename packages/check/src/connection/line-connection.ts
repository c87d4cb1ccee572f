import { pause, within } from './deadline.js';
import type { Child, ExitStatus } from './child.js';
import { Endings } from './endings.js';
import { isObject, tryJson, type JsonObject } from './json.js';
import { LineSplitter } from './line-splitter.js';
import { Mailbox } from './mailbox.js';
import type { Transcript } from './transcript.js';

export interface Line {
  readonly text: string;
  /** Undefined when the line is not a JSON object. */
  readonly message: JsonObject | undefined;
}

export interface LineSettings {
  readonly transcript: Transcript;
  readonly signal: AbortSignal;
  /** What other processes of this program did when they were asked to end. */
  readonly endings?: Endings | undefined;
}

const STDERR_KEPT = 64 * 1024;
const STDERR_SHOWN = 3;
const COMPLAINT = /^(?:error|fatal|panic|uncaught|unhandled)\b|(?:error|exception)\s?:/iu;

/** What a program said of its end, as a sentence: the line that names an error and those after it, or else its last lines. */
const lastWords = (stderr: string): string => {
  const lines = stderr
    .split('\n')
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
  const complaint = lines.findLastIndex((line) => COMPLAINT.test(line));
  if (lines.length === 0) return '';
  return complaint === -1
    ? ` Its last lines on stderr: ${lines.slice(-STDERR_SHOWN).join(' / ')}`
    : ` It wrote to stderr: ${lines.slice(complaint, complaint + STDERR_SHOWN).join(' / ')}`;
};
const KILLED_MS = 2_000;

/** A stdio server with its lines, whatever they hold. */
export class LineConnection {
  readonly connection: number;
  readonly child: Child;
  readonly lines = new Mailbox<Line>();
  readonly #transcript: Transcript;
  readonly #splitter = new LineSplitter();
  readonly #chunks: Uint8Array[] = [];
  readonly #endings: Endings;
  #stderr = '';
  #exit: ExitStatus | undefined;
  #ended = false;

  constructor(child: Child, { transcript, signal, endings = new Endings() }: LineSettings) {
    this.child = child;
    this.#endings = endings;
    this.#transcript = transcript;
    this.connection = transcript.connect();
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_KEPT);
    });
    const abort = (): void => {
      this.#ended ||= this.#exit === undefined;
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', abort, { once: true });
    const closed = new Promise<void>((resolve) => child.stdout.once('close', () => resolve()));
    const ended = async (): Promise<void> => {
      const exit = await child.exited;
      this.#exit = exit;
      signal.removeEventListener('abort', abort);
      // What was written before the end is still in the pipe.
      await Promise.race([closed, pause(200)]);
      transcript.record(this.connection, 'note', exit.error ?? `exit code ${exit.code}, signal ${exit.signal}`);
      this.lines.end(exit.error ?? `the process ended (code ${exit.code}, signal ${exit.signal})`);
    };
    void ended();
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** How the process ended, if it has. */
  get exit(): ExitStatus | undefined {
    return this.#exit;
  }

  /** Everything that came over stdout, byte by byte. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** What came after the last line break. */
  get remainder(): string {
    return this.#splitter.remainder;
  }

  write(data: string | Uint8Array): void {
    this.#transcript.record(this.connection, 'sent', data);
    if (this.child.stdin.writable) this.child.stdin.write(data);
  }

  writeLine(text: string): void {
    this.write(`${text}\n`);
  }

  /** How it ended unexpectedly; undefined while it runs, or when the referee ended it. */
  get death(): string | undefined {
    const exit = this.#exit;
    if (exit === undefined || this.#ended) return undefined;
    if (exit.error !== undefined) return `The process could not be started: ${exit.error}.`;
    const how = exit.signal === null ? `exited with code ${exit.code}` : `was ended by signal ${exit.signal}`;
    return `The process ${how}.${lastWords(this.#stderr)}`;
  }

  /** Closes the input of the server. */
  end(): void {
    this.#ended ||= this.#exit === undefined;
    this.child.stdin.end();
  }

  /** Whether the process ended by itself within this time. */
  async exitsWithin(ms: number): Promise<ExitStatus | undefined> {
    return await within(this.child.exited, { ms, what: 'end of the process' }).catch(() => undefined);
  }

  /** Ends the process and its children: by the end of its input, then by force. */
  async close(): Promise<void> {
    this.end();
    if (!(await this.#endsAfter('end of input'))) {
      this.child.kill('SIGTERM');
      await this.#endsAfter('SIGTERM');
    }
    this.child.kill('SIGKILL');
    await this.exitsWithin(KILLED_MS);
  }

  async #endsAfter(way: 'end of input' | 'SIGTERM'): Promise<boolean> {
    const hasEnded = (await this.exitsWithin(this.#endings.graceAfter(way))) !== undefined;
    if (!hasEnded) this.#endings.ignored(way);
    return hasEnded;
  }

  #take(chunk: Buffer): void {
    this.#transcript.record(this.connection, 'received', chunk);
    this.#chunks.push(chunk);
    for (const text of this.#splitter.push(chunk)) {
      const value = tryJson(text);
      this.lines.put({ text, message: isObject(value) ? value : undefined });
    }
  }
}

import { isObject, tryJson } from '../../connection/json.js';
import { launchProgram, type Child, type LaunchOptions } from '../../connection/child.js';
import { LineSplitter } from '../../connection/line-splitter.js';
import type { ChaosCall, ClientUnderTest, Fate, FaultyPlace } from './subject.js';

const GRACE_MS = 1_000;

/** What the program is told of the server: an address, or the command that it starts. */
const placeEnv = (place: FaultyPlace): Record<string, string> =>
  'url' in place
    ? {
        PLUGBOARD_CHAOS_URL: place.url,
        PLUGBOARD_CHAOS_TRANSPORT: place.transport,
        PLUGBOARD_CHAOS_HEADERS: JSON.stringify(place.headers),
      }
    : { PLUGBOARD_CHAOS_COMMAND: JSON.stringify(place.command), ...place.env };

/**
 * A program that calls tools with the client under examination. It reads one call per line from its standard input,
 * `{"id": 1, "tool": "echo", "arguments": {…}}`, and writes `{"id": 1, "text": "…"}` or `{"id": 1, "error": "…"}`.
 */
export class ClientProgram implements ClientUnderTest {
  readonly #child: Child;
  readonly #open = new Map<number, (fate: Fate) => void>();
  #next = 0;

  constructor(program: LaunchOptions, place: FaultyPlace) {
    this.#child = launchProgram({ ...program, env: { ...program.env, ...placeEnv(place) } });
    const splitter = new LineSplitter();
    this.#child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#take(line);
    });
    this.#child.stderr?.resume();
    void this.#watchEnd();
  }

  call({ tool, arguments: args, deadlineMs }: ChaosCall): Promise<Fate> {
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#settle(id, { kind: 'failed', why: 'no result in time' }), deadlineMs);
      this.#open.set(id, (fate) => {
        clearTimeout(late);
        resolve(fate);
      });
      this.#child.stdin.write(`${JSON.stringify({ id, tool, arguments: args })}\n`);
    });
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await this.#child.exited;
    clearTimeout(late);
    this.#child.kill('SIGKILL');
  }

  async #watchEnd(): Promise<void> {
    await this.#child.exited;
    for (const id of this.#open.keys()) this.#settle(id, { kind: 'failed', why: 'The client ended.' });
  }

  #take(line: string): void {
    const message = tryJson(line);
    if (!isObject(message)) return;
    const { id, text, error } = message;
    if (typeof id !== 'number') return;
    if (typeof text === 'string') this.#settle(id, { kind: 'answered', text });
    else this.#settle(id, { kind: 'failed', why: typeof error === 'string' ? error : 'no text' });
  }

  #settle(id: number, fate: Fate): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(fate);
  }
}

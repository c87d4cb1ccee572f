import type { CheckEra } from '@plugboard/contract';
import { pause } from '../../connection/deadline.js';
import type { Child } from '../../connection/child.js';
import { LineSplitter } from '../../connection/line-splitter.js';
import { Unreachable } from '../../connection/no-answer.js';
import type { Link } from '../../session/link.js';
import { agreedRevision, INITIALIZED, openingOf } from './handshake.js';
import type { Arrival, LoadLine, OnStray, Sent } from './load-line.js';
import { OpenMessages } from './open-messages.js';

const GRACE_MS = 2_000;

/** A program whose callers share its two pipes. */
export class StdioLine implements LoadLine {
  readonly era: CheckEra;
  readonly transport = 'stdio';
  readonly #child: Child;
  readonly #open: OpenMessages;
  readonly #signal: AbortSignal;
  readonly #kill: () => void;
  #revision = '';
  #notStarted: string | undefined;
  #hasEnded = false;

  constructor(link: Link, era: CheckEra, onStray: OnStray) {
    if (link.place.transport !== 'stdio') throw new Unreachable('The target is not a program.');
    this.era = era;
    this.#open = new OpenMessages({ onStray, reply: (text) => this.#write(text) });
    this.#signal = link.signal;
    this.#child = link.place.launch(link.place.program);
    this.#kill = () => this.#child.kill('SIGKILL');
    link.signal.addEventListener('abort', this.#kill, { once: true });
    const splitter = new LineSplitter();
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#open.take(line);
    });
    this.#child.stderr?.resume();
    void this.#watchEnd();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get revision(): string {
    return this.#revision;
  }

  async open(deadlineMs: number): Promise<this> {
    const opening = await this.request(openingOf(this.era, {}), deadlineMs);
    if (this.#notStarted !== undefined) {
      throw new Unreachable(`The program cannot be started: ${this.#notStarted}.`);
    }
    this.#revision = agreedRevision(this.era, opening);
    if (this.era === 'legacy') this.#child.stdin.write(`${INITIALIZED}\n`);
    return this;
  }

  async request(sent: Sent, deadlineMs: number): Promise<Arrival> {
    const arrival = this.#open.wait(sent, deadlineMs);
    if (!this.#write(sent.text)) this.#open.fail(sent.id, 'process ended');
    return await arrival;
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#kill);
    this.#child.stdin.end();
    const ended = this.#child.exited.then(() => true);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const stop = new AbortController();
      const isGone = await Promise.race([ended, pause(GRACE_MS, stop.signal).then(() => false)]);
      stop.abort();
      this.#child.kill(signal);
      if (isGone) break;
    }
    this.#child.kill('SIGKILL');
  }

  /** Whether the program still reads. */
  #write(text: string): boolean {
    const { stdin } = this.#child;
    if (stdin.writable) stdin.write(`${text}\n`);
    return stdin.writable;
  }

  async #watchEnd(): Promise<void> {
    const { error } = await this.#child.exited;
    this.#notStarted = error;
    this.#hasEnded = true;
    this.#open.failAll('process ended');
  }
}

import type { Child } from '../../connection/child.js';
import { tryJson } from '../../connection/json.js';
import { LineSplitter } from '../../connection/line-splitter.js';
import type { Moment } from '../scenario/measure.js';
import type { WorkerOrder, WorkerReport, WorkerResult } from './worker-message.js';

type Order = WorkerOrder extends infer One ? (One extends unknown ? Omit<One, 'number'> : never) : never;

interface Open {
  readonly resolve: (result: WorkerResult) => void;
  readonly reject: (error: Error) => void;
}

const GRACE_MS = 2_000;

/** A worker, seen from the process that gives the orders. */
export class WorkerClient {
  readonly #child: Child;
  readonly #open = new Map<number, Open>();
  #next = 0;
  #moment: Moment | undefined;

  constructor(child: Child) {
    this.#child = child;
    const lines = new LineSplitter();
    child.stdin.on('error', () => undefined);
    child.stderr?.resume();
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#take(tryJson(line) as WorkerReport | undefined);
    });
    void this.#watchEnd();
  }

  /** How the phase goes that it measures. */
  get moment(): Moment | undefined {
    return this.#moment;
  }

  /** Resolves with what came of an order; rejects when the worker failed, or ended. */
  async ask<Name extends WorkerResult['order']>(
    order: Order & { readonly order: Name },
  ): Promise<Extract<WorkerResult, { readonly order: Name }>> {
    this.#next += 1;
    const number = this.#next;
    this.#moment = undefined;
    const result = await new Promise<WorkerResult>((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ number, ...order })}\n`);
    });
    return result as Extract<WorkerResult, { readonly order: Name }>;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await this.#child.exited;
    clearTimeout(late);
    this.#child.kill('SIGKILL');
  }

  #take(report: WorkerReport | undefined): void {
    if (report === undefined) return;
    if ('moment' in report) {
      this.#moment = report.moment;
      return;
    }
    const open = this.#open.get(report.number);
    this.#open.delete(report.number);
    if ('error' in report) open?.reject(new Error(report.error));
    else open?.resolve(report.result);
  }

  async #watchEnd(): Promise<void> {
    const { error, code } = await this.#child.exited;
    const why = error ?? `exit code ${String(code)}`;
    for (const { reject } of this.#open.values()) reject(new Error(`A worker of the generator ended: ${why}.`));
    this.#open.clear();
  }
}

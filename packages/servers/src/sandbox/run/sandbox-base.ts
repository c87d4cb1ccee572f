import { madeOnce } from '@plugboard/base';
import type { IsolateJob, IsolateState, RunOutcome } from '../isolate/isolate-job.js';
import type { IsolateLimits } from '../isolate/isolate-limits.js';
import { PoolBusyError, type IsolatePool } from '../isolate/isolate-pool.js';
import { GUEST_FETCH } from '../isolate/guest-fetch.js';
import { SandboxError } from '../sandbox-error.js';

const DEFINE = `(target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true })`;
const WITH_BUFFER = `(${DEFINE})(globalThis, 'Buffer', (await import('buffer')).Buffer);`;

const WITH_FETCH = `(${GUEST_FETCH})(globalThis[Symbol.for('plugboard.isolate')].callHost, ${DEFINE});`;

/** What every program starts from: loaded once, and copied for each run. */
export class SandboxBase {
  readonly #pool: Pick<IsolatePool, 'run'>;
  readonly #limits: IsolateLimits;
  readonly #code: string;
  readonly state = madeOnce(() => this.#prepare());

  constructor(pool: Pick<IsolatePool, 'run'>, limits: IsolateLimits, { fetch }: { readonly fetch: boolean }) {
    this.#pool = pool;
    this.#limits = limits;
    this.#code = `${WITH_BUFFER}\n${fetch ? WITH_FETCH : ''}\nundefined`;
  }

  async #prepare(): Promise<IsolateState> {
    const outcome = await this.#inPool({
      code: this.#code,
      language: 'javascript',
      limits: { ...this.#limits, cpuMs: 30_000, timeMs: 60_000 },
      files: [],
      keepState: true,
      isProgram: true,
    });
    if (outcome.kind === 'completed' && outcome.state !== undefined) return outcome.state;
    throw new SandboxError('ENGINE_FAULT');
  }

  async #inPool(job: IsolateJob): Promise<RunOutcome> {
    try {
      return await this.#pool.run(job);
    } catch (error) {
      throw error instanceof PoolBusyError ? new SandboxError('BUSY') : error;
    }
  }
}

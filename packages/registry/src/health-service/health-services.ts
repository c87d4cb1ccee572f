import { anySignal } from '@plugboard/base';
import {
  PlugboardError,
  toPlugboardError,
  type HealthService,
  type HealthServiceCreate,
  type HealthServiceStatus,
  type HealthServiceView,
} from '@plugboard/contract';
import type { AskService } from '../port/ask-health-service.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import type { HealthServiceStore } from '../store/health-service-store.js';

export interface HealthServicesOptions {
  readonly store: HealthServiceStore;
  /** Nobody is ever asked when left out. */
  readonly ask: AskService | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** How often is looked which service is due; 0 for never. */
  readonly pollMs: number;
}

/** A service that has not answered by then is down. */
const ANSWER_MS = 5000;
const MS_PER_SECOND = 1000;
const UNKNOWN: HealthServiceStatus = {
  state: 'unknown',
  checked_at: null,
  latency_ms: null,
  http_status: null,
  reason: null,
};

const isWell = (status: number): boolean => status >= 200 && status < 300;

const notFound = (name: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'There is no service with this name.', {
    hint: { api: 'GET /v1/services lists the services.', cli: '`plugboard service list` shows the services.' },
    details: { name: name.slice(0, 128) },
  });

/** Services that a deployment depends on and that speak no MCP. Each is polled at its own interval. */
export class HealthServices {
  readonly #options: HealthServicesOptions;
  readonly #states = new Map<string, HealthServiceStatus>();
  readonly #asking = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(options: HealthServicesOptions) {
    this.#options = options;
    if (options.pollMs > 0 && options.ask !== undefined) {
      this.#timer = setInterval(() => void this.#look(), options.pollMs);
      this.#timer.unref();
    }
  }

  /** By name, each with what was last found. */
  async list(): Promise<readonly HealthServiceView[]> {
    return (await this.#options.store.all()).map((service) => this.#view(service));
  }

  /** Rejects with NOT_FOUND. */
  async get(name: string): Promise<HealthServiceView> {
    const found = (await this.list()).find((service) => service.name === name);
    if (found === undefined) throw notFound(name);
    return found;
  }

  /** Asks it once before it answers. Rejects with CONFLICT when the name is taken. */
  async create(input: HealthServiceCreate, signal?: AbortSignal): Promise<HealthServiceView> {
    if ((await this.#options.store.all()).some(({ name }) => name === input.name)) {
      throw new PlugboardError('CONFLICT', `A service named "${input.name}" already exists.`, {
        hint: 'Remove it first, or choose another name.',
      });
    }
    const service = await this.declare(input);
    await this.#ask(service, signal);
    return this.#view(service);
  }

  /** As the configuration says: there afterwards, whether it was there before or not. */
  async declare(input: HealthServiceCreate): Promise<HealthService> {
    const { store, clock } = this.#options;
    const service = { ...input, created_at: isoTime(clock.now()) };
    await store.put(service);
    this.#states.set(service.name, UNKNOWN);
    return service;
  }

  /** Rejects with NOT_FOUND. */
  async remove(name: string): Promise<void> {
    if (!(await this.#options.store.remove(name))) throw notFound(name);
    this.#states.delete(name);
  }

  /** What was last found, by name, without asking anybody. */
  states(): Readonly<Record<string, HealthServiceStatus>> {
    return Object.fromEntries([...this.#states].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Asks every service that is due. */
  async askDue(): Promise<void> {
    const services = await this.#options.store.all();
    const names = new Set(services.map(({ name }) => name));
    for (const name of this.#states.keys()) if (!names.has(name)) this.#states.delete(name);
    const now = this.#options.clock.now();
    await Promise.all(services.filter((service) => this.#isDue(service, now)).map((service) => this.#ask(service)));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopped.abort();
  }

  #view(service: HealthService): HealthServiceView {
    return { ...service, status: this.#states.get(service.name) ?? UNKNOWN };
  }

  #isDue({ name, interval_seconds }: HealthService, now: number): boolean {
    const last = this.#states.get(name)?.checked_at ?? null;
    return last === null || now - Date.parse(last) >= interval_seconds * MS_PER_SECOND;
  }

  async #look(): Promise<void> {
    try {
      await this.askDue();
    } catch (thrown) {
      if (this.#stopped.signal.aborted) return;
      this.#options.log.warn('Services could not be polled.', { reason: toPlugboardError(thrown).message });
    }
  }

  /** One question at a time to each. */
  #ask(service: HealthService, signal?: AbortSignal): Promise<void> {
    const asking = this.#asking.get(service.name) ?? this.#askNow(service, signal);
    this.#asking.set(service.name, asking);
    return asking;
  }

  async #askNow({ name, url }: HealthService, signal: AbortSignal | undefined): Promise<void> {
    const { clock, ask, log } = this.#options;
    if (ask === undefined) return;
    const startedAt = clock.now();
    const checked = (found: Pick<HealthServiceStatus, 'state' | 'http_status' | 'reason'>): void => {
      const before = this.#states.get(name)?.state;
      const latency_ms = clock.now() - startedAt;
      this.#states.set(name, { ...found, latency_ms, checked_at: isoTime(clock.now()) });
      if (found.state === 'down' && before === 'up') log.warn('A service is down.', { service: name, ...found });
      if (found.state === 'up' && before === 'down') log.info('A service has recovered.', { service: name });
    };
    try {
      const status = await ask(url, anySignal(AbortSignal.timeout(ANSWER_MS), this.#stopped.signal, signal));
      const well = isWell(status);
      checked({ state: well ? 'up' : 'down', http_status: status, reason: well ? null : `It answered ${status}.` });
    } catch (thrown) {
      if (this.#stopped.signal.aborted) return;
      checked({ state: 'down', http_status: null, reason: toPlugboardError(thrown).message });
    } finally {
      this.#asking.delete(name);
    }
  }
}

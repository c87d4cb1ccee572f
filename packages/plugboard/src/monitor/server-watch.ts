import { createHash } from 'node:crypto';
import { CallMonitor } from '@plugboard/check';
import type {
  CatalogueEntry,
  MonitorAlertKind,
  MonitorDrift,
  MonitoredServer,
  MonitorSample,
  Server,
  ToolDefinition,
} from '@plugboard/contract';
import type { LockFile } from '@plugboard/schema';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import { contractDrift, type Live } from './contract-drift.js';
import { errorBudget, type ErrorBudget } from './error-budget.js';
import { type Canary, chooseCanary, type ProbeResult } from './probe.js';

export const WINDOW_MS = 24 * 3_600_000;
/** As many probes as a day has at the shortest interval, and not more. */
const MAX_PROBES = 17_280;
const MAX_CALLS = 2_000;
/** So many failed probes in a row, and the server is down. */
const DOWN_AFTER = 2;
const DAY_MS = 86_400_000;
/** Days before the end at which an expiry is announced. */
const EXPIRY_DAYS = [30, 7, 1];
const CANARY_MS = 3_600_000;

export type RaiseAlert = (kind: MonitorAlertKind, message: string) => void;

export interface WatchOptions {
  readonly settings: MonitorSettings;
  readonly now: () => number;
  readonly alert: RaiseAlert;
}

export interface Expiry {
  readonly certificate: Date | undefined;
  readonly token: { readonly at: Date; readonly renewable: boolean } | undefined;
}

/** What is known of one server, and when somebody should be told. */
export class ServerWatch {
  readonly #options: WatchOptions;
  readonly #calls: CallMonitor;
  readonly #outcomes: { readonly at: number; readonly ok: boolean }[] = [];
  #failures = 0;
  #reason: string | undefined;
  #notProbed: string | undefined;
  #isDown = false;
  #isBurning = false;
  #drift: MonitorDrift | undefined;
  #compared = '';
  #expiry: Expiry = { certificate: undefined, token: undefined };
  readonly #announced = new Map<'certificate' | 'token', number>();
  #canary: { readonly until: number; readonly chosen: Canary | undefined } | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#calls = new CallMonitor({ windowMs: WINDOW_MS, maxCalls: MAX_CALLS, maxSeries: 20, now: options.now });
  }

  /** Takes over what an earlier hub measured, and told. Samples of one probe follow each other. */
  recall(samples: readonly MonitorSample[]): void {
    for (const sample of samples) {
      this.#record(sample);
      const at = Date.parse(sample.at);
      if (sample.method === 'handshake') this.#outcomes.push({ at, ok: sample.ok });
      else if (!sample.ok) this.#outcomes.splice(-1, 1, { at, ok: false });
    }
    this.#failures = this.#outcomes.length - 1 - this.#outcomes.findLastIndex(({ ok }) => ok);
    this.#isDown = this.#failures >= DOWN_AFTER;
    this.#isBurning = this.#budget().alarming;
  }

  /** Why the server is not probed; undefined while it is. */
  pause(reason: string | undefined): void {
    this.#notProbed = reason;
  }

  /** The call that goes with the probes; what is harmless is looked for once an hour. */
  async canaryAmong(server: Server, tools: readonly ToolDefinition[]): Promise<Canary | undefined> {
    const now = this.#options.now();
    if (this.#canary === undefined || this.#canary.until < now) {
      this.#canary = { until: now + CANARY_MS, chosen: await chooseCanary(server, tools, this.#options.settings) };
    }
    return this.#canary.chosen;
  }

  probed({ samples, reason }: ProbeResult): void {
    for (const sample of samples) this.#record(sample);
    const ok = samples.every((sample) => sample.ok);
    this.#outcomes.push({ at: this.#options.now(), ok });
    if (this.#outcomes.length > MAX_PROBES) this.#outcomes.splice(0, this.#outcomes.length - MAX_PROBES);
    this.#reason = ok ? undefined : reason;
    this.#failures = ok ? 0 : this.#failures + 1;
    this.#tellState(ok);
    this.#tellBurn();
  }

  /** Compares what the server offers with what was accepted, when either changed. */
  compare({ tools, instructions }: Live, entry: CatalogueEntry, lock: LockFile | undefined): void {
    const print = createHash('sha256')
      .update(
        JSON.stringify([tools, instructions, entry.tools.map(({ contract_hash }) => contract_hash), lock?.servers]),
      )
      .digest('base64');
    if (print === this.#compared) return;
    this.#compared = print;
    const found = contractDrift({ tools, instructions }, entry, lock);
    if (found === undefined) {
      this.#drift = undefined;
      return;
    }
    this.#drift = { since: this.#drift?.since ?? new Date(this.#options.now()).toISOString(), ...found };
    const [first = ''] = found.changes;
    const more = found.changes.length > 1 ? ` And ${found.changes.length - 1} more.` : '';
    this.#options.alert('drift', `The server offers something else than was accepted (${found.kind}): ${first}${more}`);
  }

  expires(expiry: Expiry): void {
    this.#expiry = expiry;
    this.#tellExpiry('certificate', expiry.certificate, 'The TLS certificate');
    const { token } = expiry;
    this.#tellExpiry(
      'token',
      token?.renewable === false ? token.at : undefined,
      'The OAuth token, which cannot be renewed,',
    );
  }

  view({ id, server_name }: Pick<Server, 'id' | 'server_name'>): MonitoredServer {
    const now = this.#options.now();
    const outcomes = this.#recent(now);
    const budget = this.#budget();
    const last = outcomes.at(-1);
    const { certificate, token } = this.#expiry;
    return {
      server_id: id,
      server_name,
      state: this.#state(last?.ok),
      reason: this.#notProbed ?? this.#reason ?? null,
      checked_at: last === undefined ? null : new Date(last.at).toISOString(),
      probes: outcomes.length,
      availability: budget.availability,
      burn: budget.burn,
      budget_left: budget.left,
      series: [...this.#calls.summary()],
      drift: this.#drift ?? null,
      certificate:
        certificate === undefined
          ? null
          : {
              expires_at: certificate.toISOString(),
              days_left: Math.floor((certificate.getTime() - now) / DAY_MS),
            },
      token: token === undefined ? null : { expires_at: token.at.toISOString(), renewable: token.renewable },
    };
  }

  #state(lastOk: boolean | undefined): MonitoredServer['state'] {
    if (this.#notProbed !== undefined) return 'not-probed';
    if (lastOk === undefined) return 'unknown';
    if (lastOk) return 'up';
    return this.#isDown ? 'down' : 'failing';
  }

  #recent(now: number): readonly { readonly at: number; readonly ok: boolean }[] {
    return this.#outcomes.filter(({ at }) => at >= now - WINDOW_MS);
  }

  #budget(): ErrorBudget {
    const now = this.#options.now();
    return errorBudget(this.#recent(now), this.#options.settings.objective, now);
  }

  #record({ method, tool, ok, code, duration_ms, at }: MonitorSample): void {
    this.#calls.record({
      method,
      tool: tool ?? undefined,
      durationMs: duration_ms,
      error: ok ? undefined : (code ?? 'INTERNAL'),
      at: Date.parse(at),
    });
  }

  #tellState(ok: boolean): void {
    if (ok && this.#isDown) {
      this.#isDown = false;
      this.#options.alert('up', 'The server answers again.');
    } else if (!ok && !this.#isDown && this.#failures >= DOWN_AFTER) {
      this.#isDown = true;
      this.#options.alert('down', `${DOWN_AFTER} probes in a row failed. ${this.#reason ?? ''}`.trim());
    }
  }

  #tellBurn(): void {
    const { alarming, burn } = this.#budget();
    if (alarming && !this.#isBurning) {
      const rate = Math.max(burn.hour ?? 0, burn.six_hours ?? 0).toFixed(1);
      this.#options.alert('burn', `The error budget is used up ${rate} times faster than allowed.`);
    }
    this.#isBurning = alarming;
  }

  /** Once for each of the days, the nearest first. */
  #tellExpiry(kind: 'certificate' | 'token', at: Date | undefined, what: string): void {
    if (at === undefined) return;
    const days = (at.getTime() - this.#options.now()) / DAY_MS;
    const reached = EXPIRY_DAYS.findLast((limit) => days <= limit);
    if (reached === undefined) {
      this.#announced.delete(kind);
      return;
    }
    if ((this.#announced.get(kind) ?? Number.POSITIVE_INFINITY) <= reached) return;
    this.#announced.set(kind, reached);
    const when = days <= 0 ? 'has expired' : `expires in ${Math.ceil(days)} ${Math.ceil(days) === 1 ? 'day' : 'days'}`;
    this.#options.alert(kind, `${what} ${when}.`);
  }
}

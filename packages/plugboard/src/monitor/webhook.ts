import { anySignal } from '@plugboard/base';
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { MonitorAlert } from '@plugboard/contract';

export interface WebhookOptions {
  readonly url: string;
  /** Signs each body: `X-Plugboard-Signature: sha256=<HMAC in hexadecimal>`. */
  readonly secret: string | undefined;
  readonly onFailure: (reason: string) => void;
  /** How long to wait before each further attempt. */
  readonly pausesMs?: readonly number[];
  /** Default: that of the process. */
  readonly fetch?: typeof fetch;
}

const ANSWER_MS = 5_000;
const PAUSES_MS = [1_000, 10_000];
/** Alerts that wait; when the receiver is down for long, the oldest are dropped. */
const MAX_WAITING = 100;

/** Sends alerts one after the other, a few attempts each. Nobody waits for it. */
export class Webhook {
  readonly #options: WebhookOptions;
  readonly #waiting: MonitorAlert[] = [];
  readonly #stopped = new AbortController();
  #sending: Promise<void> | undefined;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  send(alert: MonitorAlert): void {
    if (this.#stopped.signal.aborted) return;
    this.#waiting.push(alert);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Ends what is in progress; what waits is dropped. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#sending;
  }

  async #drain(): Promise<void> {
    for (let alert = this.#waiting.shift(); alert !== undefined; alert = this.#waiting.shift()) {
      await this.#deliver(alert);
      if (this.#stopped.signal.aborted) return;
    }
  }

  async #deliver(alert: MonitorAlert): Promise<void> {
    const pauses = this.#options.pausesMs ?? PAUSES_MS;
    for (let attempt = 0; ; attempt += 1) {
      const reason = await this.#post(alert);
      if (reason === undefined || this.#stopped.signal.aborted) return;
      const wait = pauses[attempt];
      if (wait === undefined) {
        this.#options.onFailure(reason);
        return;
      }
      await pause(wait, undefined, { signal: this.#stopped.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Why it was not delivered; undefined when it was. The address may hold a key, so it is not part of the reason. */
  async #post(alert: MonitorAlert): Promise<string | undefined> {
    const { url, secret } = this.#options;
    const body = JSON.stringify({ event: 'monitor_alert', ...alert });
    const signature =
      secret === undefined
        ? {}
        : { 'x-plugboard-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
    try {
      const response = await (this.#options.fetch ?? fetch)(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'plugboard', ...signature },
        body,
        redirect: 'error',
        signal: anySignal(this.#stopped.signal, AbortSignal.timeout(ANSWER_MS)),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `The receiver answered ${response.status}.`;
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError'
        ? `The receiver did not answer within ${ANSWER_MS / 1_000} s.`
        : 'The receiver cannot be reached.';
    }
  }
}

import { type CircuitBreaker, McpClient, type McpClientOptions } from '@plugboard/client';

/** A client whose handshakes count like calls: a server that cannot be reached is left alone for a while, too. */
export class BreakerClient extends McpClient {
  readonly #breaker: CircuitBreaker;

  constructor(options: McpClientOptions, breaker: CircuitBreaker) {
    super(options);
    this.#breaker = breaker;
  }

  override connect({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.isInitialized) return super.connect({ signal });
    const context = {
      serverName: this.name,
      method: 'initialize',
      attempt: 1,
      idempotent: true,
      signal: signal ?? new AbortController().signal,
    };
    return this.#breaker.policy(context, (current) => super.connect({ signal: current.signal }));
  }
}

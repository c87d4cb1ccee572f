import { metricLabel } from '@plugboard/contract';
import { Counter, type Registry } from 'prom-client';
import type { CallOutcome, CallRecord } from '../pipeline/observe/call-record.js';

type Counts = Map<CallOutcome, number>;

const labelOf = (outcome: CallOutcome): string => (outcome === 'ok' || outcome === 'tool_error' ? outcome : 'error');

/** Counts requests by method, server and outcome, and failures by code. The counts are handed over when somebody reads. */
export class RequestCounts {
  /** By server, then by method. */
  readonly #servers = new Map<string, Map<string, Counts>>();

  constructor(registry: Registry) {
    const requests: Counter<'method' | 'server' | 'outcome'> = new Counter({
      name: 'plugboard_requests_total',
      help: 'MCP requests of clients, by method, server and outcome.',
      labelNames: ['method', 'server', 'outcome'],
      registers: [registry],
      collect: () => {
        requests.reset();
        this.#each((labels, outcome, count) => requests.inc({ ...labels, outcome: labelOf(outcome) }, count));
      },
    });
    const errors: Counter<'method' | 'server' | 'code'> = new Counter({
      name: 'plugboard_errors_total',
      help: 'MCP requests that failed, by code.',
      labelNames: ['method', 'server', 'code'],
      registers: [registry],
      collect: () => {
        errors.reset();
        this.#each((labels, outcome, count) => {
          if (outcome !== 'ok' && outcome !== 'tool_error') {
            errors.inc({ ...labels, code: metricLabel(outcome) }, count);
          }
        });
      },
    });
  }

  add({ method, server = '', outcome }: CallRecord): void {
    const counts = this.#counts(server, method);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  #counts(server: string, method: string): Counts {
    const known = this.#servers.get(server)?.get(method);
    if (known !== undefined) return known;
    const methods = this.#servers.get(server) ?? new Map<string, Counts>();
    const counts: Counts = new Map();
    this.#servers.set(server, methods.set(method, counts));
    return counts;
  }

  #each(
    tell: (labels: { readonly method: string; readonly server: string }, outcome: CallOutcome, count: number) => void,
  ): void {
    for (const [server, methods] of this.#servers) {
      for (const [method, counts] of methods) {
        for (const [outcome, count] of counts) tell({ method, server }, outcome, count);
      }
    }
  }
}

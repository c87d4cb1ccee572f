import type { CallPolicies } from '../policy/policy.js';
import type { LiveSession } from '../session/live-session.js';
import { DirectLine } from './direct-line.js';
import type { FastLine } from './line/fast-line.js';
import { PipeLine } from './pipe/pipe-line.js';

export interface DirectAccessOptions {
  readonly policies: CallPolicies | undefined;
  readonly callMs: number;
  readonly nextId: () => number;
}

/** Fields that belong to single requests; a config that fixes one of them needs the full path. */
const OF_REQUESTS = ['baggage', 'mcp-method', 'mcp-name', 'traceparent', 'tracestate', 'x-agent-id'];

/** The shortest way of each session, where it has one. */
export class DirectAccess {
  readonly #options: DirectAccessOptions;
  #last: { readonly live: LiveSession; readonly line: FastLine | undefined } | undefined;

  constructor(options: DirectAccessOptions) {
    this.#options = options;
  }

  to(live: LiveSession | undefined): FastLine | undefined {
    if (live === undefined) return undefined;
    if (this.#last?.live !== live) this.#last = { live, line: this.#line(live) };
    return this.#last.line;
  }

  #line(live: LiveSession): FastLine | undefined {
    const { policies, callMs, nextId } = this.#options;
    const gate = policies?.gate;
    const target = live.transport.direct?.();
    if (target === undefined || (gate === undefined && policies !== undefined)) return undefined;
    if (target.kind === 'pipe') return new PipeLine({ live, target, gate, callMs, nextId });
    if (OF_REQUESTS.some((name) => name in target.channel.fields)) return undefined;
    return new DirectLine({ live, target, gate, callMs, nextId });
  }
}

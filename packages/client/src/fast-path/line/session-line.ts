import type { Era } from '@plugboard/wire';
import type { CallGate } from '../../policy/call-gate.js';
import type { LiveSession } from '../../session/live-session.js';

export interface LineOptions<Target> {
  readonly live: LiveSession;
  readonly target: Target;
  readonly gate: CallGate | undefined;
  /** How long a call may take on the full path. */
  readonly callMs: number;
  readonly nextId: () => number;
}

/** What a fast path takes from the session that it serves, over whatever transport. */
export abstract class SessionLine<Target> {
  readonly live: LiveSession;
  protected readonly options: LineOptions<Target>;

  constructor(options: LineOptions<Target>) {
    this.live = options.live;
    this.options = options;
  }

  get era(): Era {
    return this.live.agreement.revision.era;
  }

  get revision(): string {
    return this.live.agreement.version;
  }

  nextId(): number {
    return this.options.nextId();
  }
}

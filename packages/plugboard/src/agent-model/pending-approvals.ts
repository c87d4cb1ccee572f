import { deadlineSignal, linkSignals } from '@plugboard/base';
import { PlugboardError, type Principal } from '@plugboard/contract';
import type { ApprovalDecision } from '@plugboard/registry';

/** A call that waits, and who may decide about it. */
export interface AwaitedCall {
  readonly completionId: string;
  readonly callId: string;
  /** Who asked the agent; nobody else decides, nor the same one with a token that allows something else. */
  readonly asker: Principal;
}

export interface PendingApprovalsOptions {
  /** Who does not answer within this time has said no. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 10 * 60_000;

/** Responses have the id of their answer behind this prefix. */
const RESPONSE_PREFIX = /^resp_/u;

const keyOf = ({ completionId, callId, asker: { id, role, agent, servers } }: AwaitedCall): string =>
  JSON.stringify([completionId.replace(RESPONSE_PREFIX, ''), callId, id, role, agent, servers]);

/** Calls of agents that wait for a yes or a no from the one who asked. */
export class PendingApprovals {
  readonly #patienceMs: number;
  readonly #waiting = new Map<string, (approve: boolean) => void>();

  constructor({ patienceMs = PATIENCE_MS }: PendingApprovalsOptions = {}) {
    this.#patienceMs = patienceMs;
  }

  /** The decision; no when it does not come in time. Rejects when the signal is aborted. */
  async wait(call: AwaitedCall, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const key = keyOf(call);
    // A yes to one call must not be a yes to another.
    if (this.#waiting.has(key)) return false;
    using patience = deadlineSignal(this.#patienceMs);
    using either = linkSignals(signal, patience.signal);
    try {
      const approve = await new Promise<boolean>((resolve) => {
        either.signal.addEventListener('abort', () => resolve(false), { once: true });
        this.#waiting.set(key, resolve);
      });
      signal.throwIfAborted();
      return approve;
    } finally {
      this.#waiting.delete(key);
    }
  }

  /** Throws NOT_FOUND when no such call waits, or somebody else must decide. */
  decide({ completionId, callId, approve, principal }: ApprovalDecision): void {
    const answer = this.#waiting.get(keyOf({ completionId, callId, asker: principal }));
    if (answer === undefined) {
      throw new PlugboardError('NOT_FOUND', 'No call of this answer waits for a decision.', {
        hint: 'It was already decided, it timed out, or the answer has ended.',
      });
    }
    answer(approve);
  }
}

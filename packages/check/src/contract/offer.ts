import type { CheckedServer, CheckResult, ToolDefinition } from '@plugboard/contract';

/** What a server offers to a model now: the part of it that a lock file pins. */
export interface Offer {
  readonly tools: readonly ToolDefinition[];
  /** Undefined when they could not be read; the lock is then not compared with them. */
  readonly instructions: string | undefined;
  readonly transport: CheckResult['transport'];
  readonly era: CheckResult['era'];
  readonly server?: CheckedServer | undefined;
}

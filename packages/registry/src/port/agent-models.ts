import type { KeptAgent, ModelRequest, Principal } from '@plugboard/contract';

export interface AgentQuestion {
  readonly api: 'chat' | 'responses';
  readonly body: Readonly<Record<string, unknown>>;
  /** Who asks. The agent may use no more than this. */
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Finds the agent that the body names, if the one who asks may use it. */
  readonly agentOf: (idOrName: string) => Promise<KeptAgent>;
}

/** A yes or no to a call that waits for it. */
export interface ApprovalDecision {
  /** The id of the answer whose stream named the call. */
  readonly completionId: string;
  readonly callId: string;
  readonly approve: boolean;
  readonly principal: Principal;
}

/** A request to the provider of an agent's model. */
export interface ModelPassage {
  readonly agent: KeptAgent;
  readonly request: ModelRequest;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** Answers for agents with their models and tools, in the words of OpenAI's API. Failures are PlugboardErrors. */
export interface AgentModels {
  answer(question: AgentQuestion): Promise<Response>;
  /** What the provider answers, as it comes; its status and headers are in headers. */
  pass(passage: ModelPassage): Promise<Response>;
  /** Throws NOT_FOUND when no such call waits for this one. */
  decide(decision: ApprovalDecision): void;
}

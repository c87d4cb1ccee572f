import type { AgentEvent, Message } from '@plugboard/agent';

/** Who answers in a conversation: a model with the tools of the hub, or an agent of the hub with its own. */
export interface ChatPartner {
  /** Who it is, in words. */
  readonly title: string;
  /** The answer to the last message. Its last event has the whole conversation. */
  answer(messages: readonly Message[], signal: AbortSignal): AsyncIterable<AgentEvent>;
}

import { type AgentRunOptions, runAgent } from '@plugboard/agent';
import type { ChatPartner } from './chat-partner.js';

/** A model that this command asks, with tools of the hub. */
export const modelPartner = (title: string, options: Omit<AgentRunOptions, 'messages' | 'signal'>): ChatPartner => ({
  title: `${title} with ${options.tools.tools.length} tools`,
  answer: (messages, signal) => runAgent({ ...options, messages, signal }),
});

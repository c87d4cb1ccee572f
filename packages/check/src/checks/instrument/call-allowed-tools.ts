import type { Probe } from '../../probe/probe.js';
import type { RequestOptions, Session } from '../../session/session.js';
import { responsive, tryCall } from './exercise.js';

/** Calls every tool that may be called once: a call can make the server send notifications. */
export const callAllowedTools = async (probe: Probe, session: Session, options: RequestOptions = {}): Promise<void> => {
  for (const tool of await responsive(probe)) {
    await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} }, options);
  }
  await session.settle();
};

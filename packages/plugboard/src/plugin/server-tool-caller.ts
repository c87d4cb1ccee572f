import { anySignal } from '@plugboard/base';
import type { ToolCaller, ToolCallOptions } from '@plugboard/client';
import { PlugboardError, toolResult } from '@plugboard/contract';
import type { Gateway } from '@plugboard/gateway';
import { z } from 'zod';
import { answerError } from '../hub-api/answer-error.js';

const tools = z.array(z.looseObject({ name: z.string() }));

const never = new AbortController().signal;

/** The tools of a registered server for a part of the hub itself: guarded, limited and audited like every call. */
export const serverToolCaller = (gateway: Pick<Gateway, 'answer'>, server: string): ToolCaller => {
  const ask = async (
    method: 'GET' | 'POST',
    segments: readonly string[],
    body: unknown,
    { signal = never, deadlineMs }: ToolCallOptions = {},
  ): Promise<unknown> => {
    const bounded = deadlineMs === undefined ? signal : anySignal(signal, AbortSignal.timeout(deadlineMs));
    const answer = await gateway.answer({
      method,
      segments: ['servers', server, 'tools', ...segments],
      body: body === undefined ? '' : JSON.stringify(body),
      signal: bounded,
    });
    const json = JSON.parse(answer.body) as unknown;
    if (answer.status < 300) return json;
    throw answerError(answer.status, json);
  };
  return {
    listTools: async (options) => {
      const listed = tools.safeParse(await ask('GET', [], undefined, options));
      if (listed.success) return listed.data;
      throw new PlugboardError('INTERNAL', 'The list of tools has an unexpected format.');
    },
    callTool: async (name, args, options) => toolResult.parse(await ask('POST', [name], args, options)),
    // The connection belongs to the hub.
    dispose: () => Promise.resolve(),
  };
};

import { type ModelProvider, runAgent, toolsFromCalls, userText } from '@plugboard/agent';
import { isJsonObject, tryJson } from '@plugboard/base';
import type { AskEval, EvalCall } from '@plugboard/check';
import { validateArguments } from '@plugboard/schema';
import type { OfferedTool } from './eval-tools.js';

/** Asks a model for its first turn. Its calls are mapped back and validated as for the server, but not made. */
export const askModel =
  (provider: ModelProvider, model: string, system: string | undefined, offered: readonly OfferedTool[]): AskEval =>
  async ({ case: one, signal }) => {
    const calls: EvalCall[] = [];
    const sent = new Map<string, string>();
    const found = offered.map(({ server, definition }) => ({
      server,
      definition,
      call: async (args: Readonly<Record<string, unknown>>) => {
        calls.push({ server, tool: definition.name, arguments: args });
        return { content: [] };
      },
    }));
    const tools = toolsFromCalls(found, { provider: provider.profile });
    const messages = [userText(one.prompt)];
    for await (const event of runAgent({ provider, model, system, tools, messages, maxTurns: 1, signal })) {
      if (event.type === 'tool-call') sent.set(event.id, event.arguments);
      if (event.type !== 'tool-result' || event.kind === 'result') continue;
      const tool = tools.tools.find(({ name }) => name === event.name);
      const args = tryJson(sent.get(event.id) ?? '');
      calls.push({
        server: tool?.metadata.server_name ?? '',
        tool: tool?.upstreamName ?? event.name,
        arguments: isJsonObject(args) ? args : {},
        problem: event.text,
      });
    }
    return calls;
  };

/** Makes the calls of the case's own script: a model that costs nothing and always decides alike. */
export const askScript =
  (offered: readonly OfferedTool[]): AskEval =>
  async ({ case: { script = [] }, iteration }) =>
    (script[iteration % script.length] ?? []).map(({ tool: name, arguments: args }): EvalCall => {
      const found = offered.find(
        ({ server, definition }) => name === definition.name || name === `${server}/${definition.name}`,
      );
      if (found === undefined) return { server: '', tool: name, arguments: args, problem: 'No server has this tool.' };
      const verdict = validateArguments(found.definition.inputSchema, args);
      const problem = verdict.ok
        ? undefined
        : verdict.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join(' ');
      return { server: found.server, tool: found.definition.name, arguments: args, problem };
    });

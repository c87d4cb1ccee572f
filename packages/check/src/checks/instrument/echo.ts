import { at, isObject, listAt } from '../../connection/json.js';
import { notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Answer } from '../../session/answer.js';
import { responsive, tryCall } from './exercise.js';

export interface TextTool {
  readonly tool: CallableTool;
  readonly parameter: string;
}

/** Tools with a parameter that takes any text. */
export const textTools = async (probe: Probe): Promise<readonly TextTool[]> =>
  (await responsive(probe)).flatMap((tool) => {
    const properties = at(tool.inputSchema, 'properties');
    const free = Object.entries(isObject(properties) ? properties : {}).find(
      ([, schema]) =>
        at(schema, 'type') === 'string' && at(schema, 'enum') === undefined && at(schema, 'pattern') === undefined,
    );
    return free === undefined ? [] : [{ tool, parameter: free[0] }];
  });

export const textOf = (answer: Pick<Answer, 'result'> | undefined): string =>
  listAt(answer?.result, 'content')
    .map((block) => at(block, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');

/** A tool that gives back the text that it was given, and how it is given. */
export const findEcho = (probe: Probe): Promise<TextTool | undefined> =>
  probe.once('echo', async () => {
    const candidates = await textTools(probe);
    if (candidates.length === 0) return undefined;
    const session = await probe.open();
    const canary = `canary-${probe.seed}`;
    for (const { tool, parameter } of candidates) {
      const args = { ...tool.arguments[0], [parameter]: canary };
      const { answer } = await tryCall(probe, session, { tool, args });
      if (textOf(answer).includes(canary)) return { tool, parameter };
    }
    return undefined;
  });

export const NO_ECHO = notVerified(
  'No tool that may be called returns the text that it receives.',
  'a tool that returns its text, if the server has one: --allow echo',
);

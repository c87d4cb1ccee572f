import { PlugboardError, type ToolView } from '@plugboard/contract';
import { someOf } from '../../terminal/count.js';
import { printableLine } from '../../terminal/printable.js';
import { didYouMean } from '../../terminal/did-you-mean.js';

export const toolNotFound = (server: string, name: string, known: readonly string[]): PlugboardError => {
  const list =
    known.length === 0
      ? `No tool of ${server} is known: plugboard sync ${server}`
      : `It has ${someOf(known.map(printableLine), 12)}.`;
  return new PlugboardError('TOOL_NOT_FOUND', `${server} has no tool called "${name}".`, {
    hint: didYouMean(name, known, list),
  });
};

type Named = Pick<ToolView, 'upstream_name'> & Partial<Pick<ToolView, 'name' | 'id'>>;

/** By the server's own name, or by the name that models see. */
export const findTool = <Found extends Named>(server: string, tools: readonly Found[], name: string): Found => {
  const found =
    tools.find((tool) => tool.upstream_name === name) ?? tools.find((tool) => tool.name === name || tool.id === name);
  if (found === undefined) {
    throw toolNotFound(
      server,
      name,
      tools.map((tool) => tool.upstream_name),
    );
  }
  return found;
};

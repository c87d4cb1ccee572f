import { EXIT, type ExitCode, type ToolDefinition } from '@plugboard/contract';
import { fitList } from '@plugboard/schema';
import type { UsableTool } from '../../hub-api/client/usable-tools.js';
import type { Output } from '../../terminal/output.js';
import type { ToolFormat } from '../input/parse-tool-format.js';

/** Writes tools as a provider or a library takes them; what the provider cannot take is named and left out. */
export const writeProviderTools = (
  out: Output,
  tools: readonly { readonly name: string; readonly tool: UsableTool }[],
  { profile, write }: ToolFormat,
): ExitCode => {
  const definitions = tools.map(({ name, tool }): ToolDefinition => ({
    name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    inputSchema: tool.input_schema,
  }));
  const adapted = fitList(definitions, profile).tools;
  const shapes = adapted
    .filter(({ verdict }) => verdict !== 'rejected')
    .map(({ definition, plan }) => write(definition, plan.profile));
  out.data(shapes);
  out.text(JSON.stringify(shapes, null, 2));
  const rejected = definitions.filter((_definition, index) => adapted[index]?.verdict === 'rejected');
  if (rejected.length === 0) return EXIT.ok;
  out.note(
    `${profile} does not accept ${rejected.map(({ name }) => name).join(', ')}: omitted. plugboard lint shows the reason.`,
  );
  return EXIT.failed;
};

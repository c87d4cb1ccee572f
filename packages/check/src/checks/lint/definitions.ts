import type { ToolDefinition } from '@plugboard/contract';
import { lintServer, type LintFinding } from '@plugboard/schema';
import { at } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';

/** The tools as the schema doctor takes them. */
export const definitionsOf = async (probe: Probe): Promise<readonly ToolDefinition[]> =>
  (await probe.tools()).map(({ definition }) => definition as unknown as ToolDefinition);

/** Everything that the lint rules say of the server; determined once per era. */
export const lintOf = (probe: Probe): Promise<readonly LintFinding[]> =>
  probe.once('lint', async () => {
    const { opening, capabilities } = probe.session();
    const instructions = at(opening.result, 'instructions');
    return lintServer({ tools: await definitionsOf(probe), instructions, capabilities });
  });

export const describeLint = ({ tool, where, message }: LintFinding): string =>
  `${tool === undefined ? 'The server' : tool} (${where}): ${message}`;

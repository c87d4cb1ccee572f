import type { CallableTool } from '@plugboard/agent';
import { eachAtMost } from '@plugboard/base';
import { toolDefinition, toolResult } from '@plugboard/contract';
import { z } from 'zod';

/** Asks for a path of plain REST, as somebody in particular. Rejects with a PlugboardError. */
export type AskRest = (
  method: 'GET' | 'POST',
  segments: readonly string[],
  body: unknown,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

const serverMap = z.record(z.string(), z.looseObject({ alias_of: z.string().optional() }));
const toolList = z.array(toolDefinition);

const PARALLEL = 8;

interface Place {
  readonly kind: 'servers' | 'toolsets';
  readonly name: string;
}

const toolsAt = async (ask: AskRest, { kind, name }: Place, signal?: AbortSignal): Promise<readonly CallableTool[]> => {
  const tools = toolList.parse(await ask('GET', [kind, name, 'tools'], undefined, signal));
  return tools.map((definition) => ({
    server: name,
    definition,
    call: async (args, options) =>
      toolResult.parse(await ask('POST', [kind, name, 'tools', definition.name], args, options.signal)),
  }));
};

/**
 * The tools that somebody may call through plain REST: those of the named toolsets, and those of all servers that they may
 * use. Each call is guarded, limited and audited like any other.
 */
export const gatewayTools = async (
  ask: AskRest,
  toolsets: readonly string[],
  { onlyToolsets = false, signal }: { readonly onlyToolsets?: boolean; readonly signal?: AbortSignal } = {},
): Promise<readonly CallableTool[]> => {
  const map = onlyToolsets ? {} : serverMap.parse(await ask('GET', ['servers'], undefined, signal));
  const servers = Object.entries(map).flatMap(([name, { alias_of: alias }]) => (alias === undefined ? [name] : []));
  const places: readonly Place[] = [
    ...toolsets.map((name) => ({ kind: 'toolsets' as const, name })),
    ...servers.map((name) => ({ kind: 'servers' as const, name })),
  ];
  return (await eachAtMost(PARALLEL, places, (place) => toolsAt(ask, place, signal))).flat();
};

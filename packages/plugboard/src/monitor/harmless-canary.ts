import { checkTarget, decideTool, toListedTool } from '@plugboard/check';
import type { ToolDefinition } from '@plugboard/contract';
import { lintServer } from '@plugboard/schema';
import type { Canary } from './probe.js';

const RULES = checkTarget.parse({});

/** The first tool that the referee would call without being allowed to. */
export const harmlessCanary = (tools: readonly ToolDefinition[]): Canary | undefined => {
  const lint = lintServer({ tools, instructions: undefined, capabilities: {} });
  for (const definition of tools) {
    const decision = decideTool(toListedTool({ ...definition }), RULES, lint);
    if (decision.may) return { tool: definition.name, arguments: decision.arguments[0] ?? {} };
  }
  return undefined;
};

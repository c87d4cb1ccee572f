import type { CatalogueEntry, Tool } from '@plugboard/contract';
import { definitionOf, toDefinition } from '../catalogue/tool-definition.js';
import type { ServerTool } from '../../call/offered-tool.js';

/** The tools of one server that are offered, named by `nameOf`. */
export const serverTools = (entry: CatalogueEntry, nameOf: (tool: Tool) => string): readonly ServerTool[] =>
  entry.tools
    .filter((tool) => tool.enabled)
    .map((tool) => ({
      kind: 'server',
      name: nameOf(tool),
      definition: toDefinition(entry, tool, nameOf(tool)),
      server: entry.server,
      tool,
      upstreamDefinition: definitionOf(entry, tool),
    }));

import type { FakePrompt } from '../definition/prompt.js';
import type { FakeResource, FakeResourceTemplate } from '../definition/resource.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import type { FakeTool, ToolSpec } from '../definition/tool.js';
import { stockTool } from '../stock/stock-tools.js';

const DEFAULT_TOOLS: readonly ToolSpec[] = ['echo', 'add'];

/** A stock tool by its name; a tool with a stock handler takes from it what it does not say itself. */
export const toTool = (spec: ToolSpec): FakeTool => {
  if (typeof spec === 'string') return stockTool(spec);
  if (typeof spec.handler !== 'string') return spec;
  const { handler, ...stock } = stockTool(spec.handler);
  return { ...stock, ...spec, ...(handler === undefined ? {} : { handler }) };
};

/** What the fake offers at the moment. */
export class Offer {
  tools: readonly FakeTool[];
  resources: readonly FakeResource[];
  resourceTemplates: readonly FakeResourceTemplate[];
  prompts: readonly FakePrompt[];

  constructor(options: FakeServerOptions) {
    this.tools = (options.tools ?? DEFAULT_TOOLS).map(toTool);
    this.resources = options.resources ?? [];
    this.resourceTemplates = options.resourceTemplates ?? [];
    this.prompts = options.prompts ?? [];
  }

  tool(name: unknown): FakeTool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }
}

import type { CheckHub } from '@plugboard/contract';
import type { Check } from '../../model/check.js';
import { notApplicable, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { spec } from '../instrument/spec.js';
import type { CallableTool } from '../../calls/tool.js';

/** No legacy revision has the sentence. */
export const AVAILABLE_TOOLS = {
  legacy: spec(
    '2025-11-25',
    'server/tools#listing-tools',
    'Rule of the referee: an aggregate lists the tools of all servers behind it that are up.',
  ),
  modern: spec(
    '2026-07-28',
    'server/tools#capabilities',
    'Servers that declare the tools capability MUST respond to tools/list requests with the set of tools currently available to the requesting client.',
  ),
};

/** A server behind the aggregate, as far as it could be asked. */
export interface Behind {
  readonly prefix: string;
  readonly dead: boolean;
  /** By their own names; undefined when the server could not be asked. */
  readonly tools: readonly string[] | undefined;
  /** Why the server could not be asked. */
  readonly why?: string;
}

const ask = async (probe: Probe, server: CheckHub['servers'][number]): Promise<Behind> => {
  const { prefix, dead, url, tools } = server;
  if (tools !== undefined && !dead) return { prefix, dead, tools };
  if (url === undefined) return { prefix, dead, tools: undefined, why: 'neither its url nor its tools are given' };
  try {
    return { prefix, dead, tools: await probe.toolsBehind(server) };
  } catch (error) {
    return { prefix, dead, tools: undefined, why: error instanceof Error ? error.message : String(error) };
  }
};

/** What each of them lists now, asked directly. */
export const serversBehind = (probe: Probe, { servers }: CheckHub): Promise<readonly Behind[]> =>
  Promise.all(servers.map((server) => ask(probe, server)));

const NO_HUB = notApplicable('The target does not say that it shows several servers as one (hub).');

/** Judges only what the target calls an aggregate: from outside it looks like any server. */
export const ofHub =
  (run: (probe: Probe, hub: CheckHub) => Promise<Finding>): Check['run'] =>
  async (probe) => {
    const { hub } = probe.target;
    return hub === undefined ? NO_HUB : await run(probe, hub);
  };

type Purpose = 'changingTool' | 'progressTool' | 'metaTool';

/** Runs with the tool that the target names for a purpose, if it may be called. */
export const withTool = (
  purpose: Purpose,
  what: string,
  run: (probe: Probe, tool: CallableTool) => Promise<Finding>,
): Check['run'] =>
  ofHub(async (probe, hub) => {
    const name = hub[purpose];
    if (name === undefined) {
      return notVerified(`No tool is named that ${what}.`, `the name of such a tool (hub.${purpose})`);
    }
    const tool = (await probe.callable()).find((one) => one.name === name);
    if (tool === undefined) {
      return notVerified(`${name} is not listed, or may not be called.`, `permission to call it: --allow ${name}`);
    }
    return await run(probe, tool);
  });

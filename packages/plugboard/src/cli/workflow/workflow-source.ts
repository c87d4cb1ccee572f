import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  defineWorkflow,
  fillVariables,
  parseWorkflowFile,
  type WorkflowDefinition,
  type WorkflowPlan,
} from '@plugboard/check';
import { type CheckTargetAddress, PlugboardError } from '@plugboard/contract';
import { readDirectTarget } from '../check/check-target.js';
import type { CommandContext } from '../command/command-context.js';
import { readGivenFile } from '../input/read-given-file.js';

const MODULE = /\.[cm]?[jt]s$/u;

const fromModule = async (path: string): Promise<WorkflowPlan> => {
  try {
    const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: WorkflowDefinition };
    if (loaded.default === undefined) throw new Error('It has no default export.');
    return defineWorkflow(loaded.default);
  } catch (cause) {
    if (cause instanceof PlugboardError) throw cause;
    throw new PlugboardError(
      'CONFIG_INVALID',
      `The module ${path} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: 'Export a workflow by default. TypeScript needs Node 22.18 or newer, or a build.',
        cause,
      },
    );
  }
};

/** The workflow of a file; a module is executed. */
export const readWorkflow = async (path: string, { modules }: { readonly modules: boolean }): Promise<WorkflowPlan> => {
  if (modules && MODULE.test(path)) return await fromModule(path);
  return parseWorkflowFile(await readGivenFile(path), path);
};

const notSet = (name: string, key: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The environment variable ${name}, which ${key} names, is not set.`, {
    hint: `Set ${name}, or remove it from the workflow.`,
  });

/** An address as it can be reached: a registered server by its own, programs from the directory of the workflow. */
export const resolvedAddress = async (
  context: CommandContext,
  address: CheckTargetAddress,
  directory: string,
): Promise<CheckTargetAddress> => {
  const { name, url, command } = address;
  if (url === undefined && command === undefined) {
    if (name === undefined) {
      throw new PlugboardError('CONFIG_INVALID', 'A server of the file has neither url, command nor name.', {
        hint: 'docs/workflow.schema.json describes servers.',
      });
    }
    const flags = { target: [name], sse: false, env: [], header: [], cwd: undefined, token: undefined };
    const target = await readDirectTarget(context, flags);
    const { url: at, command: program, cwd, transport, headers, env, auth } = target;
    return { name, url: at, command: program, cwd, transport, headers, env, auth };
  }
  const { env } = context.process;
  return {
    ...address,
    cwd: resolve(directory, address.cwd ?? '.'),
    headers: fillVariables(address.headers, env, notSet),
    env: fillVariables(address.env, env, notSet),
  };
};

/** The workflow with addresses that can be reached from here. */
export const reachable = async (context: CommandContext, plan: WorkflowPlan, path: string): Promise<WorkflowPlan> => {
  const directory = dirname(path);
  const servers: Record<string, CheckTargetAddress> = {};
  for (const [name, address] of Object.entries(plan.servers)) {
    servers[name] = await resolvedAddress(context, address, directory);
  }
  const others: Record<string, CheckTargetAddress[]> = {};
  for (const [name, addresses] of Object.entries(plan.matrix?.servers ?? {})) {
    others[name] = [];
    for (const address of addresses) others[name].push(await resolvedAddress(context, address, directory));
  }
  return { ...plan, servers, ...(plan.matrix === undefined ? {} : { matrix: { ...plan.matrix, servers: others } }) };
};

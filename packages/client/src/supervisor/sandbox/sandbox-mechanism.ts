import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bwrapArguments } from './bwrap.js';
import { planSandbox } from './plan-sandbox.js';
import { findProgram } from './program-files.js';
import type { SandboxPlan } from './sandbox-plan.js';
import { unshareArguments } from './unshare.js';

/** A program that can build sandboxes on this machine. */
export interface SandboxMechanism {
  readonly name: MechanismName;
  readonly path: string;
  argumentsFor(plan: SandboxPlan): readonly string[];
}

export const MECHANISMS = ['bwrap', 'unshare'] as const;
export type MechanismName = (typeof MECHANISMS)[number];

/** Why one cannot be used. */
export interface Shortcoming {
  readonly name: MechanismName;
  readonly why: string;
}

export type MechanismSearch =
  | { readonly found: SandboxMechanism }
  | { readonly found: undefined; readonly missing: readonly Shortcoming[] };

/** Runs a program to its end; rejects when it fails. */
export type Run = (path: string, args: readonly string[], options: object) => Promise<unknown>;

export interface MechanismOptions {
  /** Which to try, best first. */
  readonly mechanisms?: readonly MechanismName[] | undefined;
  /** An empty directory in which a view may be built. */
  readonly root: string;
  readonly path?: string | undefined;
  readonly run?: Run | undefined;
}

const execute: Run = promisify(execFile);
const TRIAL_MS = 10_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A trial tells more than a version: containers and hardened kernels forbid what the program could do. */
const tried = async (mechanism: SandboxMechanism, run: Run): Promise<string | undefined> => {
  try {
    const spec = { command: 'true', args: [], env: { PATH }, cwd: '/' };
    const plan = await planSandbox(spec, {}, { hidden: [], shown: [] });
    await run(mechanism.path, [...mechanism.argumentsFor(plan)], { env: { PATH }, cwd: '/', timeout: TRIAL_MS });
    return undefined;
  } catch (thrown) {
    const { stderr, message } = thrown as { readonly stderr?: string; readonly message: string };
    return (stderr ?? '').trim().split('\n', 1)[0] || message.split('\n', 1)[0] || 'it failed';
  }
};

/** Finds the first mechanism that really works here. */
export const findMechanism = async (options: MechanismOptions): Promise<MechanismSearch> => {
  const missing: Shortcoming[] = [];
  for (const name of options.mechanisms ?? MECHANISMS) {
    const path = await findProgram(name, { env: { PATH: options.path ?? PATH } });
    if (path === undefined) {
      missing.push({ name, why: 'not installed' });
      continue;
    }
    const argumentsFor = (plan: SandboxPlan): readonly string[] =>
      name === 'bwrap' ? bwrapArguments(plan) : unshareArguments(plan, options.root);
    const mechanism = { name, path, argumentsFor };
    const why = await tried(mechanism, options.run ?? execute);
    if (why === undefined) return { found: mechanism };
    missing.push({ name, why });
  }
  return { found: undefined, missing };
};

import type { SandboxPlan } from './sandbox-plan.js';

type Environment = Readonly<Record<string, string>>;

/** Variables by which the system loads code into a program, or a shell runs it. */
const LOADS_CODE =
  /^(?:LD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|ENV|BASH_.*|SHELLOPTS|BASHOPTS|PS4)$/u;

/** What builds the sandbox is outside of it: variables that load code are for the program alone. */
export const splitEnvironment = (env: Environment): { readonly outer: Environment; readonly inner: Environment } => {
  const entries = Object.entries(env);
  return {
    outer: Object.fromEntries(entries.filter(([name]) => !LOADS_CODE.test(name))),
    inner: Object.fromEntries(entries.filter(([name]) => LOADS_CODE.test(name))),
  };
};

/** The plan of a program that gets these variables only inside. */
export const withInner = (plan: SandboxPlan, inner: Environment): SandboxPlan => {
  const values = Object.entries(inner).map(([name, value]) => `${name}=${value}`);
  return values.length === 0
    ? plan
    : { ...plan, program: '/usr/bin/env', args: [...values, plan.program, ...plan.args] };
};

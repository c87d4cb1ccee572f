import type { Workflow, WorkflowInput } from '@plugboard/contract';
import { PlugboardError, workflow as workflowSchema } from '@plugboard/contract';
import type { JsonObject } from '../connection/json.js';
import type { Variables } from './template.js';
import { issueWords } from '../target/issue-words.js';

export type WorkflowStep = Workflow['steps'][number];
export type WorkflowAssertion = WorkflowStep['expect'][number];

/** What a step in code is given. */
export interface StepTools {
  /** Calls a tool; rejects when that fails or the result has isError. */
  readonly call: (server: string, tool: string, args?: JsonObject) => Promise<JsonObject>;
  /** Sends any request; rejects with its error. */
  readonly request: (server: string, method: string, params?: JsonObject) => Promise<JsonObject>;
  readonly variables: Variables;
  readonly signal: AbortSignal;
}

/** A step in TypeScript. What it returns is captured: the members become variables. */
export interface CodeStep {
  readonly name: string;
  readonly run: (tools: StepTools) => Promise<Variables | void>;
  readonly timeoutMs?: number | undefined;
}

export type PlannedStep = WorkflowStep | CodeStep;

/** A workflow that was parsed: from a file, or from a program with steps in code. */
export interface WorkflowPlan extends Omit<Workflow, 'steps' | 'teardown'> {
  readonly steps: readonly PlannedStep[];
  readonly teardown: readonly PlannedStep[];
}

type StepInput = WorkflowInput['steps'][number] | CodeStep;

export interface WorkflowDefinition extends Omit<WorkflowInput, 'steps' | 'teardown'> {
  readonly steps: readonly StepInput[];
  readonly teardown?: readonly StepInput[];
}

export const isCode = (step: StepInput | PlannedStep): step is CodeStep => 'run' in step;

const wrong = (why: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The workflow is not valid: ${why}`, {
    hint: 'docs/workflow.schema.json describes it; docs/workflows.md has an example.',
  });

const PLACEHOLDER = { server: 'x', method: 'x' };

/** Steps in code are not data: the others are parsed, and they are put back into their places. */
const parseSteps = (
  steps: readonly StepInput[],
): { readonly data: unknown[]; readonly put: (parsed: readonly WorkflowStep[]) => readonly PlannedStep[] } => ({
  data: steps.map((step) => (isCode(step) ? { name: step.name, ...PLACEHOLDER } : step)),
  put: (parsed) =>
    parsed.map((step, index) => {
      const given = steps[index];
      return given !== undefined && isCode(given) ? given : step;
    }),
});

const checkStep = (step: PlannedStep, servers: Workflow['servers']): void => {
  if (isCode(step)) return;
  if (!Object.hasOwn(servers, step.server)) {
    throw wrong(`the step "${step.name}" names the unknown server "${step.server}".`);
  }
  if ((step.tool === undefined) === (step.method === undefined)) {
    throw wrong(`the step "${step.name}" must have either tool or method.`);
  }
};

/** Checks a workflow and fills in its defaults; throws CONFIG_INVALID with what is wrong. */
export const defineWorkflow = (definition: WorkflowDefinition): WorkflowPlan => {
  const steps = parseSteps(definition.steps ?? []);
  const teardown = parseSteps(definition.teardown ?? []);
  const parsed = workflowSchema.safeParse({ ...definition, steps: steps.data, teardown: teardown.data });
  if (!parsed.success) throw wrong(issueWords(parsed.error));
  const plan: WorkflowPlan = {
    ...parsed.data,
    steps: steps.put(parsed.data.steps),
    teardown: teardown.put(parsed.data.teardown),
  };
  for (const step of [...plan.steps, ...plan.teardown]) checkStep(step, plan.servers);
  for (const name of Object.keys(plan.matrix?.servers ?? {})) {
    if (!Object.hasOwn(plan.servers, name)) throw wrong(`the matrix names the unknown server "${name}".`);
  }
  return plan;
};

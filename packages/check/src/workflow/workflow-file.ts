import { PlugboardError, workflow } from '@plugboard/contract';
import { z } from 'zod';
import { isObject } from '../connection/json.js';
import { parseYaml } from '../target/parse-yaml.js';
import { defineWorkflow, type WorkflowDefinition, type WorkflowPlan } from './workflow.js';

const unreadable = (name: string, why: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `${name} is not a workflow: ${why}`, {
    hint: 'docs/workflow.schema.json describes it; docs/workflows.md has an example.',
  });

/** The workflow that a file describes, YAML or JSON. */
export const parseWorkflowFile = (text: string, name: string): WorkflowPlan => {
  const value = parseYaml(text, (why) => unreadable(name, why));
  if (!isObject(value) || !Array.isArray(value['steps'])) throw unreadable(name, 'it has no list of steps.');
  return defineWorkflow(value as unknown as WorkflowDefinition);
};

/** The JSON Schema of a workflow file, for editors. */
export const workflowJsonSchema = (): string =>
  `${JSON.stringify({ title: 'A workflow of Plugboard', ...z.toJSONSchema(workflow, { io: 'input', target: 'draft-2020-12' }) }, null, 2)}\n`;

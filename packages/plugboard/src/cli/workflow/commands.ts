import type { Command } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';
import type { WorkflowRunInput } from './workflow-actions.js';

const HELP = `
A workflow calls tools of several servers, captures parts of results and checks them; see docs/workflows.md. The file is YAML, JSON,
or a JavaScript module whose default export is a workflow. \${NAME} in headers and env is read from the environment.
Exit code 1: a step failed, or a server could not be reached; 2: the file is not a workflow.

Examples:
  plugboard workflow run flow.yaml --report flow.xml
  plugboard workflow run flow.yaml --var api=http://127.0.0.1:8080
  plugboard workflow validate flow.yaml`;

export const defineWorkflowCommands = ({ define, run }: DefinitionTools): void => {
  const group = define('workflow', 'run tests that use several servers');
  group
    .command('run')
    .summary('run a workflow')
    .description('run a workflow')
    .argument('<file>', 'a workflow in YAML or JSON, or a JavaScript module')
    .option('--var <name=value>', 'a variable of the workflow; may be repeated', collect)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every step')
    .addHelpText('after', HELP)
    .action((file: string, options: Partial<WorkflowRunInput>, command: Command) =>
      run(command, () => import('./workflow-actions.js'), 'run', {
        var: [],
        report: [],
        verbose: false,
        ...options,
        file,
      }),
    );
  group
    .command('validate')
    .summary('check a workflow file, and run nothing')
    .description('check a workflow file, and run nothing')
    .argument('<file>', 'a workflow in YAML or JSON')
    .action((file: string, _options: unknown, command: Command) =>
      run(command, () => import('./workflow-actions.js'), 'validate', { file }),
    );
};

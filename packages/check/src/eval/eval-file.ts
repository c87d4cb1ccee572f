import { type EvalFile, evalFile, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { issueWords } from '../target/issue-words.js';
import { parseYaml } from '../target/parse-yaml.js';

const unreadable = (name: string, why: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `${name} is not a file of evals: ${why}`, {
    hint: 'docs/eval.schema.json describes it; docs/evals.md has an example.',
  });

/** The cases that a file describes, YAML or JSON. */
export const parseEvalFile = (text: string, name: string): EvalFile => {
  const parsed = evalFile.safeParse(parseYaml(text, (why) => unreadable(name, why)));
  if (!parsed.success) throw unreadable(name, issueWords(parsed.error));
  if (parsed.data.servers !== undefined && parsed.data.toolsets.length > 0) {
    throw unreadable(name, 'it has servers and toolsets; give one of them.');
  }
  return parsed.data;
};

/** The JSON Schema of such a file, for editors. */
export const evalJsonSchema = (): string =>
  `${JSON.stringify({ title: 'Evals of Plugboard', ...z.toJSONSchema(evalFile, { io: 'input', target: 'draft-2020-12' }) }, null, 2)}\n`;

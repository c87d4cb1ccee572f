import { answerSampling, type ModelProvider, textOf } from '@plugboard/agent';
import { isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { printableBlock, printableLine } from '../../terminal/printable.js';
import type { AskLine } from './approvals.js';
import type { ServerAnswers } from './asking-call.js';

type Json = Readonly<Record<string, unknown>>;

export interface AnswerOptions {
  readonly provider: ModelProvider;
  readonly model: string;
  /** Asks whether something may be done; "always" is remembered for the key. */
  readonly approve: (key: string, prompt: string) => Promise<boolean>;
  readonly ask: AskLine;
  readonly remark: (text: string) => void;
}

const MOST_CHARACTERS = 1000;

const shown = (text: unknown): string => {
  const block = printableBlock(typeof text === 'string' ? text : '');
  return block.length <= MOST_CHARACTERS ? block : `${block.slice(0, MOST_CHARACTERS)}…`;
};

/** The value that somebody typed for a field of a form. Undefined: it does not fit. */
const readField = (schema: Json, typed: string): unknown => {
  const text = typed.trim();
  switch (schema['type']) {
    case 'boolean':
      if (/^(?:y|yes|true)$/iu.test(text)) return true;
      return /^(?:n|no|false)$/iu.test(text) ? false : undefined;
    case 'integer':
      return /^-?\d+$/u.test(text) ? Number(text) : undefined;
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'array':
      return text.split(',').map((part) => part.trim());
    default: {
      const choices = schema['enum'];
      return !Array.isArray(choices) || choices.includes(text) ? typed : undefined;
    }
  }
};

const fieldPrompt = (name: string, schema: Json, isRequired: boolean): string => {
  const { title, description, default: usual } = schema;
  const choices = schema['enum'];
  const words = [
    printableLine(typeof title === 'string' ? title : name),
    ...(typeof description === 'string' ? [printableLine(description)] : []),
    ...(Array.isArray(choices) ? [`one of ${printableLine(choices.join(', '))}`] : []),
    ...(usual === undefined ? [] : [`default ${printableLine(JSON.stringify(usual))}`]),
    ...(isRequired ? [] : ['optional']),
  ];
  return `${words.join(' – ')}: `;
};

/** Asks for the fields of a form one after the other. Undefined: a required one has no valid value. */
const fillForm = async (schema: Json, ask: AskLine): Promise<Json | undefined> => {
  const fields = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const content: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(fields)) {
    const field = isJsonObject(given) ? given : {};
    const isRequired = required.includes(name);
    const typed = await ask(fieldPrompt(name, field, isRequired));
    if (typed === undefined) return undefined;
    const value = typed.trim() === '' ? field['default'] : readField(field, typed);
    if (value !== undefined) content[name] = value;
    else if (isRequired || typed.trim() !== '') return undefined;
  }
  return content;
};

const elicit = async (server: string, params: unknown, options: AnswerOptions): Promise<Json> => {
  const { message, mode, url, requestedSchema } = isJsonObject(params) ? params : {};
  const name = printableLine(server);
  options.remark(`${name} asks: ${shown(message)}`);
  if (mode === 'url') {
    options.remark(`Open this address in a browser, if you trust it: ${shown(url)}`);
    const isDone = await options.approve('', `Is it done? [y]es, [n]o: `);
    return { action: isDone ? 'accept' : 'decline' };
  }
  if (!(await options.approve('', `Answer ${name}? [y]es, [n]o: `))) return { action: 'decline' };
  const content = await fillForm(isJsonObject(requestedSchema) ? requestedSchema : {}, options.ask);
  return content === undefined ? { action: 'cancel' } : { action: 'accept', content };
};

/** Answers servers at a terminal: the model answers what they ask of it, if the user allows it; the user fills in forms. */
export const terminalAnswers = (options: AnswerOptions): ServerAnswers => ({
  capabilities: { sampling: {}, elicitation: { form: {}, url: {} } },
  answer: async (server, method, params, signal) => {
    if (method === 'elicitation/create') return elicit(server, params, options);
    if (method !== 'sampling/createMessage') {
      throw new PlugboardError('METHOD_NOT_FOUND', `A chat does not answer ${method}.`);
    }
    const { provider, model, approve, remark } = options;
    const handler = answerSampling({
      provider,
      model,
      server,
      consent: (question) => {
        const texts = question.messages.map((message) => (message.role === 'tool' ? '' : textOf(message.content)));
        remark(
          `${printableLine(server)} asks the model: ${shown([question.system ?? '', ...texts].join('\n').trim())}`,
        );
        return approve(`sampling ${server}`, `Let the model answer ${printableLine(server)}? [y]es, [n]o, [a]lways: `);
      },
    });
    return handler({ method, params, signal });
  },
});

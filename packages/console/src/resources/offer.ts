import { isJson, type Json, textIn } from '../api/json.js';

export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface OfferedTemplate extends Omit<OfferedResource, 'uri'> {
  readonly template: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface OfferedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

const about = (value: Json): Omit<OfferedResource, 'uri'> => ({
  name: textIn(value['title']) || textIn(value['name']),
  description: textIn(value['description']),
  mimeType: textIn(value['mimeType']),
});

export const resourceIn = (value: unknown): OfferedResource | undefined =>
  isJson(value) && typeof value['uri'] === 'string' ? { uri: value['uri'], ...about(value) } : undefined;

export const templateIn = (value: unknown): OfferedTemplate | undefined =>
  isJson(value) && typeof value['uriTemplate'] === 'string'
    ? { template: value['uriTemplate'], ...about(value) }
    : undefined;

const argumentIn = (value: unknown): readonly PromptArgument[] =>
  isJson(value) && typeof value['name'] === 'string'
    ? [{ name: value['name'], description: textIn(value['description']), required: value['required'] === true }]
    : [];

export const promptIn = (value: unknown): OfferedPrompt | undefined =>
  isJson(value) && typeof value['name'] === 'string'
    ? {
        name: value['name'],
        title: textIn(value['title']) || value['name'],
        description: textIn(value['description']),
        arguments: Array.isArray(value['arguments']) ? value['arguments'].flatMap(argumentIn) : [],
      }
    : undefined;

const VARIABLE = /\{([+#./;?&]?)([\w.,%*:]+)\}/gu;

/** The variables of a URI template, in their order. */
export const variablesIn = (template: string): readonly string[] => [
  ...new Set(
    [...template.matchAll(VARIABLE)].flatMap(([, , names = '']) =>
      names.split(',').map((name) => name.replace(/[*:].*$/u, '')),
    ),
  ),
];

/** Fills a template of the simple and the reserved kind, as servers use them. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(VARIABLE, (_whole, operator: string, names: string) => {
    const given = names.split(',').map((name) => values[name.replace(/[*:].*$/u, '')] ?? '');
    if (operator === '+' || operator === '#') return (operator === '#' ? '#' : '') + given.map(encodeURI).join(',');
    const plain = given.map(encodeURIComponent);
    if (operator === '?' || operator === '&') {
      return (
        operator +
        names
          .split(',')
          .map((name, at) => `${name}=${plain[at] ?? ''}`)
          .join('&')
      );
    }
    return operator === '' ? plain.join(',') : operator + plain.join(operator);
  });

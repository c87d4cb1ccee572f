import { at, isObject, listAt, type JsonObject } from '../../connection/json.js';
import { notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Answer } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { responsive, tryCall } from '../instrument/exercise.js';
import type { Flaw } from '../instrument/judge.js';

/** A parameter that takes any text. */
export interface TextParameter {
  readonly tool: CallableTool;
  readonly parameter: string;
}

const MAX_PARAMETERS = 12;

const propertiesOf = ({ inputSchema }: CallableTool): readonly (readonly [string, JsonObject])[] => {
  const properties = at(inputSchema, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
};

const takesText = (schema: JsonObject): boolean =>
  schema['type'] === 'string' &&
  schema['enum'] === undefined &&
  schema['pattern'] === undefined &&
  schema['const'] === undefined;

/** The parameters of tools that may be called and that take any text, or only those of one kind. */
export const textParameters = async (probe: Probe, kind?: RegExp): Promise<readonly TextParameter[]> =>
  (await responsive(probe))
    .flatMap((tool) =>
      propertiesOf(tool)
        .filter(([, schema]) => takesText(schema))
        .map(([parameter, schema]) => ({
          tool,
          parameter,
          words: `${parameter} ${JSON.stringify(schema['format'] ?? '')}`,
        })),
    )
    .filter(({ words }) => kind?.test(words) ?? true)
    .slice(0, MAX_PARAMETERS)
    .map(({ tool, parameter }) => ({ tool, parameter }));

export const PATH_LIKE = /path|file|dir|folder|document/iu;
export const URL_LIKE = /ur[il]|link|href|address|endpoint|webhook|host/iu;

/** Everything that an answer says, errors included. */
export const saidIn = (answer: Answer | undefined): string => {
  const blocks = listAt(answer?.result, 'content').map((block) => {
    const text = at(block, 'text') ?? at(block, 'resource', 'text');
    return typeof text === 'string' ? text : '';
  });
  const structured = at(answer?.result, 'structuredContent');
  return [
    ...blocks,
    structured === undefined ? '' : JSON.stringify(structured),
    typeof answer?.error?.message === 'string' ? answer.error.message : '',
    answer?.error?.data === undefined ? '' : JSON.stringify(answer.error.data),
  ].join('\n');
};

/** A text, and how to tell that it was more than a text to the server. */
export interface Payload {
  readonly value: string;
  readonly gives: (said: string, answer: Answer | undefined) => string | undefined;
}

/** Two factors from the seed: their product stands in no payload, so who says it has computed it. */
export const factors = (seed: number): { readonly a: number; readonly b: number; readonly product: string } => {
  const a = 10_007 + (Math.abs(seed) % 80_000);
  const b = 733;
  return { a, b, product: String(a * b) };
};

/** Says that the product came back. */
export const computed =
  (product: string): Payload['gives'] =>
  (said) =>
    said.replaceAll(/(?<=\d)[,.' ](?=\d{3})/gu, '').includes(product) ? `computed ${product}` : undefined;

export interface Injection {
  readonly session: Session;
  readonly parameters: readonly TextParameter[];
  readonly payloads: readonly Payload[];
  /** What becomes of an answer that is not the last word. */
  readonly finish?: (answer: Answer | undefined) => Promise<Answer | undefined>;
}

/** Sends each payload as each parameter, and keeps what it gave away; once per parameter is enough. */
export const inject = async (
  probe: Probe,
  { session, parameters, payloads, finish = (answer) => Promise.resolve(answer) }: Injection,
): Promise<readonly Flaw[]> => {
  const flaws: Flaw[] = [];
  for (const { tool, parameter } of parameters) {
    for (const { value, gives } of payloads) {
      const args = { ...tool.arguments[0], [parameter]: value };
      const called = await tryCall(probe, session, { tool, args });
      const answer = await finish(called.answer);
      const given = gives(saidIn(answer), answer);
      if (given === undefined) continue;
      flaws.push({
        detail: `${tool.name}.${parameter} = ${JSON.stringify(value)}: ${given}.`,
        exchange: answer?.exchange,
      });
      break;
    }
  }
  return flaws;
};

export const NO_TEXT = notVerified(
  'No tool that takes a text may be called.',
  'a tool with a parameter of type string: --allow name',
);

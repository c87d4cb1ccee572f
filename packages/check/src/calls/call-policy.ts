import type { LintFinding } from '@plugboard/schema';
import { at, isObject, listAt, type JsonObject } from '../connection/json.js';
import { exampleArguments } from '../generate/example.js';
import type { ListedTool } from './tool.js';
import type { CheckTarget } from '../target/target.js';
import { dangerousDescription, dangerousWord } from './dangerous-words.js';
import { doubtAbout } from './doubts.js';

/** May something be called, how, and why. */
export type CallDecision =
  | {
      readonly may: true;
      /** As often as a check likes, and with what it likes; otherwise a few times with these arguments. */
      readonly free: boolean;
      readonly why: string;
      readonly arguments: readonly JsonObject[];
    }
  | { readonly may: false; readonly why: string };

const EVERY = '*';

const ownEntry = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;

const givenArguments = (given: JsonObject | readonly JsonObject[] | undefined): readonly JsonObject[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given as JsonObject];

const generated = (tool: ListedTool): readonly JsonObject[] => {
  const example = exampleArguments(tool.inputSchema);
  return isObject(example) ? [example] : [{}];
};

type Known = { readonly value: unknown } | undefined;

/** A value that the author of the schema gives: its constant, an example, its default, or one of its enum. */
const given = (schema: JsonObject): Known => {
  if ('const' in schema) return { value: schema['const'] };
  const { examples, enum: values } = schema;
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] as unknown };
  if ('default' in schema) return { value: schema['default'] };
  return Array.isArray(values) && values.length > 0 ? { value: values[0] as unknown } : undefined;
};

type KnownArguments =
  | { readonly known: true; readonly arguments: JsonObject }
  | { readonly known: false; readonly missing: string };

/** Arguments of which every value is the author's own; otherwise the first required one that has none. */
const knownArguments = (schema: unknown): KnownArguments => {
  const whole = isObject(schema) ? given(schema) : undefined;
  if (whole !== undefined && isObject(whole.value)) return { known: true, arguments: whole.value };
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const args: Record<string, unknown> = {};
  for (const name of required.filter((one): one is string => typeof one === 'string')) {
    const property = properties[name];
    const value = isObject(property) ? given(property) : undefined;
    if (value === undefined) return { known: false, missing: name };
    args[name] = value.value;
  }
  return { known: true, arguments: args };
};

/** The operator's word counts first. Otherwise only what is harmless by annotation, name and lint may be called. */
export const decideTool = (tool: ListedTool, target: CheckTarget, lint: readonly LintFinding[] = []): CallDecision => {
  const entry = ownEntry(target.tools, tool.name);
  if (entry?.safe === false) return { may: false, why: 'the target says safe: false' };
  const given = givenArguments(entry?.arguments);
  const free = (why: string): CallDecision => ({
    may: true,
    free: true,
    why,
    arguments: given.length > 0 ? given : generated(tool),
  });
  if (entry !== undefined) return free('allowed by the target');
  if (target.tier === 'intrusive') return free('the tier is intrusive');
  if (tool.annotations['readOnlyHint'] !== true) return { may: false, why: 'no readOnlyHint: true' };
  const doubt = doubtAbout(tool, lint);
  if (doubt !== undefined) return { may: false, why: doubt };
  if (ownEntry(target.tools, EVERY) !== undefined) return free('the target allows all read-only tools');
  const known = knownArguments(tool.inputSchema);
  if (!known.known) {
    return { may: false, why: `no example and no default for the required argument "${known.missing}"` };
  }
  return {
    may: true,
    free: false,
    why: 'read-only by annotation, name and lint',
    arguments: [known.arguments],
  };
};

const requiredOf = (prompt: JsonObject): readonly string[] =>
  listAt(prompt, 'arguments')
    .filter((argument) => at(argument, 'required') === true)
    .map((argument) => String(at(argument, 'name')));

/** A prompt is code, too: without permission it is requested only when it takes no argument that could be executed. */
export const decidePrompt = (prompt: JsonObject, target: CheckTarget): CallDecision => {
  const name = String(prompt['name']);
  const given = ownEntry(target.prompts, name);
  const plain = Object.fromEntries(requiredOf(prompt).map((argument) => [argument, 'example']));
  if (given !== undefined) return { may: true, free: true, why: 'allowed by the target', arguments: [given] };
  if (target.tier === 'intrusive') return { may: true, free: true, why: 'the tier is intrusive', arguments: [plain] };
  const word = dangerousWord(name) ?? dangerousDescription(prompt['description']);
  if (word !== undefined) return { may: false, why: `its name or description says "${word}"` };
  if (ownEntry(target.prompts, EVERY) !== undefined) {
    return { may: true, free: true, why: 'the target allows all prompts', arguments: [plain] };
  }
  const [first] = requiredOf(prompt);
  if (first !== undefined) return { may: false, why: `no value for the required argument "${first}"` };
  return { may: true, free: false, why: 'no required arguments', arguments: [{}] };
};

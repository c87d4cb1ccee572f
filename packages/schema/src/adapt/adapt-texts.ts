import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { sha256 } from '../document/canonical-json.js';
import { modelFacingName } from '../name/model-facing-name.js';
import { fullNameOf } from '../profile/check-against-profile.js';
import type { Profile } from '../profile/definition/profile.js';
import type { RuleCheck, RuleFor } from '../profile/definition/rule.js';
import type { AdaptChange } from './step/change.js';
import type { AdaptOptions } from './adapt-tool.js';

interface Texts {
  readonly tool: ToolDefinition;
  readonly changes: readonly AdaptChange[];
}

const ruleOf = <Check extends RuleCheck>(profile: Profile, check: Check): RuleFor<Check> | undefined =>
  profile.rules.find((rule) => rule.check === check && rule.level === 'error') as RuleFor<Check> | undefined;

const HASH = 8;

const shorten = (name: string, max: number, identity: string): string =>
  name.length <= max
    ? name
    : `${name.slice(0, Math.max(1, max - HASH - 1))}_${sha256(identity).slice(0, HASH)}`.slice(0, max);

/** A name that the profile takes, prefix of the host included; the same one when it takes that. */
const legalName = (tool: string, profile: Profile, server: string | undefined): string => {
  const rule = ruleOf(profile, 'tool-name');
  if (rule === undefined) return tool;
  const pattern = new RegExp(rule.pattern, 'u');
  const room = rule.max - (fullNameOf(tool, profile, server).length - tool.length);
  if (pattern.test(tool) && tool.length <= room) return tool;
  const clean = modelFacingName({ tool });
  const started = pattern.test(clean) ? clean : `_${clean}`;
  return room < 1 ? tool : shorten(started, room, tool);
};

const rename = ({ tool, changes }: Texts, profile: Profile, options: AdaptOptions): Texts => {
  const name = legalName(options.name ?? tool.name, profile, options.server);
  if (name === tool.name) return { tool, changes };
  const message = `The tool is called "${name}".`;
  return {
    tool: { ...tool, name },
    changes: [...changes, { rule: 'rename-tool', pointer: '', message, effect: 'same' }],
  };
};

const SENTENCE_END = /[.!?](?=\s)/gu;

/** The beginning of a text, whole sentences where that keeps enough of it. */
const cut = (text: string, max: number): string => {
  const beginning = text.slice(0, max - 1);
  const ends = [...beginning.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  return last > max / 2 ? beginning.slice(0, last) : `${beginning}…`;
};

const describeTool = ({ tool, changes }: Texts, profile: Profile): Texts => {
  const rule = ruleOf(profile, 'description');
  const text = tool.description;
  if (rule === undefined || typeof text !== 'string') return { tool, changes };
  if (rule.min !== undefined && text.length < rule.min) {
    const { description: _empty, ...rest } = tool;
    const message = 'The empty description was left out.';
    return { tool: rest, changes: [...changes, { rule: 'drop-description', pointer: '', message, effect: 'same' }] };
  }
  if (rule.max === undefined || text.length <= rule.max) return { tool, changes };
  const message = `The description was cut to ${rule.max} characters.`;
  return {
    tool: { ...tool, description: cut(text, rule.max) },
    changes: [...changes, { rule: 'cut-description', pointer: '', message, effect: 'shortened' }],
  };
};

const titleFrom = (name: string): string => {
  const words = name
    .replaceAll(/[_.\-/]+/gu, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const hasTitle = (tool: ToolDefinition): boolean =>
  [tool.title, isJsonObject(tool.annotations) ? tool.annotations['title'] : undefined].some(
    (title) => typeof title === 'string' && title.trim() !== '',
  );

const entitle = ({ tool, changes }: Texts, profile: Profile): Texts => {
  if (ruleOf(profile, 'title') === undefined || hasTitle(tool)) return { tool, changes };
  const message = 'A title was made from the name.';
  return {
    tool: { ...tool, title: titleFrom(tool.name) || tool.name },
    changes: [...changes, { rule: 'add-title', pointer: '', message, effect: 'same' }],
  };
};

/** Name, title and description as the profile wants them. */
export const adaptTexts = (tool: ToolDefinition, profile: Profile, options: AdaptOptions): Texts =>
  rename(describeTool(entitle({ tool, changes: [] }, profile), profile), profile, options);

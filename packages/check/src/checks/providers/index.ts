import type { ToolDefinition } from '@plugboard/contract';
import { adaptTool, checkList, checkSchema, checkTool, isProfileId, PROFILES, type Profile } from '@plugboard/schema';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, type Check } from '../../model/check.js';
import { judgedList } from '../instrument/judge.js';
import { definitionsOf } from '../lint/definitions.js';
import { hubNameChecks } from './hub-names.js';
import { strictChecks } from './strict.js';

const profilesOf = (id: string): readonly Profile[] =>
  Object.values(PROFILES).filter(({ rules }) => rules.some((rule) => rule.id === id));

/** Names, descriptions and numbers count as published; a schema only when no rewriting makes it fit. */
const complaintsOf = (tool: ToolDefinition, profile: Profile, id: string): readonly string[] => {
  const ofSchema = checkSchema(tool.inputSchema, profile);
  const all = checkTool(tool, profile);
  const texts = all.slice(0, all.length - ofSchema.length).filter(({ rule }) => rule === id);
  const schema = ofSchema.filter(({ rule }) => rule === id);
  const rejected = schema.length > 0 && isProfileId(profile.id) && adaptTool(tool, profile.id).verdict === 'rejected';
  return [...texts, ...(rejected ? schema : [])].map(({ message }) => `${profile.title}, ${tool.name}: ${message}`);
};

const complaints = (tools: readonly ToolDefinition[], profile: Profile, id: string): readonly string[] => [
  ...tools.flatMap((tool) => complaintsOf(tool, profile, id)),
  ...checkList(tools, profile)
    .filter(({ rule }) => rule === id)
    .map(({ message }) => `${profile.title}: ${message}`),
];

const TITLES: Readonly<Record<string, string>> = {
  'OAI-01': 'OpenAI accepts the name of every tool, and no name is repeated',
  'OAI-02': 'OpenAI accepts the number of tools',
  'OAI-03': 'OpenAI accepts every description without truncation',
  'OAI-04': 'OpenAI accepts the root of every schema',
  'OAI-05': 'strict mode of OpenAI: every object can have additionalProperties: false',
  'OAI-06': 'strict mode of OpenAI: every property can be required',
  'OAI-07': 'strict mode of OpenAI: schemas need no unsupported keyword',
  'OAI-08': 'strict mode of OpenAI: formats and patterns can be converted',
  'OAI-09': 'strict mode of OpenAI: schemas stay within its limits',
  'OAI-10': 'OpenAI accepts every schema as an object with properties',
  'OAI-11': 'OpenAI finds the items of every array',
  'OAI-12': 'OpenAI finds every schema well-formed',
  'AZR-01': 'Azure accepts every description',
  'ANT-01': 'Anthropic accepts the name of every tool, and no name is repeated',
  'ANT-02': 'Anthropic accepts the names of all parameters',
  'ANT-03': 'Anthropic accepts the root of every schema',
  'ANT-04': 'strict mode of Anthropic: schemas can be converted',
  'ANT-05': 'the Claude connector directory accepts every tool: name, title, hints, description',
  'ANT-06': 'Claude Code shows every description without truncation',
  'ANT-07': 'Anthropic finds every schema well-formed',
  'GEM-01': 'Gemini accepts the name of every tool, and no name is repeated',
  'GEM-02': 'Gemini accepts the number of tools',
  'GEM-03': 'Gemini: schemas need no unsupported keyword',
  'GEM-04': 'Gemini: every value can have one type',
  'GEM-05': 'Gemini: schemas are not too deep',
  'GEM-06': 'Gemini accepts the names of all parameters',
  'GEM-08': 'Gemini accepts the root of every schema',
  'GEM-09': 'Gemini finds every required property declared',
  'GEM-10': 'Gemini finds the items of every array',
  'GEM-11': 'Gemini finds every schema well-formed',
  'BED-01': 'Bedrock accepts the name of every tool, and no name is repeated',
  'BED-02': 'Bedrock accepts every description',
  'BED-03': 'Bedrock accepts the root of every schema',
  'BED-05': 'Bedrock finds every schema well-formed',
  'HST-01': 'Cursor accepts the name of every tool, and their number',
  'HST-02': 'VS Code accepts every tool, and their number',
  'HST-06': 'Claude Code accepts the name of every tool, and no name is repeated',
};

const providerCheck = (id: string, title: string): Check =>
  defineCheck({
    id,
    title,
    family: 'providers',
    eras: BOTH_ERAS,
    transports: ALL_TRANSPORTS,
    needs: 'tools',
    level: 'ADVICE',
    tier: 'standard',
    source: {
      sentence: `As recorded for ${profilesOf(id)
        .map((profile) => profile.title)
        .join(', ')}.`,
      url: profilesOf(id).flatMap(({ rules }) => rules.filter((rule) => rule.id === id))[0]?.source ?? '',
    },
    remedy: 'Change the definition as the finding describes. A hub can rewrite schemas only where a rewrite exists.',
    async run(probe) {
      const tools = await definitionsOf(probe);
      const found = [...new Set(profilesOf(id).flatMap((profile) => complaints(tools, profile, id)))];
      return await judgedList(probe, 'tools/list', found, 'definitions that are accepted, unchanged or rewritten');
    },
  });

/** What each provider and host takes, one check per recorded rule. */
export const providerChecks: readonly Check[] = [
  ...Object.entries(TITLES).map(([id, title]) => providerCheck(id, title)),
  ...strictChecks,
  ...hubNameChecks,
];

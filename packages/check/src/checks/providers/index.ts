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
  'OAI-01': 'OpenAI takes the name of every tool, each once',
  'OAI-02': 'OpenAI takes as many tools as there are',
  'OAI-03': 'OpenAI takes every description whole',
  'OAI-04': 'OpenAI takes the root of every schema',
  'OAI-05': 'strict mode of OpenAI: every object can have additionalProperties: false',
  'OAI-06': 'strict mode of OpenAI: every property can be required',
  'OAI-07': 'strict mode of OpenAI: schemas need no keyword that it lacks',
  'OAI-08': 'strict mode of OpenAI: formats and patterns can be converted',
  'OAI-09': 'strict mode of OpenAI: schemas stay within its limits',
  'OAI-10': 'OpenAI takes every schema as an object with properties',
  'OAI-11': 'OpenAI finds what every array holds',
  'OAI-12': 'OpenAI finds every schema well-formed',
  'AZR-01': 'Azure takes every description',
  'ANT-01': 'Anthropic takes the name of every tool, each once',
  'ANT-02': 'Anthropic takes the names of all parameters',
  'ANT-03': 'Anthropic takes the root of every schema',
  'ANT-04': 'strict mode of Anthropic: schemas can be converted',
  'ANT-05': 'the directory of Claude takes every tool: name, title, hints, description',
  'ANT-06': 'Claude Code shows every description whole',
  'ANT-07': 'Anthropic finds every schema well-formed',
  'GEM-01': 'Gemini takes the name of every tool, each once',
  'GEM-02': 'Gemini takes as many tools as there are',
  'GEM-03': 'Gemini: schemas need no keyword that it lacks',
  'GEM-04': 'Gemini: every value can have one type',
  'GEM-05': 'Gemini: schemas are not too deep',
  'GEM-06': 'Gemini takes the names of all parameters',
  'GEM-08': 'Gemini takes the root of every schema',
  'GEM-09': 'Gemini finds every required property declared',
  'GEM-10': 'Gemini finds what every array holds',
  'GEM-11': 'Gemini finds every schema well-formed',
  'BED-01': 'Bedrock takes the name of every tool, each once',
  'BED-02': 'Bedrock takes every description',
  'BED-03': 'Bedrock takes the root of every schema',
  'BED-05': 'Bedrock finds every schema well-formed',
  'HST-01': 'Cursor takes the name of every tool, and as many as there are',
  'HST-02': 'VS Code takes every tool, and as many as there are',
  'HST-06': 'Claude Code takes the name of every tool, each once',
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
    remedy: 'Change the definition as the finding says; a hub can rewrite schemas only where a rewriting exists.',
    async run(probe) {
      const tools = await definitionsOf(probe);
      const found = [...new Set(profilesOf(id).flatMap((profile) => complaints(tools, profile, id)))];
      return await judgedList(probe, 'tools/list', found, 'definitions that are taken, as they are or rewritten');
    },
  });

/** What each provider and host takes, one check per recorded rule. */
export const providerChecks: readonly Check[] = [
  ...Object.entries(TITLES).map(([id, title]) => providerCheck(id, title)),
  ...strictChecks,
  ...hubNameChecks,
];

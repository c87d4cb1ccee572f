import type { ToolDefinition } from '@plugboard/contract';
import { adaptTool, checkSchema, isAccepted, PROFILES, type ProfileId } from '@plugboard/schema';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, type Check } from '../../model/check.js';
import { judgedList } from '../instrument/judge.js';
import { definitionsOf } from '../lint/definitions.js';

const SHOWN = 8;

const named = (tools: readonly ToolDefinition[]): string => {
  const rest = tools.length - SHOWN;
  const names = tools.slice(0, SHOWN).map(({ name }) => name);
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

/** The first reason why a schema is not strict. */
const reasonOf = ({ inputSchema }: ToolDefinition, id: ProfileId): string | undefined =>
  checkSchema(inputSchema, PROFILES[id]).find(({ level }) => level === 'error')?.message;

/** Both answers in one sentence each: is it strict as it stands, and can it be converted. */
const verdictOn = (tools: readonly ToolDefinition[], id: ProfileId): readonly string[] => {
  const loose = tools.filter(({ inputSchema }) => !isAccepted(checkSchema(inputSchema, PROFILES[id])));
  const [first] = loose;
  if (first === undefined) return [];
  const convertible = loose.filter((tool) => adaptTool(tool, id).verdict !== 'rejected');
  const stuck = loose.filter((tool) => !convertible.includes(tool));
  const why = `${first.name}: ${reasonOf(first, id) ?? ''}`;
  return [
    `Strict without changes: no for ${loose.length} of ${tools.length} tools (${named(loose)}). ${why}`,
    stuck.length === 0
      ? 'Can be converted: yes, all of them.'
      : `Can be converted: ${convertible.length === 0 ? '' : `yes for ${named(convertible)}; `}no for ${named(stuck)}.`,
  ];
};

const strictCheck = (id: string, profile: ProfileId, provider: string): Check =>
  defineCheck({
    id,
    title: `strict mode of ${provider} accepts every schema without changes`,
    family: 'providers',
    eras: BOTH_ERAS,
    transports: ALL_TRANSPORTS,
    needs: 'tools',
    level: 'ADVICE',
    tier: 'standard',
    source: {
      sentence: `As recorded for ${PROFILES[profile].title}.`,
      url: PROFILES[profile].rules[0]?.source ?? '',
    },
    remedy:
      'Close every object (additionalProperties: false), require every property, and leave out keywords that the strict mode does not have; or rely on a client that converts schemas.',
    async run(probe) {
      const verdict = verdictOn(await definitionsOf(probe), profile);
      return await judgedList(probe, 'tools/list', verdict, 'schemas that are strict without changes');
    },
  });

export const strictChecks: readonly Check[] = [
  strictCheck('OAI-13', 'openai-strict', 'OpenAI'),
  strictCheck('ANT-08', 'anthropic-strict', 'Anthropic'),
];

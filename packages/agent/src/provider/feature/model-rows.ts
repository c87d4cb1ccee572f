import type { ModelFeatures } from './model-features.js';

export type ModelFamily = 'openai' | 'anthropic';

export interface ModelRow {
  readonly family: ModelFamily;
  readonly model: RegExp;
  readonly features: Partial<ModelFeatures>;
  /** When the row was compared with its source. */
  readonly asOf: string;
  /** The page of the provider that the row follows. */
  readonly source: string;
  /** What the source did not confirm. */
  readonly unconfirmed?: string;
}

const AS_OF = '2026-11-18';

/** Names may have a prefix: Bedrock's profiles are called `us.anthropic.claude-…`. */
export const MODEL_ROWS: readonly ModelRow[] = [
  {
    family: 'openai',
    model: /^(?:o\d|gpt-[5-9](?!-chat))/u,
    features: { reasoning: true, developerRole: true },
    asOf: AS_OF,
    source: 'developers.openai.com/api/docs/guides/reasoning',
    unconfirmed:
      'Families after gpt-5 are taken to be like it. Models since gpt-5.4 accept a temperature without reasoning; it is left out there too.',
  },
  {
    family: 'openai',
    model: /^o1-(?:mini|preview)/u,
    features: { developerRole: false },
    asOf: AS_OF,
    source: 'developers.openai.com/api/docs/guides/reasoning',
    unconfirmed: 'Known from reports of users; the models are retired, and the page no longer names them.',
  },
  {
    family: 'openai',
    model: /^(?:gpt-4\.1|gpt-5(?!-mini|-nano|-chat))/u,
    features: { longCache: true },
    asOf: AS_OF,
    source: 'developers.openai.com/api/docs/guides/prompt-caching',
    unconfirmed: 'The list of models could not be read. gpt-5.6 accepts the parameter and ignores it.',
  },
  {
    family: 'anthropic',
    model: /claude-(?:3-7-sonnet|(?:sonnet|opus)-4|haiku-4-5)/u,
    features: { thinking: 'budget' },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/en/build-with-claude/extended-thinking',
  },
  {
    family: 'anthropic',
    model: /claude-(?:(?:opus|sonnet)-4-[5-9]|haiku-4-5|[a-z]+-[5-9]|mythos-preview)/u,
    features: { contextEditing: true },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/en/build-with-claude/context-editing',
  },
  {
    family: 'anthropic',
    model: /claude-(?:(?:opus|sonnet)-4-[5-9]|haiku-4-5|[a-z]+-[5-9])/u,
    features: { structuredOutput: 'schema' },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/en/build-with-claude/structured-outputs',
    unconfirmed: 'Models after 4.6 are named by the pages of cloud providers only ("4.5 and later").',
  },
  {
    family: 'anthropic',
    model: /claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|[a-z]+-[5-9]|mythos-preview)/u,
    features: { effort: true },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/en/build-with-claude/effort',
  },
  {
    family: 'anthropic',
    model: /claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9]|mythos-preview)/u,
    features: { thinking: 'adaptive' },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/en/build-with-claude/extended-thinking',
  },
  {
    family: 'anthropic',
    model: /claude-[a-z]+-[5-9]/u,
    features: { alwaysThinks: true },
    asOf: AS_OF,
    source: 'platform.claude.com/docs/models/opus-5-5/migration-guide',
    unconfirmed:
      'Confirmed for 5.5. Models of 5.0 and 5.1 are treated alike, which costs a forced tool and a temperature.',
  },
];

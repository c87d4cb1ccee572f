import { isJsonObject } from '@plugboard/base';
import { estimateToolTokens } from '../../tokens/estimate-tokens.js';
import { perTool, type LintRule } from './lint-rule.js';

const PER_TOOL = 500;
const PER_SERVER = 10_000;
const CONTEXT = 200_000;
const INSTRUCTIONS = 2048;

const share = (tokens: number): string => `${((100 * tokens) / CONTEXT).toFixed(1)} % of a context of 200,000`;

export const toolBudget: LintRule = {
  id: 'LNT-16',
  name: 'tool-budget',
  level: 'advice',
  sentence: `The definition of the tool takes more than ${PER_TOOL} tokens.`,
  fix: 'Shorten descriptions, and remove what the model does not need.',
  inspect: perTool(({ tool }) => {
    const tokens = estimateToolTokens(tool);
    return tokens > PER_TOOL ? [{ where: 'definition', detail: `about ${tokens}` }] : [];
  }),
};

export const serverBudget: LintRule = {
  id: 'LNT-16',
  name: 'server-budget',
  level: 'warning',
  sentence: 'The tools of the server take more than 10,000 tokens of every request.',
  fix: 'Offer fewer tools at once, for example with a toolset.',
  inspect: ({ tools }) => {
    const tokens = tools.reduce((sum, { tool }) => sum + estimateToolTokens(tool), 0);
    return tokens > PER_SERVER ? [{ where: 'tools', detail: `about ${tokens}, ${share(tokens)}` }] : [];
  },
};

export const instructionLength: LintRule = {
  id: 'LNT-17',
  name: 'instruction-length',
  level: 'advice',
  sentence: 'The instructions of the server are longer than 2 kB.',
  fix: 'Keep only what every conversation needs, and move the rest into the tools.',
  inspect: ({ texts }) =>
    texts
      .filter(({ kind, text }) => kind === 'instructions' && Buffer.byteLength(text) > INSTRUCTIONS)
      .map(({ where, text }) => ({ where, detail: `${Buffer.byteLength(text)} bytes` })),
};

const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['logging', 'logging/setLevel was replaced by a log level in each request'],
  ['roots', 'roots were removed'],
  ['sampling', 'sampling was removed'],
]);

export const deprecatedFeatures: LintRule = {
  id: 'LNT-18',
  name: 'deprecated-feature',
  level: 'advice',
  sentence: 'The server uses a feature that revision 2026-07-28 deprecates.',
  fix: 'See the list of deprecated features in the specification for what replaces it.',
  inspect: ({ capabilities }) =>
    isJsonObject(capabilities)
      ? Object.keys(capabilities)
          .filter((capability) => DEPRECATED.has(capability))
          .map((capability) => ({
            where: `capabilities/${capability}`,
            detail: DEPRECATED.get(capability) ?? capability,
          }))
      : [],
};

import { perTool, type LintRule } from './lint-rule.js';
import { jaccard, lookAlikes, wordsOf } from './similarity.js';

const STYLES: readonly (readonly [string, RegExp])[] = [
  ['snake_case', /^[a-z0-9]+(?:_[a-z0-9]+)+$/u],
  ['kebab-case', /^[a-z0-9]+(?:-[a-z0-9]+)+$/u],
  ['camelCase', /^[a-z0-9]+[A-Z][A-Za-z0-9]*$/u],
  ['PascalCase', /^[A-Z][a-z0-9][A-Za-z0-9]*$/u],
  ['dotted', /^[\w-]+(?:\.[\w-]+)+$/u],
];

const styleOf = (name: string): string | undefined => STYLES.find(([, pattern]) => pattern.test(name))?.[0];

const VERSION = /[_.-]v\d+(?:[._]\d+)*$/iu;

export const nameStyle: LintRule = {
  id: 'LNT-12',
  name: 'name-style',
  level: 'advice',
  sentence: 'Names of tools do not follow one style.',
  fix: 'Name all tools of a server alike, such as verb_noun, without versions.',
  inspect: (server) => {
    const styles = new Set(server.tools.map(({ tool }) => styleOf(tool.name)).filter((style) => style !== undefined));
    const versioned = perTool(({ tool }) =>
      VERSION.test(tool.name) ? [{ where: 'name', detail: 'the name carries a version' }] : [],
    )(server);
    return [...(styles.size > 1 ? [{ where: 'name', detail: [...styles].sort().join(', ') }] : []), ...versioned];
  },
};

const ALIKE = 0.9;
const FEWEST_WORDS = 6;
const MOST_TOOLS = 400;

export const distinctDescriptions: LintRule = {
  id: 'LNT-13',
  name: 'distinct-descriptions',
  level: 'advice',
  sentence: 'Two tools have nearly the same description.',
  fix: 'Describe in each what the other does not do.',
  inspect: ({ tools }) => {
    const described = tools.slice(0, MOST_TOOLS).map(({ tool }) => ({
      name: tool.name,
      words: wordsOf(typeof tool.description === 'string' ? tool.description : ''),
    }));
    return described.flatMap(({ name, words }, index) => {
      if (words.size < FEWEST_WORDS) return [];
      const twin = described.slice(0, index).find((other) => jaccard(words, other.words) >= ALIKE);
      return twin === undefined ? [] : [{ tool: name, where: 'description', detail: `compare "${twin.name}"` }];
    });
  },
};

export const distinctNames: LintRule = {
  id: 'LNT-13',
  name: 'distinct-names',
  level: 'warning',
  sentence: 'Two tools have names that look alike.',
  fix: 'Rename one of them.',
  inspect: ({ tools, name = '' }) =>
    lookAlikes(tools.map(({ tool }) => ({ name: tool.name, owner: name })))
      .filter(({ likeness }) => likeness === 'same-look')
      .map(({ a, b }) => ({ tool: b.name, where: 'name', detail: `compare "${a.name}"` })),
};

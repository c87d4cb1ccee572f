import { DIFFERENTIAL_CHECKS } from '../differential/differential-checks.js';
import { PERMITTED } from '../differential/permitted.js';
import type { Check } from '../model/check.js';
import { FAMILIES, type Family } from '../model/family.js';

/** What the page needs to know of a mutant. */
export interface ListedMutant {
  readonly name: string;
  readonly kills: string;
  readonly alsoKills?: readonly string[];
  readonly defect: string;
}

const INTRODUCTION = `# Checks

The checks of \`plugboard check\`, and the proof that each of them finds its defect: every mutant is the reference server
with exactly one defect. \`npm test\` proves that a mutant fails its check over every transport and in every era to which the
check applies, and that it fails no unrelated MUST check of the same family and no check of the smoke tier. Tasks and
authorization have their own reference servers, so the smoke tier is not compared there. \`npm run kill-matrix\` runs every
mutant against every MUST check over one transport, and executes the line that repeats each failure. It takes minutes and is
a separate job in CI. This page is generated from the checks; a test fails when it is stale.
`;

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

const levelOf = ({ level, legacyLevel, since, levelBefore = 'ADVICE' }: Check): string =>
  [
    level,
    ...(legacyLevel === undefined ? [] : [`legacy ${legacyLevel}`]),
    ...(since === undefined ? [] : [`before ${since} ${levelBefore}`]),
  ].join('; ');

const erasOf = ({ eras }: Check): string => (eras === 'both' ? 'compares both' : eras.join(', '));

const transportsOf = ({ transports }: Check): string => (transports.length === 3 ? 'all' : transports.join(', '));

const sourcesOf = ({ source }: Check): string => {
  const sources = 'sentence' in source ? [source] : [source.legacy, source.modern];
  return sources.map(({ sentence, url }) => `[“${cell(sentence)}”](${url})`).join('<br>');
};

const row = (check: Check, mutants: readonly ListedMutant[]): string => {
  const killers = mutants.filter(({ kills }) => kills === check.id).map(({ name }) => `\`${name}\``);
  return `| ${[check.id, cell(check.title), levelOf(check), check.tier, erasOf(check), transportsOf(check), killers.join('<br>') || '–', sourcesOf(check)].join(' | ')} |`;
};

const HEADER = [
  '| id | what a pass means | level | tier | era | transport | mutants | source |',
  '|---|---|---|---|---|---|---|---|',
];

const section = (family: Family, checks: readonly Check[], mutants: readonly ListedMutant[]): readonly string[] => {
  const own = checks.filter((check) => check.family === family);
  if (own.length === 0) return [];
  return ['', `## ${FAMILIES[family]}`, '', ...HEADER, ...own.map((check) => row(check, mutants))];
};

const differential = (): readonly string[] => [
  '',
  `## ${FAMILIES.differential}`,
  '',
  'Only with `--against` or `differential` in the target. Proven on pairs of the reference server, one of which has the defect.',
  '',
  '| id | what a pass means | level | source |',
  '|---|---|---|---|',
  ...DIFFERENTIAL_CHECKS.map(
    ({ id, title, level, source }) =>
      `| ${id} | ${cell(title)} | ${level} | [“${cell(source.sentence)}”](${source.url}) |`,
  ),
  '',
  'These differences are permitted, besides those that the target names under `permit`:',
  '',
  ...PERMITTED.map(({ what, why }) => `- ${what}: ${why}.`),
];

/** The page about all checks, with the kill matrix. */
export const checksMarkdown = (checks: readonly Check[], mutants: readonly ListedMutant[]): string => {
  const must = checks.filter(({ level }) => level === 'MUST');
  const proven = checks.filter(({ id }) => mutants.some(({ kills }) => kills === id));
  const counts = `${checks.length} checks, ${must.length} of them MUST; ${mutants.length} mutants prove ${proven.length} checks, every MUST among them.`;
  const defects = mutants.map(
    ({ name, kills, alsoKills = [], defect }) =>
      `| \`${name}\` | ${cell(defect)} | ${[kills, ...alsoKills].join(', ')} |`,
  );
  return [
    INTRODUCTION,
    counts,
    ...(Object.keys(FAMILIES) as Family[]).flatMap((family) => section(family, checks, mutants)),
    ...differential(),
    '',
    '## Rules that no outside observer can judge',
    '',
    'The catalogue lists them, but no check covers them.',
    '',
    '| id | rule | why it cannot be observed |',
    '|---|---|---|',
    ...UNOBSERVABLE.map(({ id, rule, why }) => `| ${id} | ${cell(rule)} | ${cell(why)} |`),
    '',
    '## Mutants',
    '',
    '| mutant | defect | turns red |',
    '|---|---|---|',
    ...defects,
    '',
  ].join('\n');
};

/** A rule that cannot be judged by talking to a server, and why. */
interface Unobservable {
  readonly id: string;
  readonly rule: string;
  readonly why: string;
}

/** What the catalogue lists and no check judges. */
export const UNOBSERVABLE: readonly Unobservable[] = [
  {
    id: 'STD-09',
    rule: 'A flood on stderr does not block stdout.',
    why: 'The client must read stderr; a server cannot be forced to fill it. The referee reads it continuously.',
  },
  {
    id: 'HTP-41',
    rule: 'Closing the stream of an answer cancels the work behind it.',
    why: 'Whether work continues is visible only inside the server: in its CPU usage, its log, or a counter of a test fixture.',
  },
  {
    id: 'PAG-03',
    rule: 'An empty string is a valid cursor.',
    why: 'The client must send it back; PAG-01 and PAG-05 do.',
  },
  {
    id: 'MRT-04',
    rule: 'An expired state is rejected.',
    why: 'No message states the lifetime of a state, so a test cannot know how long to wait.',
  },
  {
    id: 'SEC-25',
    rule: 'Calls of tools are limited in number.',
    why: 'If no limit is announced, it may just be higher than the burst that was tried.',
  },
];

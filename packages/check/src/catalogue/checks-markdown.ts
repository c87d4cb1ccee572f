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

What \`plugboard check\` holds a server to, and the proof that it notices: each mutant is the reference server with exactly
one defect, and turns its check red over every transport and in every era where the check applies, while no unrelated
MUST check of its family fails, nor (except for tasks and authorization, which have references of their own) one of the
smoke tier of any family. \`npm test\` runs that much. \`npm run kill-matrix\` runs every mutant against every MUST check, over one
transport each, and carries out the line that repeats each failure; it takes minutes, and is a job of its own in CI. This page is generated from the checks themselves; a test fails when it is stale.
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
  '| id | holds when it passes | level | tier | era | transport | mutants | source |',
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
  '| id | holds when it passes | level | source |',
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
    'The catalogue lists them, and no check pretends to hold a server to them.',
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
    why: 'It is the client that must read stderr; a server cannot be made to fill it. The referee reads it all the time.',
  },
  {
    id: 'HTP-41',
    rule: 'Closing the stream of an answer cancels the work behind it.',
    why: 'Whether work goes on shows inside the server only: its processor, its log, or a counter that a test fixture has.',
  },
  {
    id: 'PAG-03',
    rule: 'An empty text as cursor is a cursor.',
    why: 'It is the client that must send it back; the walks of PAG-01 and PAG-05 do.',
  },
  {
    id: 'MRT-04',
    rule: 'A state is refused after its time.',
    why: 'No message says how long a state lives, so a test cannot know how long to wait.',
  },
  {
    id: 'SEC-25',
    rule: 'Calls of tools are limited in number.',
    why: 'A limit that is not announced cannot be told from one that is higher than the burst that was tried.',
  },
];

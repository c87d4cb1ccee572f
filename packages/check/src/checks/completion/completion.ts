import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';

const completion = { family: 'completion', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'completions' } as const;
const METHOD = 'completion/complete';
const MAX_REFS = 8;

interface Subject {
  readonly ref: JsonObject;
  readonly argument: string;
}

/** Everything of which values could be suggested: arguments of prompts, variables of templates. */
const subjects = async (probe: Probe): Promise<readonly Subject[]> => {
  const ofPrompts = (await probe.prompts()).flatMap((prompt) =>
    listAt(prompt, 'arguments').map((argument) => ({
      ref: { type: 'ref/prompt', name: prompt['name'] },
      argument: String(at(argument, 'name')),
    })),
  );
  const ofTemplates = (await probe.resourceTemplates()).flatMap(({ uriTemplate }) =>
    [...String(uriTemplate).matchAll(/\{[+#./;?&]?([A-Za-z0-9_]+)/gu)].map(([, name]) => ({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: name ?? '',
    })),
  );
  return [...ofPrompts.slice(0, MAX_REFS), ...ofTemplates.slice(0, MAX_REFS)];
};

const NOTHING = notVerified('No prompt and no template has arguments.', 'a server with something to complete');

const complete = (probe: Probe, { ref, argument }: Subject, value: string, more: JsonObject = {}): Promise<Answer> =>
  probe.session().request(METHOD, { ref, argument: { name: argument, value }, ...more });

const valueFlaws = ({ result, exchange }: Answer): readonly Flaw[] => {
  const found = at(result, 'completion');
  const values = listAt(found, 'values');
  const [total, more] = [at(found, 'total'), at(found, 'hasMore')];
  const flaws = [
    ...(isObject(found) && Array.isArray(found['values']) ? [] : [`completion is ${show(found)}.`]),
    ...(values.length <= 100 ? [] : [`There are ${values.length} values.`]),
    ...(values.every((value) => typeof value === 'string') ? [] : ['A value is no text.']),
    ...(total === undefined || typeof total === 'number' ? [] : [`total is ${show(total)}.`]),
    ...(more === undefined || typeof more === 'boolean' ? [] : [`hasMore is ${show(more)}.`]),
  ];
  const isLess = typeof total === 'number' && total < values.length;
  return [
    ...flaws.map((detail) => ({ detail, exchange })),
    ...(isLess ? [{ detail: `total is ${total}, of ${values.length} values.`, exchange, beyond: true }] : []),
  ];
};

export const completionShape = defineCheck({
  ...completion,
  id: 'CMP-01',
  title: 'completions have at most 100 strings, a total that is not lower, and a boolean hasMore',
  level: 'MUST',
  tier: 'standard',
  source: inBoth('schema#completeresult', 'An array of completion values. Must not exceed 100 items.'),
  remedy: 'Answer with completion: { values: at most 100 strings, total, hasMore }.',
  async run(probe) {
    const all = await subjects(probe);
    if (all.length === 0) return NOTHING;
    const answers: Answer[] = [];
    for (const subject of all) answers.push(await complete(probe, subject, ''));
    // An error has no values that could be too many.
    const completed = answers.filter(({ result }) => result !== undefined);
    if (completed.length === 0) {
      const [first] = answers;
      const detail = `No argument can be completed${first === undefined ? '' : `: ${describe(first)}`}.`;
      return notVerified(detail, 'a server that completes an argument of its prompts or templates');
    }
    return judged(
      completed.flatMap(valueFlaws),
      'completion: { values: string[] of at most 100, total?, hasMore? }',
      `${completed.length} arguments.`,
    );
  },
});

export const unknownReference = defineCheck({
  ...completion,
  id: 'CMP-02',
  title: 'completing for a prompt that does not exist is rejected with -32602',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'server/utilities/completion#error-handling',
    'Servers SHOULD return standard JSON-RPC errors for common failure cases: […] Invalid prompt name: -32602 (Invalid params)',
  ),
  remedy: 'Answer with error -32602.',
  async run(probe) {
    const nowhere = { ref: { type: 'ref/prompt', name: 'no-such-prompt-here' }, argument: 'a' };
    const answer = await complete(probe, nowhere, '');
    const flaws =
      answer.error?.code === -32602
        ? []
        : [{ detail: `It came back with ${describe(answer)}.`, exchange: answer.exchange }];
    return judged(flaws, 'error -32602');
  },
});

export const refined = defineCheck({
  ...completion,
  id: 'CMP-03',
  title: 'suggestions narrow as more is typed, and nonsense is answered too',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'server/utilities/completion#implementation-considerations',
    'Servers SHOULD: Return suggestions sorted by relevance Implement fuzzy matching where appropriate […]',
  ),
  remedy: 'Filter the suggestions by the text that was typed.',
  async run(probe) {
    const flaws: Flaw[] = [];
    const all = await subjects(probe);
    if (all.length === 0) return NOTHING;
    for (const subject of all) {
      const everything = listAt((await complete(probe, subject, '')).result, 'completion', 'values');
      const answer = await complete(probe, subject, 'zqx'.repeat(300));
      const left = listAt(answer.result, 'completion', 'values');
      if (answer.result === undefined || (left.length > 0 && left.length >= everything.length)) {
        const detail = answer.result === undefined ? describe(answer) : `${left.length} suggestions for nonsense`;
        flaws.push({ detail: `${subject.argument}: ${detail}.`, exchange: answer.exchange });
      }
    }
    return judged(flaws, 'fewer suggestions');
  },
});

export const contextAccepted = defineCheck({
  ...completion,
  id: 'CMP-04',
  title: 'completion accepts the values of other arguments as context',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'server/utilities/completion#requesting-completions',
    'For prompts or URI templates with multiple arguments, clients should include previous completions in the context.arguments object to provide context for subsequent requests.',
  ),
  remedy: 'Accept context.arguments in completion/complete, used or not.',
  async run(probe) {
    const [subject] = await subjects(probe);
    if (subject === undefined) return NOTHING;
    const plain = await complete(probe, subject, '');
    const answer = await complete(probe, subject, '', { context: { arguments: { 'plugboard-other': 'value' } } });
    if (plain.result === undefined) {
      return notVerified(`Completing gives ${describe(plain)}.`, 'a server that completes');
    }
    const flaws = valueFlaws(answer);
    return judged(flaws, 'the same as without context');
  },
});

export const completionsApart = defineCheck({
  ...completion,
  id: 'CMP-05',
  title: 'the input of one client is not suggested to another',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    'server/utilities/completion#security',
    'Implementations MUST: […] Control access to sensitive suggestions Prevent completion-based information disclosure',
  ),
  remedy: 'Never learn suggestions from what clients send, or keep them per user.',
  async run(probe) {
    const canary = `canary-${probe.seed}-${probe.era}`;
    const all = await subjects(probe);
    if (all.length === 0) return NOTHING;
    for (const subject of all) await complete(probe, subject, canary);
    const other = await probe.open({ clientInfo: { name: 'another-client', version: '1.0.0' } });
    const flaws: Flaw[] = [];
    for (const { ref, argument } of all) {
      const { result, exchange } = await other.request(METHOD, { ref, argument: { name: argument, value: '' } });
      if (JSON.stringify(result ?? {}).includes(canary)) flaws.push({ detail: `${argument} suggests it.`, exchange });
    }
    return judged(flaws, 'suggestions without what somebody else typed');
  },
});

export const completionChecks = [completionShape, unknownReference, refined, contextAccepted, completionsApart];

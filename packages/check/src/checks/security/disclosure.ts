import { at, listAt } from '../../connection/json.js';
import { disclosuresIn } from '../../detect/disclosure.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notApplicable, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Answer } from '../../session/answer.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { invalidCalls } from '../tools/call.js';
import { declares } from '../../model/capability.js';
import { climbingArguments } from './reach.js';

/** Errors of every kind that a client can cause without harm. */
const provoked = async (probe: Probe): Promise<readonly Answer[]> => {
  const session = probe.session();
  const has = (capability: 'tools' | 'resources' | 'prompts'): boolean => declares(session.capabilities, capability);
  const answers = [await session.request('no/such/method')];
  if (has('tools')) answers.push(await session.request('tools/call', { name: 'no-such-tool-here', arguments: {} }));
  if (has('resources')) {
    for (const uri of await probe.unserved(['file:///no/such/file', 'not a uri'])) {
      answers.push(await session.request('resources/read', { uri }));
    }
  }
  if (has('prompts')) answers.push(await session.request('prompts/get', { name: 'no-such-prompt-here' }));
  const invalid = has('tools') ? await invalidCalls(probe) : [];
  return [...answers, ...invalid.flatMap(({ answer }) => answer ?? [])];
};

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const errorText = ({ error, result, request }: Answer): string => {
  const texts =
    result?.['isError'] === true ? listAt(result, 'content').map((block) => wordsOf(at(block, 'text'))) : [];
  const text = [wordsOf(error?.message), JSON.stringify(error?.data ?? ''), ...texts].join('\n');
  // What the client itself sent is no disclosure.
  const sent = [at(request, 'params', 'uri'), at(request, 'params', 'name')].filter(
    (one): one is string => typeof one === 'string',
  );
  return sent.reduce<string>((rest, one) => rest.replaceAll(one, ''), text);
};

export const errorsDiscloseNothing = defineCheck({
  family: 'security',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  id: 'SEC-08',
  title: 'errors disclose no stack traces, paths, queries, exceptions or secrets',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth('server/tools#security-considerations', 'Servers MUST: […] Sanitize tool outputs'),
  remedy: 'Send a sentence to the caller, and write the details to your own log.',
  async run(probe) {
    const answers = await provoked(probe);
    if (answers.length === 0) return notVerified('No error could be provoked.', 'a server with tools or resources');
    const flaws: readonly Flaw[] = answers.flatMap((answer) =>
      disclosuresIn(errorText(answer)).map((kind) => ({
        detail: `An answer to ${String(answer.request['method'])} contains ${kind}.`,
        exchange: answer.exchange,
      })),
    );
    return judged(flaws, 'errors that tell the caller what to do', `${answers.length} errors.`);
  },
});

const TRAVERSALS = [
  'file:///etc/passwd',
  'file:///../../../../../../etc/passwd',
  'file:///%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  'file://localhost/etc/passwd',
];
const PASSWD = /^root:[^:\n]*:0:0:/mu;

const climbing = (uri: string): readonly string[] => {
  const base = uri.replace(/[^/]*$/u, '');
  return [`${base}../../../../../../../etc/passwd`, `${base}..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd`];
};

/** What URIs outside of what is offered disclose; undefined when a template may serve each of them. */
const climbedUris = async (probe: Probe): Promise<readonly Flaw[] | undefined> => {
  const session = await probe.open();
  const [first] = await probe.resources();
  const uris = await probe.unserved([
    ...TRAVERSALS,
    ...(typeof first?.['uri'] === 'string' ? climbing(first['uri']) : []),
  ]);
  if (uris.length === 0) return undefined;
  const flaws: Flaw[] = [];
  for (const uri of uris) {
    const { result, exchange } = await session.request('resources/read', { uri });
    const texts = listAt(result, 'contents').map((one) =>
      typeof at(one, 'blob') === 'string'
        ? Buffer.from(String(at(one, 'blob')), 'base64').toString('utf8')
        : wordsOf(at(one, 'text')),
    );
    if (texts.some((text) => PASSWD.test(text))) flaws.push({ detail: `${uri} gives the list of users.`, exchange });
  }
  return flaws;
};

export const noTraversal = defineCheck({
  family: 'security',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  id: 'SEC-01',
  title: 'URIs and paths cannot leave the offered directories',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'server/resources#security-considerations', 'Servers MUST validate all resource URIs'),
    modern: spec(
      '2026-07-28',
      'server/resources#security-considerations',
      'Servers MUST sanitize file paths to prevent directory traversal attacks when serving file:// resources',
    ),
  },
  remedy: 'Resolve the path, follow links, and compare the result with the allowed folder before opening it.',
  async run(probe) {
    const offers = declares(probe.session().capabilities, 'resources');
    const flaws = offers ? await climbedUris(probe) : [];
    if (flaws !== undefined && flaws.length > 0) return judged(flaws, 'an error');
    const found = declares(probe.session().capabilities, 'tools') ? await climbingArguments(probe) : undefined;
    if (found !== undefined) return found;
    if (!offers) return notApplicable('The server offers neither resources nor tools with paths.');
    return flaws === undefined
      ? notVerified('Resource templates may serve every URI that could be tried.', '--intrusive, to run templates')
      : judged([], '');
  },
});

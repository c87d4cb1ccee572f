import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, MODERN_TRANSPORTS, defineCheck } from '../../model/check.js';
import { notVerified } from '../../model/finding.js';
import { HINTS, hintFlaws } from '../instrument/caching.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, judgedList, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const resources = { family: 'resources', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'resources' } as const;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/u;

const repeated = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

export const resourceShape = defineCheck({
  ...resources,
  id: 'RES-01',
  title: 'every resource has a name and a unique URI as defined by RFC 3986',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'smoke',
  source: inBoth(
    'server/resources#custom-uri-schemes',
    'Custom URI schemes MUST be in accordance with RFC3986, taking the above guidance in to account.',
  ),
  remedy: 'Give each resource a name and an absolute, percent-encoded URI that no other resource has.',
  async run(probe) {
    const listed = await probe.resources();
    const malformed = listed
      .filter(({ uri }) => typeof uri !== 'string' || !URI.test(uri))
      .map(({ uri }) => `${show(uri)} is not a URI.`);
    // Names are a matter of the schema (RPC-01), and no sentence forbids to list a resource twice.
    const beyond = [
      ...listed.filter(({ name }) => typeof name !== 'string').map(({ uri }) => `${show(uri)} has no name.`),
      ...repeated(listed.map(({ uri }) => uri)).map((uri) => `${show(uri)} is listed twice.`),
    ].map((detail) => ({ detail, beyond: true }));
    const expected = 'uri: an absolute URI, each once; name: string';
    return await judgedList(probe, 'resources/list', [...malformed, ...beyond], expected);
  },
});

const EXPRESSION = /^[+#./;?&]?[A-Za-z0-9_%.]+(?::\d{1,4}|\*)?(?:,[A-Za-z0-9_%.]+(?::\d{1,4}|\*)?)*$/u;

const templateFlaw = (template: unknown): string | undefined => {
  if (typeof template !== 'string' || template === '') return 'is no text';
  const expressions = [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, inner]) => inner ?? '');
  const rest = template.replaceAll(/\{[^{}]*\}/gu, '');
  if (/[{}]/u.test(rest)) return 'has a brace without its partner';
  const odd = expressions.find((expression) => !EXPRESSION.test(expression));
  return odd === undefined ? undefined : `has the expression {${odd}}`;
};

export const templatesParse = defineCheck({
  ...resources,
  id: 'RES-05',
  title: 'every resource template is a URI template of RFC 6570, with a name',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'server/resources#resource-templates',
    'Resource templates allow servers to expose parameterized resources using URI templates.',
  ),
  remedy: 'Write the template as RFC 6570 defines it: {name}, {+path}, {?query}.',
  async run(probe) {
    const templates = await probe.resourceTemplates();
    const flaws = templates.flatMap(({ uriTemplate, name }) => {
      const flaw = typeof name === 'string' ? templateFlaw(uriTemplate) : 'has no name';
      return flaw === undefined ? [] : [`${show(uriTemplate)} ${flaw}.`];
    });
    return await judgedList(probe, 'resources/templates/list', flaws, 'a template of RFC 6570');
  },
});

const ISO = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/u;

const annotationFlaws = ({ uri, annotations }: JsonObject): readonly string[] => {
  if (annotations === undefined) return [];
  if (!isObject(annotations)) return [`The annotations of ${show(uri)} are ${show(annotations)}.`];
  const { audience, priority, lastModified } = annotations;
  const roles = listAt(annotations, 'audience');
  return [
    ...(audience === undefined ||
    (Array.isArray(audience) && roles.every((role) => role === 'user' || role === 'assistant'))
      ? []
      : [`audience of ${show(uri)} is ${show(audience)}.`]),
    ...(priority === undefined || (typeof priority === 'number' && priority >= 0 && priority <= 1)
      ? []
      : [`priority of ${show(uri)} is ${show(priority)}.`]),
    ...(lastModified === undefined || (typeof lastModified === 'string' && ISO.test(lastModified))
      ? []
      : [`lastModified of ${show(uri)} is ${show(lastModified)}.`]),
  ];
};

export const annotationsValid = defineCheck({
  ...resources,
  id: 'RES-10',
  title: 'annotations have an audience of user and assistant, a priority of 0 to 1, a date of ISO 8601',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    'server/resources#annotations',
    'priority: A number from 0.0 to 1.0 indicating the importance of this resource.',
  ),
  remedy:
    'Correct the annotations: audience ["user", "assistant"], priority 0 to 1, lastModified such as 2026-01-31T12:00:00Z.',
  async run(probe) {
    const flaws = [...(await probe.resources()), ...(await probe.resourceTemplates())].flatMap(annotationFlaws);
    const expected = 'audience: user or assistant; priority: 0 to 1; lastModified: ISO 8601';
    return await judgedList(probe, 'resources/list', flaws, expected);
  },
});

export const resourceCacheHints = defineCheck({
  ...resources,
  id: 'RES-11',
  eras: ['modern'],
  transports: MODERN_TRANSPORTS,
  title: 'lists and contents of resources state how long they may be cached, and by whom',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    'server/utilities/caching#cacheable-results',
    'Servers MUST include caching hints on results with resultType: "complete" returned by the following operations: […] resources/list resources/templates/list resources/read',
  ),
  remedy: 'Put ttlMs (0 when in doubt) and cacheScope ("private" when in doubt) into the result.',
  async run(probe) {
    const session = probe.session();
    const uri = (await probe.resources()).map((resource) => resource['uri']).find((one) => typeof one === 'string');
    const answers = [
      await session.request('resources/list'),
      await session.request('resources/templates/list'),
      ...(uri === undefined ? [] : [await session.request('resources/read', { uri })]),
    ];
    const flaws: readonly Flaw[] = answers.flatMap((answer) =>
      hintFlaws(answer).map((detail) => ({
        detail: `${String(answer.request['method'])}: ${detail}`,
        exchange: answer.exchange,
      })),
    );
    return judged(flaws, HINTS);
  },
});

export const webResources = defineCheck({
  ...resources,
  id: 'RES-12',
  title: 'https: is used only for what a client could load from the web itself',
  level: 'SHOULD',
  tier: 'full',
  source: inBoth(
    'server/resources#https',
    'Servers SHOULD use this scheme only when the client is able to fetch and load the resource directly from the web on its own—that is, it doesn’t need to read the resource via the MCP server.',
  ),
  remedy: 'Use your own URI scheme for resources that only your server can return.',
  async run(probe) {
    const web = (await probe.resources()).filter(({ uri }) => /^https?:/u.test(String(uri)));
    const local = web.filter(({ uri }) =>
      /^https?:\/\/(?:localhost|127\.|\[::1\]|[^/.]+(?:[:/]|$))/u.test(String(uri)),
    );
    const flaws = local.map((resource) => `${show(at(resource, 'uri'))} is not a web address.`);
    if (web.length > 0 && flaws.length === 0) {
      return notVerified(`${web.length} resources have web addresses.`, 'a look at whether clients can load them');
    }
    return await judgedList(probe, 'resources/list', flaws, 'a scheme other than http and https');
  },
});

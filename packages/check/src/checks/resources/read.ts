import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, MODERN_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { endOfSequence } from '../../session/exchange.js';
import { describe, type Answer } from '../../session/answer.js';
import { contentsFlaw } from '../instrument/content.js';
import { inBoth } from '../instrument/in-both.js';
import { isInterim } from '../instrument/interview.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const resources = { family: 'resources', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'resources' } as const;
const MAX_READ = 8;
const ABSENT = [
  'plugboard-check://no-such-resource/7f3a',
  'file:///no/such/file/7f3a',
  'https://example.invalid/nothing',
];

interface Read {
  readonly resource: JsonObject;
  readonly answer: Answer;
}

/** Some of the listed resources, evenly spread, and those that the operator names. */
const readSome = (probe: Probe): Promise<readonly Read[]> =>
  probe.once('read', async () => {
    const listed = await probe.resources();
    const step = Math.max(1, Math.ceil(listed.length / MAX_READ));
    const chosen = [
      ...listed.filter((_, index) => index % step === 0),
      ...probe.target.resources.map((uri) => ({ uri })),
    ].filter(({ uri }) => typeof uri === 'string');
    const read: Read[] = [];
    for (const resource of chosen) {
      read.push({ resource, answer: await probe.session().request('resources/read', { uri: resource['uri'] }) });
    }
    return read;
  });

const SERVED = notVerified(
  'Every URI that could be tried may be served by a resource template, and templates are not run.',
  'permission to run resource templates: --intrusive',
);

const NOTHING_LISTED = notVerified('No resource is listed.', 'URIs that may be read (resources)');

const readFlaws = ({ resource, answer }: Read): readonly Flaw[] => {
  const { result, exchange } = answer;
  const uri = show(resource['uri']);
  if (result === undefined) return [];
  if ((at(result, 'resultType') ?? 'complete') !== 'complete') return [];
  const contents = listAt(result, 'contents');
  if (contents.length === 0) return [{ detail: `${uri} came back without contents.`, exchange, beyond: true }];
  return contents.flatMap((one, index) => {
    const flaw = contentsFlaw(one);
    return flaw === undefined ? [] : [{ detail: `Contents ${index + 1} of ${uri}: ${flaw}.`, exchange }];
  });
};

const unreadFlaws = ({ resource, answer }: Read): readonly Flaw[] =>
  answer.result === undefined
    ? [
        {
          detail: `${show(resource['uri'])} is listed, and reading it gives ${describe(answer)}.`,
          exchange: answer.exchange,
        },
      ]
    : [];

export const listedReadable = defineCheck({
  ...resources,
  id: 'RES-02',
  title: 'every listed resource can be read: as text or base64, with its URI',
  level: 'MUST',
  tier: 'standard',
  source: inBoth('server/resources#security-considerations', 'Binary data MUST be properly encoded'),
  remedy: 'Answer resources/read with contents of { uri, mimeType, text } or { uri, mimeType, blob: base64 }.',
  async run(probe) {
    const read = await readSome(probe);
    if (read.length === 0) return NOTHING_LISTED;
    const expected = 'contents: [{ uri, text }] or [{ uri, blob }]';
    const finding = judged(read.flatMap(readFlaws), expected, `${read.length} were read.`);
    if (finding.kind !== 'holds') return finding;
    // The sentence is about how contents are encoded. That something cannot be read now is worth a warning.
    const unread = judged(read.flatMap(unreadFlaws), 'contents of what is listed');
    return unread.kind === 'broken' ? doubtful(unread) : finding;
  },
});

export const unknownResource = defineCheck({
  ...resources,
  id: 'RES-03',
  title: 'reading an unknown resource is rejected with -32602, before 2026-07-28 also with -32002',
  level: 'MUST',
  legacyLevel: 'SHOULD',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'server/resources#error-handling',
      'Servers SHOULD return standard JSON-RPC errors for common failure cases: Resource not found: -32002',
    ),
    modern: spec(
      '2026-07-28',
      'server/resources#error-handling',
      'If the requested resource does not exist, servers MUST return a JSON-RPC error with code -32602 (Invalid Params).',
    ),
  },
  remedy: 'Answer resources/read of an unknown URI with error -32602 and data { uri }.',
  async run(probe) {
    const [uri] = await probe.unserved(ABSENT);
    if (uri === undefined) return SERVED;
    const answer = await probe.session().request('resources/read', { uri });
    const modern = probe.era === 'modern';
    const fine = answer.error?.code === -32602 || (!modern && answer.error?.code === -32002);
    if (fine) return holds();
    if (isInterim(answer)) {
      return notVerified('The server asks for input before it reads.', 'a server that reads without asking for input');
    }
    // The control: what is listed can be read. Where nothing can, an error is not about the URI.
    if (answer.result === undefined && !(await readSome(probe)).some((read) => read.answer.result !== undefined)) {
      return notVerified(
        `No listed resource can be read, and it came back with ${describe(answer)}.`,
        'a resource that can be read',
      );
    }
    const evidence = {
      detail: `It came back with ${describe(answer)}.`,
      expected: modern ? 'error -32602' : 'error -32002',
      exchange: answer.exchange,
    };
    return modern ? broken(evidence) : doubtful(evidence);
  },
});

export const neverEmpty = defineCheck({
  ...resources,
  id: 'RES-04',
  eras: ['modern'],
  transports: MODERN_TRANSPORTS,
  title: 'reading an unknown resource never returns empty contents',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/resources#error-handling',
    'Servers MUST NOT return an empty contents array for a non-existent resource.',
  ),
  remedy: 'Answer with error -32602 instead of contents: [].',
  async run(probe) {
    const uris = await probe.unserved(ABSENT);
    if (uris.length === 0) return SERVED;
    const flaws: Flaw[] = [];
    for (const uri of uris) {
      const { result, exchange } = await probe.session().request('resources/read', { uri });
      if (result === undefined || listAt(result, 'contents').length > 0) continue;
      if ((at(result, 'resultType') ?? 'complete') === 'complete') {
        flaws.push({ detail: `${uri} came back with empty contents.`, exchange });
      }
    }
    return judged(flaws, 'error -32602');
  },
});

/** Nothing that RFC 3986 calls a URI: without a scheme, with a blank, or with a percent sign that encodes nothing. */
const MALFORMED = ['not a uri', '://', '../../etc/passwd', 'test://%zz'];
/** Proper by its grammar, and suspicious. */
const SUSPICIOUS = ['file://', 'test://%00'];
/** Proper, and a burden: it may be answered as the server likes. */
const LONG = `test://${'a'.repeat(4_096)}`;

/** Contents, and not a question that has to be answered first. */
const isServed = ({ result }: Answer): boolean =>
  listAt(result, 'contents').length > 0 && (at(result, 'resultType') ?? 'complete') === 'complete';

/** The control: as many reads of proper URIs that lead nowhere. Some servers stop serving after a number of failures. */
const survivesFailures = async (probe: Probe, count: number): Promise<boolean> => {
  const session = await probe.open({ fresh: true });
  const absent = Array.from({ length: count }, (_, index) => `plugboard-check://no-such-resource/${index}`);
  for (const uri of await probe.unserved(absent)) await session.request('resources/read', { uri });
  return (await session.request('resources/list')).result !== undefined;
};

export const malformedUris = defineCheck({
  ...resources,
  id: 'RES-06',
  title: 'malformed URIs are rejected, and the server keeps running',
  level: 'MUST',
  tier: 'standard',
  source: inBoth('server/resources#security-considerations', 'Servers MUST validate all resource URIs'),
  remedy: 'Parse and validate the URI before anything else; answer with error -32602.',
  async run(probe) {
    const session = await probe.open();
    const flaws: Flaw[] = [];
    const before = await session.request('resources/list');
    const uris = await probe.unserved([...MALFORMED, ...SUSPICIOUS, LONG]);
    if (uris.length === 0) return SERVED;
    for (const uri of uris) {
      const answer = await session.request('resources/read', { uri });
      if (isServed(answer) && uri !== LONG) {
        const detail = `${show(uri).slice(0, 40)} came back with a result.`;
        flaws.push({ detail, exchange: answer.exchange, beyond: SUSPICIOUS.includes(uri) });
      }
    }
    const alive = await session.request('resources/list');
    if (alive.result === undefined && before.result !== undefined) {
      const isTheirs = await survivesFailures(probe, uris.length);
      const after = isTheirs ? 'After that' : `After ${uris.length} reads that fail, malformed or not`;
      const detail = `${after}, resources/list came back with ${describe(alive)}.`;
      flaws.push({ detail, exchange: endOfSequence(alive.exchange), beyond: !isTheirs });
    }
    return judged(flaws, 'an error');
  },
});

const MAGIC: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'application/pdf': '25504446',
  'application/zip': '504b',
  'application/gzip': '1f8b',
};

const bytesOf = (contents: unknown): Buffer | undefined => {
  if (!isObject(contents)) return undefined;
  if (typeof contents['blob'] === 'string') return Buffer.from(contents['blob'], 'base64');
  return typeof contents['text'] === 'string' ? Buffer.from(contents['text']) : undefined;
};

const plausibleFlaws = ({ resource, answer }: Read): readonly Flaw[] => {
  const [contents] = listAt(answer.result, 'contents');
  const bytes = bytesOf(contents);
  if (bytes === undefined) return [];
  const mime = at(contents, 'mimeType') ?? resource['mimeType'];
  const magic = typeof mime === 'string' ? MAGIC[mime] : undefined;
  const { exchange } = answer;
  return [
    ...(magic === undefined || bytes.toString('hex', 0, 8).startsWith(magic)
      ? []
      : [
          {
            detail: `${show(resource['uri'])} is listed as ${show(mime)}, but its content does not begin like it.`,
            exchange,
          },
        ]),
    ...(typeof resource['size'] !== 'number' || resource['size'] === bytes.length
      ? []
      : [
          {
            detail: `${show(resource['uri'])} is listed with ${resource['size']} bytes, but has ${bytes.length}.`,
            exchange,
          },
        ]),
  ];
};

export const plausibleContents = defineCheck({
  ...resources,
  id: 'RES-09',
  title: 'contents have the listed MIME type and size',
  level: 'ADVICE',
  tier: 'standard',
  source: inBoth(
    'schema#resource',
    'The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.',
  ),
  remedy: 'Correct mimeType and size, or leave them out.',
  async run(probe) {
    const read = await readSome(probe);
    if (read.length === 0) return NOTHING_LISTED;
    return judged(read.flatMap(plausibleFlaws), 'mimeType and size as listed');
  },
});

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS, checkTarget, type FAMILIES, runChecks, type Check } from '@plugboard/check';
import type { CheckResult, CheckTransport } from '@plugboard/contract';
import {
  AGGREGATE,
  aggregateServer,
  guardedServer,
  mutantServer,
  referenceServer,
  taskingServer,
  type Mutant,
  type MutantServer,
} from '@plugboard/testing';

// The line by which a failure can be repeated, carried out: it must show the fault on the mutant, and must not on a server
// without a defect.

const CLI = fileURLToPath(new URL('../../packages/plugboard/dist/main.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('mutant-process.mjs', import.meta.url));
const BUDGETS = { quietMs: 60, requestMs: 8_000, startMs: 20_000, concurrency: 8 };
const TOOLS = {
  '*': {},
  log: {},
  elicit: {},
  sample: {},
  roots: {},
  sleep: { arguments: { ms: 300 } },
  progress: { arguments: { steps: 3 } },
};

type Family = keyof typeof FAMILIES;
interface Healthy {
  readonly name: string;
  readonly server: () => MutantServer;
  /** What runs of its family need to know. */
  readonly target?: { readonly tools: object; readonly hub?: object };
}
const REFERENCE: Healthy = { name: 'reference', server: referenceServer };
const HEALTHY: Partial<Record<Family, Healthy>> = {
  tasks: {
    name: 'tasking',
    server: taskingServer,
    target: {
      tools: Object.fromEntries([
        ...['run_job', 'run_long_job', 'ask_in_job'].map((name) => [name, {}]),
        ...['sleep', 'progress', 'elicit', 'sample', 'roots', 'open_page', 'log', 'announce'].map((name) => [
          name,
          { safe: false },
        ]),
      ]),
    },
  },
  authorization: {
    name: 'guarded',
    server: guardedServer,
    target: { tools: { '*': {}, elicit: {}, sleep: { safe: false }, progress: { safe: false } } },
  },
  hub: {
    name: 'aggregate',
    server: aggregateServer,
    target: { hub: AGGREGATE, tools: { one__progress: { arguments: { steps: 2 } } } },
  },
};

const checkOf = ({ kills }: Mutant): Check => {
  const check = CHECKS.find(({ id }) => id === kills);
  if (check === undefined) throw new Error(`There is no check ${kills}.`);
  return check;
};

const OVER_HTTP: readonly CheckTransport[] = ['streamable-http', 'stdio', 'sse'];
const NEW_PROCESS: readonly CheckTransport[] = ['stdio', 'streamable-http', 'sse'];

/** Over HTTP if the defect shows there, for that is quickest; in a new process where it depends on what came before. */
const transportOf = (mutant: Mutant, { transports, inSequence }: Check): CheckTransport =>
  (inSequence === true ? NEW_PROCESS : OVER_HTTP).find(
    (one) => transports.includes(one) && (mutant.transports?.includes(one) ?? true),
  ) ?? 'stdio';

interface Side {
  readonly target: object;
  /** What of a line names this server. */
  readonly words: string;
  readonly environment: Readonly<Record<string, string>>;
}

const sideOf = async (server: MutantServer, name: string, transport: CheckTransport): Promise<Side> => {
  if (transport === 'stdio') {
    return { target: { command: [process.execPath, PROGRAM, name] }, words: name, environment: {} };
  }
  const { url } = transport === 'sse' ? await server.listenSse() : await server.listenHttp();
  const address = { url, transport };
  const words = new URL(url).host;
  const known = server.credentialsFor(url);
  if (known === undefined) return { target: address, words, environment: {} };
  const { token, otherToken, ...tokens } = known;
  const headers = { authorization: `Bearer ${token}` };
  const authorization = { register: true, upstreamTool: 'show_upstream', ...tokens };
  return {
    target: { ...address, headers, otherHeaders: { authorization: `Bearer ${otherToken}` }, authorization },
    words,
    environment: { AUTHORIZATION: headers.authorization },
  };
};

const shell = (line: string, folder: string, environment: Side['environment']): Promise<string> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`,
      PLUGBOARD_HOME: join(folder, 'home'),
      ...environment,
    };
    execFile('sh', ['-c', line], { env, timeout: 150_000, maxBuffer: 64_000_000 }, (_error, stdout) => resolve(stdout));
  });

/** What came back, without what differs from one time to the next. */
const plain = (text: string): string =>
  text
    .replaceAll(/\r/gu, '')
    .replaceAll(/^(?:id|date|keep-alive|connection|transfer-encoding|content-length):.*$/gimu, '')
    .replaceAll(/"(?<name>taskId|createdAt|lastUpdatedAt|requestState|nextCursor)":"[^"]*"/gu, '"$<name>":"…"')
    .replaceAll(/"id":"server-\d+"/gu, '"id":"server"')
    .replaceAll(/127\.0\.0\.1:\d+/gu, 'host')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/giu, 'uuid')
    .replaceAll(/\s+/gu, ' ');

const messagesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^data: ?/u, '').trim())
    .filter((line) => line.startsWith('{') || line.startsWith('['));

/** Whether a line of requests showed what the report says that came. */
const showsWhatCame = ({ evidence }: CheckResult, shown: string): boolean => {
  const received = evidence?.received ?? '';
  const status = /^HTTP (?<status>\d{3})/u.exec(received)?.groups?.['status'];
  if (status !== undefined && !shown.includes(`HTTP/1.1 ${status}`)) return false;
  // What was cut for the report, or is a secret there, cannot be compared.
  const messages = messagesIn(received).filter((message) => received.length < 8_000 && !message.includes('[secret]'));
  return messages.length === 0 || messages.some((message) => plain(shown).includes(plain(message)));
};

export interface Repeated {
  readonly id: string;
  readonly line: string;
  /** Whether it shows the fault: what the report says that came, or a red check. */
  readonly shows: boolean;
  /** Whether a server without the defect leads to the same. */
  readonly healthyToo: boolean;
  readonly shown: string;
}

const judge = (result: CheckResult, shown: string, healthy: string): Repeated => {
  const line = result.evidence?.reproduce ?? '';
  const isCheck = line.startsWith('plugboard check');
  const red = (text: string): boolean => new RegExp(`[✗!] ${result.id} `, 'u').test(text);
  return {
    id: `${result.id} ${result.era} ${result.transport}`,
    line,
    shows: isCheck ? red(shown) : showsWhatCame(result, shown),
    healthyToo: isCheck ? red(healthy) : plain(shown) === plain(healthy),
    shown: shown.slice(0, 2_000),
  };
};

/** Finds the fault of a mutant, and carries out the line of each failure on it and on a server without the defect. */
export const repeated = async (mutant: Mutant): Promise<readonly Repeated[]> => {
  const check = checkOf(mutant);
  const transport = transportOf(mutant, check);
  const { name, server, target: known } = HEALTHY[check.family] ?? REFERENCE;
  const [broken, healthy] = [mutantServer(mutant), server()];
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-repeat-'));
  try {
    await writeFile(join(folder, 'plugboard'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
    await chmod(join(folder, 'plugboard'), 0o755);
    const sides = [await sideOf(broken, mutant.name, transport), await sideOf(healthy, name, transport)] as const;
    const files = [join(folder, 'mutant.json'), join(folder, 'healthy.json')] as const;
    const common = { prompts: { '*': {} }, tier: 'full', seed: 1 };
    const targets = sides.map(({ target }) => ({
      ...common,
      ...target,
      ...known,
      ...mutant.target,
      tools: { ...TOOLS, ...known?.tools, ...(mutant.target?.['tools'] as object | undefined) },
      budgets: { ...BUDGETS, ...(mutant.target?.['budgets'] as object | undefined) },
    }));
    await Promise.all(files.map((file, index) => writeFile(file, JSON.stringify(targets[index]))));
    const { results } = await runChecks(checkTarget.parse(targets[0]), {
      checks: [check],
      version: '0.0.0',
      from: files[0],
      baseEnv: { PATH: process.env['PATH'] ?? '' },
    });
    const failures = results.filter(({ id, verdict }) => id === check.id && (verdict === 'fail' || verdict === 'warn'));
    return await Promise.all(
      failures.slice(0, 1).map(async (failure) => {
        const line = failure.evidence?.reproduce ?? '';
        const other = line.replaceAll(files[0], files[1]).replaceAll(sides[0].words, sides[1].words);
        const [shown, otherShown] = await Promise.all([
          shell(line, folder, sides[0].environment),
          shell(other, folder, sides[1].environment),
        ]);
        return judge(failure, shown, otherShown);
      }),
    );
  } finally {
    await Promise.all([broken.close(), healthy.close()]);
    await rm(folder, { recursive: true, force: true });
  }
};

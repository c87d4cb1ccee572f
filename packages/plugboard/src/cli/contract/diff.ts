import { isAbsolute, relative, resolve, sep } from 'node:path';
import { nearest } from '@plugboard/base';
import {
  contractResults,
  examinationExit,
  type Offer,
  reportOf,
  type SarifLocation,
  troubleOf,
  type CheckTarget,
} from '@plugboard/check';
import { type CheckReport, type CheckResult, type ExitCode, PlugboardError } from '@plugboard/contract';
import type { LockedServer, LockFile } from '@plugboard/schema';
import { VERSION } from '../../process/version.js';
import { checkForms, reportWords } from '../check/check-report.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { readLock } from './lock-text.js';
import { namedSubject, registeredSubject, type Subject } from './subject.js';

export interface DiffInput {
  readonly address: AddressFlags;
  readonly name?: string | undefined;
  readonly lock: string;
  readonly failOn: 'breaking' | 'instruction' | 'any' | 'never';
  readonly report: readonly string[];
  readonly verbose: boolean;
}

const LEVELS = {
  breaking: 'must',
  instruction: 'should',
  any: 'advice',
  never: 'never',
} as const satisfies Readonly<Record<DiffInput['failOn'], CheckTarget['failOn']>>;

const missing = (lock: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `There is no lock file ${lock}.`, {
    hint: 'Write it with `plugboard lock <server>`, and commit it.',
  });

/** Why the only entry of a lock file is not that of this server; undefined when it may be. */
const strangerTo = ({ server, tools }: LockedServer, offer: Offer): string | undefined => {
  const own = offer.server?.name;
  if (server !== undefined && own !== undefined) {
    return server === own ? undefined : `it was made from "${server}", and this server calls itself "${own}"`;
  }
  const locked = Object.keys(tools);
  const isShared = offer.tools.some(({ name }) => Object.hasOwn(tools, name));
  return locked.length === 0 || isShared ? undefined : 'this server offers none of its tools';
};

/** The entry of a server: by the name that was given, else by its own, else the only one there is, if that fits. */
const entryOf = (
  { servers }: LockFile,
  given: string | undefined,
  own: string,
  offer: Offer,
): { readonly name: string; readonly locked: LockedServer } => {
  const known = Object.keys(servers);
  const [only = own] = known.length === 1 ? known : [];
  const name = given ?? (Object.hasOwn(servers, own) ? own : only);
  const locked = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const isGuess = given === undefined && name !== own;
  const stranger = locked !== undefined && isGuess ? strangerTo(locked, offer) : undefined;
  if (stranger !== undefined) {
    throw new PlugboardError('CONFIG_INVALID', `The lock file has only "${name}", but ${stranger}.`, {
      hint: `Compare them anyway with --name ${name}, or lock this server with \`plugboard lock\`.`,
    });
  }
  if (locked !== undefined) return { name, locked };
  const near = nearest(name, known);
  throw new PlugboardError('CONFIG_INVALID', `The lock file has no server "${name}".`, {
    hint: `${near === undefined ? '' : `Did you mean "${near}"? `}Name one of its servers with --name (${known.join(', ')}), or lock this one with \`plugboard lock\`.`,
  });
};

interface Compared {
  readonly results: readonly CheckResult[];
  readonly offer?: Offer;
  readonly trouble?: ReturnType<typeof troubleOf>;
}

const compare = async (subject: Subject, lock: LockFile, { name, failOn }: DiffInput): Promise<Compared> => {
  let offer: Offer;
  try {
    offer = await subject.read();
  } catch (error) {
    // What is wrong with the command line is no property of the server.
    if (error instanceof PlugboardError && error.code === 'SERVER_NOT_FOUND') throw error;
    const { outcome, reason } = troubleOf(error);
    return { results: [], trouble: { outcome, reason: `${subject.label}: ${reason}` } };
  }
  const entry = entryOf(lock, name ?? subject.name, offer.server?.name ?? subject.label, offer);
  return { results: contractResults(entry.name, entry.locked, { offer, failOn: LEVELS[failOn] }), offer };
};

const subjectsOf = async (context: CommandContext, input: DiffInput, lock: LockFile): Promise<readonly Subject[]> => {
  if (input.address.target.length > 0) return [await namedSubject(context, input.address)];
  const names = input.name === undefined ? Object.keys(lock.servers) : [input.name];
  return names.map((name) => registeredSubject(context, name));
};

/** The report on one server, or on all servers of the lock file. */
const examine = async (context: CommandContext, input: DiffInput, lock: LockFile): Promise<CheckReport> => {
  const startedAt = new Date();
  const began = performance.now();
  const subjects = await subjectsOf(context, input, lock);
  const all: Compared[] = [];
  for (const subject of subjects) all.push(await compare(subject, lock, input));
  const [only] = all;
  const alone = all.length === 1 && only !== undefined;
  return reportOf({
    kind: 'contract',
    label: alone ? (subjects[0]?.label ?? input.lock) : input.lock,
    version: VERSION,
    startedAt,
    durationMs: performance.now() - began,
    failOn: LEVELS[input.failOn],
    results: all.flatMap(({ results }) => results),
    server: alone ? only.offer?.server : undefined,
    transport: alone ? only.offer?.transport : undefined,
    trouble: all.find(({ trouble }) => trouble !== undefined)?.trouble,
  });
};

/** Where code scanning shows findings: the lock file, which the change would be accepted in. */
const locationOf = (cwd: string, lock: string): SarifLocation | undefined => {
  const uri = relative(cwd, resolve(cwd, lock)).split(sep).join('/');
  return uri.startsWith('..') || isAbsolute(uri) ? undefined : { uri, line: 1 };
};

export const run = async (context: CommandContext, input: DiffInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const lock = await readLock(resolve(process.cwd, input.lock));
  if (lock === undefined) throw missing(input.lock);
  const report = await examine(context, input, lock);
  await writeReportFiles(context, report, checkForms(locationOf(process.cwd, input.lock)), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return examinationExit(report);
};

import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isWithin } from '@plugboard/base';
import { PlugboardError, type SandboxSettings } from '@plugboard/contract';
import type { ProcessSpec } from '../program/process-spec.js';
import { spawnError } from '../program/spawn-error.js';
import { linksOn } from './links-on.js';
import { findProgram, programFiles } from './program-files.js';
import { inOrder, type SandboxMount, type SandboxPlan } from './sandbox-plan.js';

/** The hub's own files, which no program in a sandbox sees, whatever it was given. */
export interface HiddenPaths {
  readonly hidden: readonly string[];
  /** Directories within them that are made for programs. */
  readonly shown: readonly string[];
}

/** Programs and libraries, and of /etc what they need to find names, times and certificates. No keys, no passwords. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
const SYSTEM_FILES = (
  'alternatives ca-certificates crypto-policies group host.conf hosts ld.so.cache ld.so.conf ld.so.conf.d localtime ' +
  'mime.types nsswitch.conf os-release passwd pki protocols resolv.conf services ssl/certs ssl/openssl.cnf'
)
  .split(' ')
  .map((name) => `/etc/${name}`);

/** A sandbox has its own; those of the machine would show its processes and devices. */
const OF_KERNEL = ['/proc', '/sys', '/dev'];

type Bind = Extract<SandboxMount, { kind: 'bind' }>;

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** A link at the top stays one: /bin is the same as /usr/bin on most systems. */
const systemMount = async (path: string): Promise<SandboxMount | undefined> => {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink() && SYSTEM.includes(path)) return { kind: 'link', to: await readlink(path), target: path };
  const source = await realOf(path);
  return source === undefined ? undefined : { kind: 'bind', source, target: path, writable: false };
};

const wrong = (message: string, hint: string): PlugboardError =>
  new PlugboardError('PROCESS_NOT_STARTED', message, { hint });

const ofTheHub = (): PlugboardError =>
  wrong(
    "The sandbox of this server would expose the hub's own files.",
    'Programs in a sandbox never see the home of the hub, its configuration or its keys. Name another path.',
  );

/** What holds the hub's files may be shown, with them left out; written to it may not be. */
const assertShowable = (path: string, writable: boolean, { hidden, shown }: HiddenPaths): void => {
  if (shown.some((open) => isWithin(open, path))) return;
  if (hidden.some((own) => isWithin(own, path) || (writable && isWithin(path, own)))) throw ofTheHub();
};

const grant = async (named: string, writable: boolean, own: HiddenPaths): Promise<readonly SandboxMount[]> => {
  const path = resolve('/', named);
  const source = await realOf(path);
  if (source === undefined) {
    throw wrong(`The path ${path} of the sandbox does not exist.`, 'Create it, or change the sandbox of the server.');
  }
  if (source === '/' || OF_KERNEL.some((directory) => isWithin(directory, source))) {
    throw wrong(`The path ${path} cannot be part of a sandbox.`, 'Name individual directories.');
  }
  assertShowable(source, writable, own);
  const bind: Bind = { kind: 'bind', source, target: source, writable };
  return source === path ? [bind] : [bind, { kind: 'link', to: source, target: path }];
};

/** A link that the program itself can change would lead the next start wherever the program likes. */
const assertOwnLinksOnly = async (paths: readonly string[], writable: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const changeable = (await linksOn(path)).find((link) => writable.some((directory) => isWithin(directory, link)));
    if (changeable === undefined) continue;
    throw wrong(
      `The path ${path} of the sandbox leads through a link that the program can change.`,
      'Name the target of the link, or a path outside the writable directories.',
    );
  }
};

const isShown = (mounts: readonly SandboxMount[], path: string): boolean =>
  mounts.some(({ kind, target }) => (kind === 'bind' || kind === 'empty') && isWithin(target, path));

/** Each place once; what may be written wins. */
const withoutRepeats = (binds: readonly Bind[]): readonly Bind[] => {
  const at = new Map<string, Bind>();
  for (const bind of binds) if (bind.writable || !at.has(bind.target)) at.set(bind.target, bind);
  return [...at.values()];
};

/** The hub's own files where a part that is shown holds them. */
const masks = async (binds: readonly Bind[], { hidden }: HiddenPaths): Promise<readonly SandboxMount[]> => {
  const outermost = hidden.filter((path) => !hidden.some((other) => other !== path && isWithin(other, path)));
  const covered = outermost.filter((path) => binds.some(({ target }) => isWithin(target, path)));
  const kinds = await Promise.all(covered.map((path) => lstat(path).catch(() => undefined)));
  return covered.flatMap((target, index): readonly SandboxMount[] => {
    if (kinds[index] === undefined) return [];
    return [kinds[index].isDirectory() ? { kind: 'empty', target, writable: false } : { kind: 'blank', target }];
  });
};

const links = (mounts: readonly SandboxMount[], shown: readonly SandboxMount[]): readonly SandboxMount[] => {
  const wanted = mounts.filter(({ kind, target }) => kind === 'link' && !isShown(shown, dirname(target)));
  const first = new Map(wanted.toReversed().map((link) => [link.target, link]));
  return [...first.values()].filter(
    ({ target }) => ![...first.keys()].some((other) => other !== target && isWithin(other, target)),
  );
};

/** What a program sees: the system, its own files, what the settings grant; and never what is the hub's. */
export const planSandbox = async (
  spec: ProcessSpec,
  settings: SandboxSettings,
  given: HiddenPaths,
): Promise<SandboxPlan> => {
  const program = await findProgram(spec.command, spec);
  if (program === undefined || (await realOf(program)) === undefined) {
    throw await spawnError(spec, Object.assign(new Error('not found'), { code: 'ENOENT' }));
  }
  const reals = async (paths: readonly string[]): Promise<readonly string[]> =>
    (await Promise.all(paths.map(realOf))).filter((path) => path !== undefined);
  const own = { hidden: await reals(given.hidden), shown: await reals(given.shown) };
  const system = (await Promise.all([...SYSTEM, ...SYSTEM_FILES].map(systemMount))).filter(
    (mount) => mount !== undefined,
  );
  const { read_only, writable } = settings;
  const files = await programFiles(program, spec);
  const granted = await Promise.all([
    ...(read_only ?? []).map((path) => grant(path, false, own)),
    ...(writable ?? []).map((path) => grant(path, true, own)),
  ]);
  await assertOwnLinksOnly([...files, ...(read_only ?? []), ...(writable ?? [])], await reals(writable ?? []));
  const ofProgram = await Promise.all(files.map((path) => grant(path, false, own)));
  const declared = [...system, ...granted.flat()];
  const all = [
    ...declared,
    ...ofProgram.flat().filter(({ kind, target }) => kind === 'link' || !isShown(declared, target)),
  ];
  const binds = withoutRepeats(all.filter((mount) => mount.kind === 'bind'));
  const home = resolve('/', spec.env['HOME'] ?? '/tmp');
  const places = new Set(['/tmp', ...(home === '/' || isShown(binds, home) ? [] : [(await realOf(home)) ?? home])]);
  const empties = [...places]
    .filter((target) => !binds.some((bind) => bind.target === target))
    .map((target): SandboxMount => ({ kind: 'empty', target, writable: true }));
  const shown = [...empties, ...binds];
  const cwd = spec.cwd === undefined ? '/' : ((await realOf(spec.cwd)) ?? resolve('/', spec.cwd));
  return {
    mounts: inOrder([
      ...shown,
      ...(await masks(binds, own)),
      ...links(all, binds),
      ...(cwd === '/' || isShown(binds, cwd) ? [] : [{ kind: 'directory' as const, target: cwd }]),
    ]),
    network: settings.network === true,
    cwd,
    program,
    args: spec.args,
  };
};

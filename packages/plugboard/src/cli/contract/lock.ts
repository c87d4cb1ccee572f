import { relative, resolve } from 'node:path';
import { EXIT, type ExitCode } from '@plugboard/contract';
import { type LockedServer, lockServer, verifyLock } from '@plugboard/schema';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { readLock, writeLock } from './lock-text.js';
import { namedSubject } from './subject.js';

export interface LockInput {
  readonly address: AddressFlags;
  readonly name?: string | undefined;
  readonly lock: string;
}

const changesSince = (before: LockedServer | undefined, now: LockedServer) => {
  const tools = Object.values(now.tools).map(({ definition }) => definition);
  return before === undefined ? [] : verifyLock(before, tools, now.instructions, now.server).changes;
};

/** Writes what a server offers now into the lock file; the entries of other servers stay as they are. */
export const run = async (context: CommandContext, { address, name, lock }: LockInput): Promise<ExitCode> => {
  const { out, process } = context;
  const path = resolve(process.cwd, lock);
  const before = await readLock(path);
  const subject = await namedSubject(context, address);
  const offer = await subject.read();
  const called = name ?? subject.name ?? offer.server?.name ?? subject.label;
  const entry = lockServer(offer.tools, offer.instructions, offer.server?.name);
  const changes = changesSince(before?.servers[called], entry);
  await writeLock(path, { lockfileVersion: 1, servers: { ...before?.servers, [called]: entry } });
  const count = offer.tools.length;
  const file = relative(process.cwd, path) || lock;
  out.data({ file, server: called, tools: count, changes });
  out.text(`✓ ${file}: ${called} is locked with ${count} ${count === 1 ? 'tool' : 'tools'}.`);
  for (const { kind, tool, sentence } of changes) out.text(`  ${kind}  ${tool === '' ? '' : `${tool}: `}${sentence}`);
  return EXIT.ok;
};

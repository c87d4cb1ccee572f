import { isDeepStrictEqual } from 'node:util';
import { systemClock, type Clock, type Random } from '../deadline/clock.js';
import { createChildLauncher, type ChildLauncher } from './child-launcher.js';
import { createChildSlots, type IdleSource, type SlotState } from './child-slots.js';
import { type Launch, launchProcess, type LaunchedProcess } from './launch-process.js';
import { createMemoryWatch } from './memory-watch.js';
import { reapOrphans, type ReapedOrphan } from './orphan-reaper.js';
import { createParentDeathGuard } from './parent-death-guard.js';
import { createPortPool } from './port-pool.js';
import { createProcessLedger } from './process-ledger.js';
import { systemProcessTable, type ProcessTable } from './process-table.js';
import type { Confinement } from './sandbox/confinement.js';
import { createStartGate } from './start-gate.js';
import { createStdioServer, type StdioServer, type StdioServerOptions } from './stdio-server.js';
import { SupervisedProcess, type SupervisedOptions } from './supervised-process.js';

export interface SupervisorOptions {
  /** Where running children are noted, so that a later start finds what this one left behind. */
  readonly pidDirectory?: string | undefined;
  readonly maxChildren?: number | undefined;
  /** How long the start of a child may wait for a place. */
  readonly maxWaitMs?: number | undefined;
  readonly memoryCheckMs?: number | undefined;
  /** How programs that have a sandbox are put into it. */
  readonly confinement?: Confinement | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly table?: ProcessTable | undefined;
  /** Starts the children; as processes of this machine when left out. */
  readonly launch?: Launch | undefined;
}

/** Everything that runs children, with one guard, one cap and one set of books. */
export interface Supervisor extends AsyncDisposable {
  /** A server whose connections each run a child of their own. The same options give the same server. */
  stdio(options: StdioServerOptions): StdioServer;
  /** A server that is kept running while it is used: one that listens on a port, or one shared child. */
  supervise<C>(options: SupervisedOptions<C>): SupervisedProcess<C>;
  /** Ends what an earlier, dead owner of the pid directory left behind; to be called once, at the start. */
  reapOrphans(signal: AbortSignal): Promise<readonly ReapedOrphan[]>;
  /** Forgets earlier failures of the stdio server of that name, when somebody repaired it by hand. */
  forgive(name: string): void;
  /** Asked for an idle child whenever a start waits for a place. */
  addIdleSource(source: IdleSource): () => void;
  /** A child of a source became idle. */
  noteIdle(): void;
  slots(): SlotState;
}

const defaultMaxChildren = 64;
const defaultMemoryCheckMs = 2_000;

export const createSupervisor = (options: SupervisorOptions = {}): Supervisor => {
  const table = options.table ?? systemProcessTable();
  const slots = createChildSlots({
    max: options.maxChildren ?? defaultMaxChildren,
    waitMs: options.maxWaitMs,
    clock: options.clock,
  });
  const memory = createMemoryWatch({ table, everyMs: options.memoryCheckMs ?? defaultMemoryCheckMs });
  const guard = createParentDeathGuard();
  const ledger =
    options.pidDirectory === undefined ? undefined : createProcessLedger({ directory: options.pidDirectory, table });
  /** Children that are not gone yet, or are still in the books. */
  const books = new Set<Promise<unknown>>();
  const onLaunched = (gone: Promise<unknown>): void => {
    books.add(gone);
    void gone.finally(() => books.delete(gone));
  };
  const startChild = createChildLauncher({
    slots,
    starts: createStartGate(),
    ports: createPortPool(),
    guard,
    launch: options.launch ?? launchProcess,
    memory,
    ledger,
    confinement: options.confinement,
    onLaunched,
  });
  const running = new Set<LaunchedProcess>();
  const supervised = new Set<AsyncDisposable>();
  // One budget per server, for all its clients.
  const stdioServers = new Map<string, { readonly options: StdioServerOptions; readonly server: StdioServer }>();
  const launch: ChildLauncher = async (order, signal) => {
    const child = await startChild(order, signal);
    running.add(child.process);
    void child.process.exited.then(() => running.delete(child.process));
    return child;
  };
  const ports = { launch, slots, clock: options.clock ?? systemClock, random: options.random ?? Math.random };

  return {
    stdio: (wanted) => {
      const known = stdioServers.get(wanted.name);
      if (known !== undefined && isDeepStrictEqual(known.options, wanted)) return known.server;
      const server = createStdioServer(wanted, ports);
      stdioServers.set(wanted.name, { options: wanted, server });
      return server;
    },
    supervise: (server) => {
      const added = new SupervisedProcess(server, ports);
      supervised.add(added);
      added.onChange((state) => state.status === 'disposed' && supervised.delete(added));
      return added;
    },
    forgive: (name) => stdioServers.get(name)?.server.reset(),
    reapOrphans: async (signal) => (ledger === undefined ? [] : reapOrphans({ ledger, table, signal })),
    addIdleSource: (source) => slots.addSource(source),
    noteIdle: () => slots.noteIdle(),
    slots: () => slots.state(),
    async [Symbol.asyncDispose]() {
      await Promise.all([...supervised].map((server) => server[Symbol.asyncDispose]()));
      await Promise.all([...running].map((child) => child.stop()));
      await Promise.all(books);
      memory[Symbol.dispose]();
      guard.dispose();
    },
  };
};

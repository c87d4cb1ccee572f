import { randomUUID } from 'node:crypto';
import type { ChildSlots } from './child-slots.js';
import type { Launch, LaunchedProcess, LaunchOptions } from './launch-process.js';
import { inMegabytes, type MemoryWatch } from './memory-watch.js';
import type { ParentDeathGuard } from './parent-death-guard.js';
import type { PortPool, PortRequest } from './port-pool.js';
import { withPort } from './port-template.js';
import { launchIdVariable, type ProcessLedger } from './process-ledger.js';
import type { ProcessSpec } from './program/process-spec.js';
import type { Confinement } from './sandbox/confinement.js';
import { onceStarted, type StartGate } from './start-gate.js';

/** Where a child that serves HTTP shall listen. */
export interface ListenRequest {
  readonly port: PortRequest;
  readonly host: string;
}

export interface ChildOrder extends Pick<LaunchOptions, 'secrets' | 'grace' | 'journal' | 'onQueued'> {
  readonly name: string;
  readonly spec: ProcessSpec;
  /** Left out for a child that speaks over its standard streams. */
  readonly listen?: ListenRequest | undefined;
  /** Of the whole process group, resident. */
  readonly memoryLimitBytes?: number | undefined;
}

export interface RunningChild {
  readonly process: LaunchedProcess;
  /** Set when the order asked for one. */
  readonly port: number | undefined;
}

/** Starts children within all limits and keeps the books about them until they are gone. */
export type ChildLauncher = (order: ChildOrder, signal: AbortSignal) => Promise<RunningChild>;

export interface ChildLauncherOptions {
  readonly slots: ChildSlots;
  readonly starts: StartGate;
  readonly ports: PortPool;
  readonly guard: ParentDeathGuard;
  readonly launch: Launch;
  readonly memory: MemoryWatch;
  readonly ledger?: ProcessLedger | undefined;
  readonly confinement?: Confinement | undefined;
  /** Given what is done when a child and everything that was noted of it are gone. */
  readonly onLaunched?: ((gone: Promise<unknown>) => void) | undefined;
}

export const createChildLauncher = (options: ChildLauncherOptions): ChildLauncher => {
  const watchMemory = (child: LaunchedProcess, limitBytes: number): (() => void) =>
    options.memory.watch({
      groupId: child.pid,
      limitBytes,
      onExceeded: (usedBytes) => {
        const figures = `${inMegabytes(usedBytes)} of ${inMegabytes(limitBytes)} allowed`;
        void child.stop('memory-limit', figures);
      },
    });

  return async (order, signal) => {
    const undo: (() => unknown)[] = [await options.slots.take({ name: order.name, signal, onQueued: order.onQueued })];
    const undoAll = (): void => {
      for (const step of undo.splice(0)) step();
    };
    try {
      const started = await options.starts.enter({ signal, onQueued: order.onQueued });
      undo.push(started);
      const lease = order.listen && (await options.ports.lease(order.listen.port, order.listen.host));
      if (lease !== undefined) undo.push(() => lease.release());
      const launchId = randomUUID();
      const placed = lease === undefined ? order.spec : withPort(order.spec, lease.port);
      const spec = { ...placed, env: { ...placed.env, [launchIdVariable]: launchId } };
      const child = await options.launch(spec, {
        signal,
        guard: options.guard,
        confinement: options.confinement,
        grace: order.grace,
        secrets: order.secrets,
        journal: order.journal,
        stdout: lease === undefined ? 'stream' : 'tail',
      });
      onceStarted(child, started);
      if (order.memoryLimitBytes !== undefined) undo.push(watchMemory(child, order.memoryLimitBytes));
      // Not waited for: the guard protects the child from the first moment, the file only helps after a power cut of both.
      const noted = options.ledger?.note(order.name, child.pid, launchId).catch(() => undefined);
      void child.exited.then(() => undoAll());
      const struck = child.exited
        .then(() => noted)
        .then(() => options.ledger?.strike(child.pid).catch(() => undefined));
      options.onLaunched?.(struck);
      return { process: child, port: lease?.port };
    } catch (thrown) {
      undoAll();
      throw thrown;
    }
  };
};

import type { CheckEra } from '@plugboard/contract';
import {
  FaultBoard,
  faultProxy,
  faultyProgram,
  openFaultControl,
  type FaultControl,
  type FaultProxy,
} from '@plugboard/testing/fault-proxy';
import { Endings } from '../../connection/endings.js';
import { Transcript } from '../../connection/transcript.js';
import type { LoadCall } from '../../load/call/call-text.js';
import { Observations } from '../../session/observations.js';
import type { Link, Place } from '../../session/link.js';
import { LineCaller } from './line-caller.js';
import type { Rig } from './rig.js';
import type { ChaosSubject, ClientUnderTest, FaultyPlace } from './subject.js';

export interface RigOptions {
  /** The way to the server without faults. */
  readonly link: Link;
  readonly era: CheckEra;
  readonly call: LoadCall;
  readonly subject: ChaosSubject;
  /** Where the proxy listens; a free port when absent. */
  readonly port?: number | undefined;
  /** The command of a proxy in a process of its own, in front of a command. */
  readonly proxyCommand?: ((control: string, command: readonly string[]) => readonly string[]) | undefined;
}

/** The proxy, as far as the subject does not matter. */
interface Middle {
  readonly board: FaultBoard;
  readonly arm: Rig['arm'];
  readonly place: FaultyPlace;
  /** The same for the referee's own connections. */
  readonly own: Place;
  close(): Promise<void>;
}

const httpMiddle = async ({ place }: Link, port: number | undefined): Promise<Middle> => {
  if (place.transport === 'stdio') throw new Error('The target has no address.');
  const proxy: FaultProxy = await faultProxy(place.url, port === undefined ? {} : { port });
  return {
    board: proxy.board,
    arm: async (faults) => proxy.board.arm(faults),
    place: { url: proxy.url, transport: place.transport, headers: place.headers },
    own: { ...place, url: proxy.url },
    close: () => proxy.close(),
  };
};

/** The referee starts the program itself. */
const ownProgram = (place: Extract<Place, { transport: 'stdio' }>): Middle => {
  const board = new FaultBoard();
  const { command, args, env, cwd } = place.program;
  return {
    board,
    arm: async (faults) => board.arm(faults),
    place: { command: [command, ...args], env, cwd },
    own: { ...place, launch: (program) => faultyProgram(program, board) },
    close: async () => undefined,
  };
};

/** Somebody else starts the program: the proxy is a program in front of it. */
const foreignProgram = async (
  place: Extract<Place, { transport: 'stdio' }>,
  proxyCommand: NonNullable<RigOptions['proxyCommand']>,
): Promise<Middle> => {
  const control: FaultControl = await openFaultControl();
  const { command, args, env, cwd } = place.program;
  return {
    board: control.board,
    arm: (faults) => control.arm(faults),
    place: { command: proxyCommand(control.address, [command, ...args]), env, cwd },
    own: place,
    close: () => control.close(),
  };
};

const openMiddle = async ({ link, subject, port, proxyCommand }: RigOptions): Promise<Middle> => {
  const { place } = link;
  if (place.transport !== 'stdio') return await httpMiddle(link, port);
  if (subject.kind === 'server') return ownProgram(place);
  if (proxyCommand === undefined) throw new Error('No command for the fault proxy is configured.');
  return await foreignProgram(place, proxyCommand);
};

const apart = (link: Link, place: Place): Link => ({
  ...link,
  place,
  transcript: new Transcript(),
  observations: new Observations(),
  endings: new Endings(),
});

const openCaller = async (
  { link, era, call, subject }: RigOptions,
  middle: Middle,
): Promise<{ readonly caller: ClientUnderTest; readonly close: () => Promise<void> }> => {
  const line = { era, progress: call.progress, inputSchema: call.inputSchema };
  if (subject.kind === 'server') {
    const caller = new LineCaller({ ...line, link: apart(link, middle.own), reopens: true });
    return { caller, close: () => caller.close() };
  }
  if (subject.kind === 'client') {
    const caller = await subject.open(middle.place);
    return { caller, close: () => caller.close() };
  }
  const hub = await subject.open(middle.place);
  const front: Place = { transport: 'streamable-http', url: hub.url, headers: hub.headers ?? {} };
  const caller = new LineCaller({ ...line, link: apart(link, front), reopens: false });
  return {
    caller,
    close: async () => {
      await caller.close();
      await hub.close();
    },
  };
};

export const openRig = async (options: RigOptions): Promise<Rig> => {
  const middle = await openMiddle(options);
  try {
    const { caller, close } = await openCaller(options, middle);
    return {
      transport: options.link.place.transport,
      board: middle.board,
      arm: middle.arm,
      caller,
      close: async () => {
        try {
          await close();
        } finally {
          await middle.close();
        }
      },
    };
  } catch (error) {
    await middle.close();
    throw error;
  }
};

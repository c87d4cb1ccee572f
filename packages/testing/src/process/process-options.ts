import type { FakeServerOptions } from '../definition/server-options.js';
import type { FixtureName } from '../fixture/fixture.js';
import type { LineStyle } from '../transport/line-writer.js';

/** A fake as a real process: plain JSON, for it travels on the command line. Handlers are stock ones. */
export interface FakeProcessOptions extends Omit<FakeServerOptions, 'host' | 'methods'> {
  /** A ready-made definition; what else is given overrides it. */
  readonly fixture?: FixtureName;
  readonly style?: LineStyle;
  /** Every message received is appended here as a line of JSON; `readProcessLog` reads it. */
  readonly logFile?: string;
  /** Written to stderr before anything else. */
  readonly stderr?: string;
  /** Nothing is read or listened to before that. */
  readonly startDelayMs?: number;
  /** The process ends with this code instead of serving. */
  readonly exitAtStart?: number;
  /** Keeps running although its input has ended. */
  readonly ignoreStdinEnd?: boolean;
  /** Keeps running although it was asked to stop. */
  readonly ignoreSigterm?: boolean;
}

export interface FakeHttpProcessOptions extends FakeProcessOptions {
  /** Or `--port <number>` at the end of the arguments, or the environment variable named by `portVariable`. */
  readonly port?: number;
  readonly portVariable?: string;
  readonly path?: string;
  /** Default: streamable-http. */
  readonly transport?: 'streamable-http' | 'sse';
}

/** What travels to the process. */
export interface ProcessBrief extends Omit<FakeHttpProcessOptions, 'transport'> {
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
}

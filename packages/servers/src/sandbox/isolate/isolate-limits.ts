/** What one run may use. */
export interface IsolateLimits {
  /** Time in which code is executing, without the time in which it waits for a timer. */
  readonly cpuMs: number;
  /** Time from the start of the run to its end, waiting included. */
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** What the console may say in all. */
  readonly outputBytes: number;
  /** The value that a run ends with. */
  readonly resultBytes: number;
  readonly fileBytes: number;
  /** All files of a run together. */
  readonly filesBytes: number;
  readonly fileCount: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const DEFAULT_LIMITS: IsolateLimits = {
  cpuMs: 5000,
  timeMs: 15_000,
  memoryBytes: 64 * MIB,
  stackBytes: 256 * KIB,
  outputBytes: 256 * KIB,
  resultBytes: 256 * KIB,
  fileBytes: 2 * MIB,
  filesBytes: 16 * MIB,
  fileCount: 64,
};

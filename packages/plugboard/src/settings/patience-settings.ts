import { z } from 'zod';
import { withDefaults } from './with-defaults.js';

const seconds = z.number().positive().max(86_400);

/** The member `patience` of plugboard.json. */
export const patienceFile = z
  .strictObject({
    session: seconds.optional().describe('an idle session of a legacy client; default: 1800'),
    connection: seconds.optional().describe('an unused connection to a server; default: 300'),
    revalidate: seconds.optional().describe('a tool list, before the hub reads it again; default: 900'),
    reader: seconds.optional().describe('a client that stopped reading its response; default: 60'),
  })
  .describe('idle timeouts, in seconds');
export type PatienceFile = z.infer<typeof patienceFile>;

export interface PatienceSettings {
  readonly sessionMs: number;
  readonly connectionMs: number;
  readonly revalidateMs: number;
  readonly readerMs: number;
}

export const DEFAULT_PATIENCE: PatienceSettings = {
  sessionMs: 30 * 60_000,
  connectionMs: 5 * 60_000,
  revalidateMs: 15 * 60_000,
  readerMs: 60_000,
};

const msOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.round(seconds * 1000);

export const patienceSettings = ({ session, connection, revalidate, reader }: PatienceFile = {}): PatienceSettings =>
  withDefaults(DEFAULT_PATIENCE, {
    sessionMs: msOf(session),
    connectionMs: msOf(connection),
    revalidateMs: msOf(revalidate),
    readerMs: msOf(reader),
  });

import { z } from 'zod';

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

const MS_PER_SECOND = 1000;

export const patienceSettings = (file: PatienceFile = {}): PatienceSettings => {
  const ms = (value: number | undefined, otherwise: number): number =>
    value === undefined ? otherwise : Math.round(value * MS_PER_SECOND);
  return {
    sessionMs: ms(file.session, DEFAULT_PATIENCE.sessionMs),
    connectionMs: ms(file.connection, DEFAULT_PATIENCE.connectionMs),
    revalidateMs: ms(file.revalidate, DEFAULT_PATIENCE.revalidateMs),
    readerMs: ms(file.reader, DEFAULT_PATIENCE.readerMs),
  };
};

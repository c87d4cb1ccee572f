import { z } from 'zod';

const seconds = z.number().positive().max(86_400);

/** The member `patience` of plugboard.json. */
export const patienceFile = z
  .strictObject({
    session: seconds.optional().describe('a session of a legacy client with nothing under way and no stream; 1800'),
    connection: seconds.optional().describe('a connection to a server that nobody uses; 300'),
    revalidate: seconds.optional().describe('a list of tools that its server said nothing about since; 900'),
    reader: seconds.optional().describe('a client that does not read what it was sent; 60'),
  })
  .describe('how long the hub keeps what nobody seems to need, in seconds');
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

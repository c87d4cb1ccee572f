import { hostname } from 'node:os';
import { isLoopbackHost } from '@plugboard/base';
import { z } from 'zod';

/** The member `fleet` of plugboard.json. */
export const fleetFile = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .optional()
      .describe('the address for other replicas; default: 127.0.0.1 if the hub listens on loopback, otherwise 0.0.0.0'),
    port: z.number().int().min(0).max(65_535).optional().describe('the port for other replicas; default: any free one'),
    url: z
      .url({ protocol: /^http$/u })
      .optional()
      .describe('the URL at which other replicas reach this one; default: derived from the host name and the port'),
  })
  .describe('how replicas that share a Postgres database reach each other');
export type FleetFile = z.infer<typeof fleetFile>;

/** Where other processes of the fleet reach this one. */
export interface FleetSettings {
  readonly host: string;
  readonly port: number;
  /** `{port}` stands for the port that was opened. */
  readonly url: string;
}

export const fleetSettings = (
  file: FleetFile = {},
  environment: { readonly fleetHost?: string; readonly fleetPort?: number; readonly fleetUrl?: string } = {},
  hubHost = '127.0.0.1',
): FleetSettings => {
  const host = environment.fleetHost ?? file.host ?? (isLoopbackHost(hubHost) ? '127.0.0.1' : '0.0.0.0');
  const name = isLoopbackHost(host) ? host : /^(?:0\.0\.0\.0|::)$/u.test(host) ? hostname() : host;
  return {
    host,
    port: environment.fleetPort ?? file.port ?? 0,
    url: (environment.fleetUrl ?? file.url ?? `http://${name}:{port}`).replace(/\/$/u, ''),
  };
};

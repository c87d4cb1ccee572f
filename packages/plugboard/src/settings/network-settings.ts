import { certificateText, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { readTextFile } from './read-text-file.js';

/** The member `network` of plugboard.json. */
export const networkFile = z
  .strictObject({
    caFile: z
      .string()
      .min(1)
      .optional()
      .describe('a PEM file with additional trusted certificate authorities, relative to this file'),
    proxy: z
      .url({ protocol: /^https?$/u })
      .optional()
      .describe('the HTTP proxy for connections to servers and their authorization servers'),
    noProxy: z.string().optional().describe('hosts that bypass the proxy, separated by commas; *.domain is allowed'),
  })
  .describe('the network between the hub and servers');
export type NetworkFile = z.infer<typeof networkFile>;

export interface NetworkSettings {
  /** PEM. */
  readonly ca?: string | undefined;
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

export interface NetworkEnvironment {
  readonly caFile?: string | undefined;
  readonly proxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

/** A proxy elsewhere reaches nothing of this machine. */
const THIS_MACHINE = 'localhost,127.0.0.1,::1';

/** Reads a file with certificates, or says what is wrong with it. */
export const readCertificates = async (path: string, setting: string): Promise<string> => {
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (cause) {
    throw new PlugboardError('CONFIG_INVALID', `The file ${path} of ${setting} cannot be read.`, {
      hint: 'Correct the path, or make the file readable.',
      cause,
    });
  }
  if (certificateText.safeParse(text).success) return text;
  throw new PlugboardError('CONFIG_INVALID', `The file ${path} of ${setting} holds no certificate in PEM form.`, {
    hint: 'It begins with -----BEGIN CERTIFICATE-----.',
  });
};

export const networkSettings = async (
  file: NetworkFile | undefined,
  environment: NetworkEnvironment,
  paths: { readonly ofFile: (path: string) => string; readonly ofEnvironment: (path: string) => string },
): Promise<NetworkSettings> => {
  const caFile =
    environment.caFile === undefined
      ? file?.caFile && paths.ofFile(file.caFile)
      : paths.ofEnvironment(environment.caFile);
  const proxy = environment.proxy ?? file?.proxy;
  const noProxy = environment.noProxy ?? file?.noProxy;
  return {
    ...(caFile === undefined ? {} : { ca: await readCertificates(caFile, 'network.caFile') }),
    ...(proxy === undefined ? {} : { proxy, noProxy: [THIS_MACHINE, noProxy ?? ''].join(',') }),
  };
};

import { type HealthServiceStatus, EXIT, type ExitCode, type HealthServiceView } from '@plugboard/contract';
import { serviceClient } from '../../hub-api/client/health-service-client.js';
import type { CommandContext } from '../command/command-context.js';
import type { Style } from '../../terminal/style.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';

/** How a service is, in a few words. */
export const serviceWords = ({ state, latency_ms, reason }: HealthServiceStatus): string => {
  switch (state) {
    case 'up':
      return `up, ${Math.round(latency_ms ?? 0)} ms`;
    case 'down':
      return `down: ${reason ?? 'it does not answer.'}`;
    case 'unknown':
      return 'not asked yet';
    default:
      return state satisfies never;
  }
};

export interface ServiceAddInput {
  readonly name: string;
  readonly url: string;
  readonly every?: number | undefined;
}

export const add = async ({ out, hub }: CommandContext, { name, url, every }: ServiceAddInput): Promise<ExitCode> => {
  const interval = every === undefined ? {} : { interval_seconds: every };
  const service = await serviceClient((await hub()).api).create({ name, url, ...interval });
  out.data(service);
  if (!out.quiet) out.text(`${out.style.bold(service.name)} is registered: ${serviceWords(service.status)}`);
  return EXIT.ok;
};

const columns = (style: Style): readonly Column<HealthServiceView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'STATE', text: ({ status }) => serviceWords(status), shrinkTo: 16 },
  { title: 'EVERY', text: ({ interval_seconds }) => `${interval_seconds} s` },
  { title: 'URL', text: ({ url }) => url, paint: style.dim, shrinkTo: 16 },
];

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const services = await serviceClient((await hub()).api).list();
  showList(out, services, {
    columns,
    name: ({ name }) => name,
    none: 'No services are registered yet. Register one: plugboard service add <name> <url>',
  });
  return services.some(({ status }) => status.state === 'down') ? EXIT.failed : EXIT.ok;
};

export const remove = async ({ out, hub }: CommandContext, { name }: { readonly name: string }): Promise<ExitCode> => {
  await serviceClient((await hub()).api).remove(name);
  out.data({ removed: name });
  if (!out.quiet) out.text(`${out.style.bold(name)} is no longer monitored.`);
  return EXIT.ok;
};

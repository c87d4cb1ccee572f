import { EXIT, type ExitCode, type HealthServiceView } from '@plugboard/contract';
import { serviceClient } from '../../hub-api/client/health-service-client.js';
import { serviceWords } from './health-service-words.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

const columns = (style: Style): readonly Column<HealthServiceView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'STATE', text: ({ status }) => serviceWords(status), shrinkTo: 16 },
  { title: 'EVERY', text: ({ interval_seconds }) => `${interval_seconds} s` },
  { title: 'URL', text: ({ url }) => url, paint: style.dim, shrinkTo: 16 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const services = await serviceClient((await hub()).api).list();
  out.data(services);
  if (out.quiet) out.text(services.map(({ name }) => name).join('\n'));
  else if (services.length > 0) out.text(formatTable(columns(out.style), services, out));
  else out.note('No services are registered yet. Register one: plugboard service add <name> <url>');
  return services.some(({ status }) => status.state === 'down') ? EXIT.failed : EXIT.ok;
};

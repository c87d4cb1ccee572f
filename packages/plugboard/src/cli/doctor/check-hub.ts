import { createServer } from 'node:net';
import { once } from 'node:events';
import { healthAnswer } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import type { RunningHub } from '../../hub-api/connect/running-hub.js';
import { VERSION } from '../../process/version.js';
import { type Finding, fine, problem, warning } from './finding.js';

const HUB = { id: 'hub', subject: 'Hub' };

export const checkRunning = (running: RunningHub): Finding => {
  switch (running.state) {
    case 'answers':
      return fine({ ...HUB, message: `runs at ${running.url} (process ${running.pid})` });
    case 'silent':
      return problem(
        { ...HUB, message: `process ${running.pid} does not answer at ${running.url}` },
        `If it does not recover, stop it (kill ${running.pid}) and run: plugboard serve`,
      );
    case 'none':
      return fine({ ...HUB, message: 'does not run; commands work on the store directly' });
    default:
      return running satisfies never;
  }
};

/** Do the running hub and this program come from the same release? */
export const checkVersion = async (hub: HubApi): Promise<Finding> => {
  const parsed = healthAnswer.safeParse((await hub.request('GET', '/health')).json);
  const told = { id: 'version', subject: 'Version' };
  const version = parsed.success ? parsed.data.version : 'unknown';
  return version === VERSION
    ? fine({ ...told, message: VERSION })
    : warning(
        { ...told, message: `the hub is ${version}, this program ${VERSION}` },
        'Restart the hub from the same installation.',
      );
};

/** Could a hub be started here? */
export const checkPort = async (host: string, port: number): Promise<Finding> => {
  const told = { id: 'port', subject: 'Port' };
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return fine({ ...told, message: `${port} on ${host} is free` });
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown reason';
    return problem(
      {
        ...told,
        message:
          code === 'EADDRINUSE'
            ? `${port} on ${host} is used by another program`
            : `cannot listen on ${host}:${port} (${code})`,
      },
      'Stop that program, or choose another port with --port or PLUGBOARD_PORT.',
    );
  } finally {
    server.close();
  }
};

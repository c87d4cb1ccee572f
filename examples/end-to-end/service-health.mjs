// Whether the hub, its servers and what else the deployment needs are well.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { admin, HUB, step } from './hub.mjs';

const read = async (path) => (await fetch(HUB + path)).json();

const health = await read('/health');
step('the hub lives', health.status === 'ok', health);
const ready = await read('/ready');
step('and is ready', ready.status === 'ready' && ready.store === 'ok', ready);
step('its servers are shown', 'documents' in ready.servers && 'sandbox' in ready.servers, ready.servers);

// A service that speaks no MCP and only says that it is well.
const vision = createServer((_request, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1');
await once(vision, 'listening');
const name = `vision-${process.pid}`;
try {
  await admin('POST', '/v1/services', { name, url: `http://127.0.0.1:${vision.address().port}/health` });
  const { services } = await read('/ready');
  step('a health-only service is shown', services[name]?.state === 'up', services);
  const metrics = await (await fetch(`${HUB}/metrics`)).text();
  step('and measured', metrics.includes(`plugboard_service_up{service="${name}"} 1`), metrics.slice(0, 500));
} finally {
  await admin('DELETE', `/v1/services/${name}`);
  vision.close();
}

import { createSupervisor } from '../supervisor.js';

/** A parent to be killed: starts one child per line of its orders and prints their pids. */
interface Orders {
  readonly pidDirectory?: string;
  readonly children: readonly { readonly command: string; readonly args: readonly string[] }[];
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
const supervisor = createSupervisor({ pidDirectory: orders.pidDirectory });
const env = { PATH: process.env['PATH'] ?? '' };
const pids: number[] = [];
for (const [index, child] of orders.children.entries()) {
  const launched = await supervisor.stdio({ name: `child-${index}` }).launch({ ...child, env });
  pids.push(launched.pid);
}
// Once the books are written, the test may begin.
if (orders.pidDirectory !== undefined) {
  const { readdir } = await import('node:fs/promises');
  while (
    (await readdir(orders.pidDirectory).catch(() => [])).filter((name) => name.endsWith('.json')).length < pids.length
  ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
process.stdout.write(`${JSON.stringify(pids)}\n`);
setInterval(() => undefined, 60_000);

// A balancer for connections: each goes to the next target. It is told its targets by the process that started it; connections
// to others end then.
import { connect, createServer } from 'node:net';

let targets = [];
let turn = 0;
const open = new Set();

const server = createServer({ noDelay: true }, (down) => {
  const { hostname, port } = targets[(turn += 1) % targets.length];
  const up = connect({ host: hostname, port: Number(port), noDelay: true });
  for (const [from, to] of [
    [down, up],
    [up, down],
  ]) {
    open.add(from);
    from.on('error', () => undefined);
    from.once('close', () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('message', (urls) => {
  targets = urls.map((url) => new URL(url));
  for (const socket of open) socket.destroy();
  process.send('ready');
});

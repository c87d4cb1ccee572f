import { expect, test } from 'vitest';
import { listeningSockets } from './listening-ports.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41001 1 0 100 0 0 10 0
   1: 0100007F:A1B2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 41002 1 0 20 4 30 10 -1
   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41003 1 0 100 0 0 10 0
`;

test('only sockets that listen are found, with their ports', () => {
  expect([...listeningSockets(TABLE)]).toEqual([
    ['41001', 8080],
    ['41003', 22],
  ]);
});

test('an empty table has none', () => {
  expect(listeningSockets('').size).toBe(0);
});

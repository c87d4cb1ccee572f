import type { IncomingMessage } from 'node:http';

/**
 * The whole body, once it has arrived. It stays in the request for the next reader. Undefined if the caller disconnected.
 * @param length as the request declares it; no more than fits into the memory of the request
 */
export const peekBody = (request: IncomingMessage, length: number): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    const settle = (body: Buffer | undefined): void => {
      request.off('readable', look);
      request.off('close', giveUp);
      resolve(body);
    };
    const giveUp = (): void => settle(undefined);
    const look = (): void => {
      // Asks for more without taking what is there.
      if (request.readableLength < length) request.read(0);
      if (request.readableLength < length) return;
      const body = request.read() as Buffer;
      request.unshift(body);
      settle(body);
    };
    request.on('readable', look);
    request.once('close', giveUp);
  });

/** The server does not speak HTTP as it should. */
export const badHttp = (code: `HPE_${string}`, message: string): Error => Object.assign(new Error(message), { code });

/** The connection went away; `bytesWritten` tells whether the server can have seen anything. */
export const connectionClosed = (message: string, bytesWritten: number): Error =>
  Object.assign(new Error(message), { code: 'UND_ERR_SOCKET', socket: { bytesWritten } });

export const poolDestroyed = (bytesWritten: number): Error =>
  Object.assign(new Error('the connections are closed'), { code: 'UND_ERR_DESTROYED', socket: { bytesWritten } });

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

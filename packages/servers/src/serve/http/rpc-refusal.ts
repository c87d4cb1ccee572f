/** A refusal that names no request, because none was read. */
export const rpcRefusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

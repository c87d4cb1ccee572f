// The frame of a client program for `plugboard chaos --client`: where the server is stands in the environment.
import { createInterface } from 'node:readline';

export const serveCalls = async ({ open, call }) => {
  const { PLUGBOARD_CHAOS_URL: url, PLUGBOARD_CHAOS_TRANSPORT: transport } = process.env;
  const headers = JSON.parse(process.env.PLUGBOARD_CHAOS_HEADERS ?? '{}');
  const command = JSON.parse(process.env.PLUGBOARD_CHAOS_COMMAND ?? '[]');
  const opening = open({ url, transport, headers, command });
  opening.catch(() => undefined);
  const answer = async ({ id, tool, arguments: args }) => {
    try {
      // A progress handler makes the client ask for progress, as agents do.
      const result = await call(await opening, { name: tool, arguments: args }, { onprogress: () => undefined });
      return { id, ...(result.isError ? { error: JSON.stringify(result.content) } : { text: JSON.stringify(result) }) };
    } catch (error) {
      return { id, error: String(error?.message ?? error).slice(0, 200) };
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    void answer(JSON.parse(line)).then((result) => console.log(JSON.stringify(result)));
  }
  process.exit(0);
};

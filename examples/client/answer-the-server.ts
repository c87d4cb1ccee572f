import type { McpClient } from '@plugboard/client';

/** Answers what servers ask in the middle of a call; the same handlers serve both eras. */
export const answerTheServer = (client: McpClient, askUser: (question: string) => Promise<string>): void => {
  client.onRequest('elicitation/create', async ({ params }) => {
    const { message } = params as { readonly message: string };
    return { action: 'accept', content: { name: await askUser(message) } };
  });
  client.onRequest('roots/list', () => ({ roots: [{ uri: 'file:///home/ada/project', name: 'project' }] }));
};

import { McpAmbiguousDeliveryError, type McpClient } from '@plugboard/client';

/** Calls a tool that must not run twice, and returns what is known afterwards. */
export const payOnce = async (client: McpClient, amount: number): Promise<'paid' | 'failed' | 'unknown'> => {
  try {
    const result = await client.callTool('pay', { amount });
    return result.isError === true ? 'failed' : 'paid';
  } catch (error) {
    if (error instanceof McpAmbiguousDeliveryError) {
      // The connection broke after the request was sent. Check the account before you try again.
      return 'unknown';
    }
    throw error;
  }
};

import { PlugboardError, type ServerId } from '@plugboard/contract';
import type { StoreTransaction } from '../store/store.js';

/** Rejects with CONFLICT when another server has the name. */
export const requireFreeName = async (transaction: StoreTransaction, name: string, own?: ServerId): Promise<void> => {
  const holder = await transaction.serverIdByName(name);
  if (holder === undefined || holder === own) return;
  throw new PlugboardError('CONFLICT', `A server named "${name}" is already registered.`, {
    hint: 'Choose another name, or change the server that has it.',
    details: { server_id: holder },
  });
};

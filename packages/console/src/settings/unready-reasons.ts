import type { ReadyAnswer } from '@plugboard/contract';

/** Why `/ready` answers with 503, and what to do; nothing when the hub is ready. */
export const unreadyReasons = ({ status, store }: Pick<ReadyAnswer, 'status' | 'store'>): readonly string[] => [
  ...(status === 'starting' ? ['It is starting. It becomes ready when it has read its servers from the store.'] : []),
  ...(status === 'stopping' ? ['It is stopping: calls that are running end, and new ones are rejected.'] : []),
  ...(store === 'failing'
    ? [
        'Its store does not answer, so changes fail. Check that the database is reachable and that the disk has space. The log of the hub has the error.',
      ]
    : []),
];

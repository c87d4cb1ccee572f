/** Providers that want one message of each role in turn: neighbours of the same role become one. */
export const alternate = <Turn extends { readonly role: 'user' | 'assistant'; readonly content: readonly unknown[] }>(
  turns: readonly Turn[],
): readonly Turn[] =>
  turns.reduce<readonly Turn[]>((merged, turn) => {
    const last = merged.at(-1);
    if (last?.role !== turn.role) return [...merged, turn];
    return [...merged.slice(0, -1), { ...last, content: [...last.content, ...turn.content] }];
  }, []);

/** The text of the user where a conversation begins with the model. */
export const OPENING = '(The conversation continues.)';

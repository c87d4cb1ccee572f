/** The messages of an event stream that has ended. */
export const eventStreamMessages = (text: string): readonly unknown[] =>
  text
    .replaceAll(/\r\n?/gu, '\n')
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
        .join('\n'),
    )
    .filter((data) => data !== '')
    .flatMap((data) => {
      try {
        return [JSON.parse(data) as unknown];
      } catch {
        return [];
      }
    });

const isAnswer = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message);

/** The answer in an event stream: notifications may come before it. */
export const eventStreamAnswer = (text: string): unknown => eventStreamMessages(text).findLast(isAnswer);

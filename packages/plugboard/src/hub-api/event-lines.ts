const dataOf = (frame: string): string =>
  frame
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
    .join('\n');

const parsed = (data: string): readonly unknown[] => {
  try {
    return [JSON.parse(data) as unknown];
  } catch {
    return [];
  }
};

/** The messages of an event stream, each as soon as it has come. */
export async function* eventMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n');
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = dataOf(frame);
      if (data !== '') yield* parsed(data);
    }
  }
}

import { textOf, type Message } from '../conversation/message.js';

const written = (message: Message): readonly string[] => {
  switch (message.role) {
    case 'user':
      return ['## User', textOf(message.content)];
    case 'assistant':
      return [
        '## Assistant',
        ...message.content.map((part) => {
          if (part.type === 'tool-call') return `Call ${part.id}: \`${part.name}(${part.arguments})\``;
          return part.type === 'thinking' ? `> ${part.text.replaceAll('\n', '\n> ')}` : part.text;
        }),
      ];
    case 'tool':
      return message.results.map(
        ({ callId, text, isError }) => `${isError ? 'Error' : 'Result'} of ${callId}:\n\n\`\`\`\`\n${text}\n\`\`\`\``,
      );
  }
};

/** A conversation as Markdown, for people. The messages themselves are JSON that can be continued. */
export const transcript = (messages: readonly Message[]): string => `${messages.flatMap(written).join('\n\n')}\n`;

/** Takes a stream of server-sent events apart: feed it text, and it gives the data of each event that is complete. */
export class SseReader {
  #rest = '';
  #data: string[] = [];

  feed(text: string): readonly string[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/u);
    this.#rest = lines.pop() ?? '';
    const complete: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) complete.push(this.#data.join('\n'));
        this.#data = [];
      } else if (line.startsWith('data:')) {
        this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
    }
    return complete;
  }
}

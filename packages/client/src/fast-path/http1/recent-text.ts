/** Servers say the same again and again: what they said last is known without making a string of it. */
export class RecentText {
  private text = '';

  read(bytes: Buffer, start: number, end: number): string {
    if (!this.isSame(bytes, start, end)) this.text = bytes.toString('latin1', start, end);
    return this.text;
  }

  private isSame(bytes: Buffer, start: number, end: number): boolean {
    const { text } = this;
    if (text.length !== end - start) return false;
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[start + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }
}

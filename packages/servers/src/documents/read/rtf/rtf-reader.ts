import { DocumentError } from '../../document-error.js';
import type { ImageCollector } from '../../tree/image-collector.js';
import { safeLink } from '../../tree/settle-references.js';
import type { Look } from '../../tree/styled-runs.js';
import { lookAfter } from './rtf-look.js';
import { RtfSink, type RtfElement, type RtfParagraph } from './rtf-paragraph.js';
import { rtfTokens, type RtfToken } from './rtf-tokens.js';

type Target = 'body' | 'nothing' | 'fonts' | 'styles' | 'label' | 'link' | 'picture' | 'title';

/** What a group changes for what stands in it. */
interface State {
  target: Target;
  look: Look;
  hidden: boolean;
  deleted: boolean;
  /** How many characters follow a Unicode character for readers that do not know it. */
  fallback: number;
  font: number;
  style: number;
  outline: number | undefined;
  level: number | undefined;
  indent: number;
  firstIndent: number;
  readonly sink: RtfSink;
  /** The identifier of the note whose group this is. */
  note?: string;
}

export interface RtfNote {
  readonly identifier: string;
  readonly elements: readonly RtfElement[];
}

export interface RtfContent {
  readonly elements: readonly RtfElement[];
  readonly notes: readonly RtfNote[];
  readonly title: string | undefined;
  readonly deleted: number;
  readonly objects: number;
}

const DEEPEST = 2000;

const IGNORED = new Set(
  'colortbl info generator listtable listoverridetable rsidtbl themedata latentstyles datastore xmlnstbl header headerl headerr headerf footer footerl footerr footerf nonshppict shpinst bkmkstart bkmkend filetbl revtbl pgptbl pgdsctbl mmathPr wgrffmtfilter listpicture annotation atnid atnauthor atnref atndate objdata objclass ftnsep ftnsepc aftnsep aftnsepc ftncn aftncn userprops docvar xe tc'.split(
    ' ',
  ),
);

const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
};

const MONOSPACED = /mono|courier|consol|menlo|typewriter/iu;

/** Reads RTF without recursion: what strangers nest is a list here. */
export class RtfReader {
  readonly #collector: ImageCollector;
  readonly #body = new RtfSink();
  readonly #notes: RtfNote[] = [];
  readonly #stack: State[] = [];
  readonly #fonts = new Map<number, { name: string; fixed: boolean }>();
  readonly #styles = new Map<number, string>();
  #state: State;
  #decoder = new TextDecoder('windows-1252');
  #bytes: number[] = [];
  #toSkip = 0;
  #ignorable = false;
  #title = '';
  #url = '';
  #picture: { type: string | undefined; hex: string } = { type: undefined, hex: '' };
  #pictures = 0;
  #deleted = 0;
  #objects = 0;

  constructor(collector: ImageCollector) {
    this.#collector = collector;
    this.#state = {
      target: 'body',
      look: {},
      hidden: false,
      deleted: false,
      fallback: 1,
      font: 0,
      style: 0,
      outline: undefined,
      level: undefined,
      indent: 0,
      firstIndent: 0,
      sink: this.#body,
    };
  }

  read(source: string): RtfContent {
    for (const token of rtfTokens(source)) {
      if (token.kind !== 'byte') this.#flushBytes();
      this.#take(token);
    }
    this.#flushBytes();
    this.#body.finish(this.#about());
    return {
      elements: this.#body.elements,
      notes: this.#notes,
      title: this.#title.trim() || undefined,
      deleted: this.#deleted,
      objects: this.#objects,
    };
  }

  #take(token: RtfToken): void {
    switch (token.kind) {
      case 'open':
        this.#open();
        break;
      case 'close':
        this.#close();
        break;
      case 'ignorable':
        this.#ignorable = true;
        break;
      case 'byte':
        if (this.#toSkip > 0) this.#toSkip -= 1;
        else this.#bytes.push(token.value);
        break;
      case 'text': {
        const skipped = Math.min(this.#toSkip, token.text.length);
        this.#toSkip -= skipped;
        this.#write(token.text.slice(skipped));
        break;
      }
      case 'word':
        this.#word(token.name, token.value);
        this.#ignorable = false;
        break;
    }
  }

  #open(): void {
    if (this.#stack.length > DEEPEST) throw new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
    this.#stack.push(this.#state);
    const { note: _note, ...inherited } = this.#state;
    this.#state = { ...inherited };
    this.#toSkip = 0;
  }

  #close(): void {
    const ended = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    if (ended.note !== undefined) {
      ended.sink.finish(this.#about());
      this.#notes.push({ identifier: ended.note, elements: ended.sink.elements });
      outer.sink.add({ node: { type: 'footnoteReference', identifier: ended.note } });
    }
    if (ended.target === 'picture' && outer.target !== 'picture') this.#endPicture(outer.sink);
    this.#state = outer;
  }

  #endPicture(sink: RtfSink): void {
    const { type, hex } = this.#picture;
    this.#picture = { type: undefined, hex: '' };
    this.#pictures += 1;
    const bytes = (): Uint8Array => Buffer.from(hex, 'hex');
    const url = this.#collector.add(`picture:${this.#pictures}`, type, bytes);
    if (url !== undefined) sink.add({ node: { type: 'image', url, alt: '' } });
  }

  #flushBytes(): void {
    if (this.#bytes.length === 0) return;
    const text = this.#decoder.decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#write(text);
  }

  #write(text: string): void {
    const { target, sink, hidden, deleted, font } = this.#state;
    if (text === '') return;
    switch (target) {
      case 'body': {
        if (hidden || deleted) return;
        const code = this.#fonts.get(font)?.fixed === true;
        sink.add({ ...this.#state.look, ...(code ? { code } : {}), text });
        break;
      }
      case 'label':
        sink.label(text);
        break;
      case 'link':
        this.#url += text;
        break;
      case 'title':
        this.#title += text;
        break;
      case 'picture':
        this.#picture.hex += text.replaceAll(/[^0-9A-Fa-f]/gu, '');
        break;
      case 'fonts': {
        const known = this.#fonts.get(font) ?? { name: '', fixed: false };
        known.name += text;
        known.fixed ||= MONOSPACED.test(known.name);
        this.#fonts.set(font, known);
        break;
      }
      case 'styles': {
        const { style } = this.#state;
        this.#styles.set(style, (this.#styles.get(style) ?? '') + text.toLowerCase());
        break;
      }
      case 'nothing':
        break;
    }
  }

  #about(): Omit<RtfParagraph, 'runs' | 'label'> {
    const { style, outline, level, indent, firstIndent } = this.#state;
    const name = (this.#styles.get(style) ?? '').replace(/;.*$/u, '').trim();
    return { style: name, outline, level, indent, firstIndent };
  }

  #word(name: string, value: number | undefined): void {
    if (this.#destination(name)) return;
    const character = CHARACTERS[name];
    if (character === undefined) this.#control(name, value);
    else if (this.#toSkip > 0) this.#toSkip -= 1;
    else this.#write(character);
  }

  /** Words that say what the group they begin is for. */
  #destination(name: string): boolean {
    const state = this.#state;
    const ignorable = this.#ignorable;
    if (state.target === 'nothing') return name !== 'title' ? true : this.#enter('title');
    switch (name) {
      case 'fonttbl':
        return this.#enter('fonts');
      case 'stylesheet':
        return this.#enter('styles');
      case 'listtext':
      case 'pntext':
        return this.#enter('label');
      case 'fldinst':
        this.#url = '';
        return this.#enter('link');
      case 'fldrslt':
        this.#followLink();
        return true;
      case 'pict':
        return this.#enter('picture');
      case 'footnote':
        this.#state = {
          ...state,
          sink: new RtfSink(),
          note: String(this.#notes.length + this.#stack.length),
          look: {},
        };
        return true;
      case 'object':
        this.#objects += 1;
        return false;
      case 'shppict':
      case 'shptxt':
      case 'fldtitle':
        return true;
      default:
        if (!IGNORED.has(name) && !ignorable) return false;
        return this.#enter('nothing');
    }
  }

  #enter(target: Target): true {
    this.#state.target = target;
    return true;
  }

  #followLink(): void {
    const address = /HYPERLINK\s+(?:\\[a-z]\s+)*"([^"]+)"/u.exec(this.#url)?.[1];
    const url = address === undefined ? undefined : safeLink(address);
    if (url !== undefined) this.#state.look = { ...this.#state.look, url };
  }

  #control(name: string, value: number | undefined): void {
    const state = this.#state;
    const on = value !== 0;
    const look = lookAfter(state.look, name, value);
    if (look !== undefined) {
      state.look = look;
      return;
    }
    switch (name) {
      case 'par':
      case 'sect':
        if (state.target === 'body') state.sink.endParagraph(this.#about());
        break;
      case 'line':
        if (state.target === 'body') state.sink.add({ node: { type: 'break' } });
        break;
      case 'cell':
      case 'nestcell':
        state.sink.endCell(this.#about());
        break;
      case 'row':
      case 'nestrow':
        state.sink.endRow();
        break;
      case 'trowd':
        state.sink.beginRow();
        break;
      case 'pard':
        Object.assign(state, { style: 0, outline: undefined, level: undefined, indent: 0, firstIndent: 0 });
        break;
      case 'plain':
        state.look = state.look.url === undefined ? {} : { url: state.look.url };
        break;
      case 'v':
        state.hidden = on;
        break;
      case 'deleted':
        if (on && !state.deleted) this.#deleted += 1;
        state.deleted = on;
        break;
      case 'u':
        this.#write(String.fromCharCode(((value ?? 0) + 0x1_0000) % 0x1_0000));
        this.#toSkip = state.fallback;
        break;
      case 'uc':
        state.fallback = value ?? 1;
        break;
      case 'ansicpg':
        this.#useCodePage(value ?? 1252);
        break;
      case 'f':
        state.font = value ?? 0;
        break;
      case 'fmodern':
        if (state.target === 'fonts') this.#fonts.set(state.font, { name: '', fixed: true });
        break;
      case 's':
        state.style = value ?? 0;
        break;
      case 'cs':
      case 'ds':
        if (state.target === 'styles') state.style = -1 - (value ?? 0);
        break;
      case 'outlinelevel':
        state.outline = value;
        break;
      case 'ilvl':
        state.level = value ?? 0;
        break;
      case 'li':
        state.indent = value ?? 0;
        break;
      case 'fi':
        state.firstIndent = value ?? 0;
        break;
      case 'pngblip':
        this.#picture.type = 'image/png';
        break;
      case 'jpegblip':
        this.#picture.type = 'image/jpeg';
        break;
      default:
        break;
    }
  }

  #useCodePage(page: number): void {
    try {
      this.#decoder = new TextDecoder(page === 65_001 ? 'utf-8' : `windows-${page}`);
    } catch {
      this.#decoder = new TextDecoder('windows-1252');
    }
  }
}

import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseXml } from './parse-xml.js';
import { attribute, child, childrenOf, descend, textOf } from './xml-element.js';

const parse = (xml: string) => parseXml(strToU8(xml), 20);

describe('XML', () => {
  it('keeps order, text and attributes', () => {
    const root = parse('<a:r x="1"><b>one<c/>two</b><![CDATA[<3]]><b y:z="2">three</b></a:r>');
    expect(attribute(root, 'x')).toBe('1');
    expect(childrenOf(root, 'b').map(textOf)).toEqual(['onetwo', 'three']);
    expect(attribute(childrenOf(root, 'b')[1], 'z')).toBe('2');
    expect(textOf(root)).toBe('onetwo<3three');
    expect(descend(root, 'b', 'c')?.name).toBe('c');
    expect(child(root, 'absent')).toBeUndefined();
  });

  it('knows no entities beyond its own five', () => {
    expect(textOf(parse('<a>&lt;&amp;&#65;</a>'))).toBe('<&A');
    expect(() => parse('<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>')).toThrow(
      expect.objectContaining({ code: 'DAMAGED' }),
    );
  });

  it.each([
    ['unfinished', '<a><b></a>', 'DAMAGED'],
    ['empty', '', 'DAMAGED'],
    ['too deep', '<a>'.repeat(30), 'TOO_DEEP'],
  ])('is refused when it is %s', (_what, xml, code) => {
    expect(() => parse(xml)).toThrow(expect.objectContaining({ code }));
  });

  it.each(['utf16le', 'swapped', 'unmarked'])('is read from %s', (kind) => {
    const plain = Buffer.from('<a>ö</a>', 'utf16le');
    const bytes = {
      utf16le: Buffer.concat([Buffer.from([0xff, 0xfe]), plain]),
      swapped: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(plain).swap16()]),
      unmarked: plain,
    }[kind];
    expect(textOf(parseXml(new Uint8Array(bytes ?? []), 20))).toBe('ö');
  });
});

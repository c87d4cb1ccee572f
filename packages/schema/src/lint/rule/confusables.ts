/** Letters of other scripts that look like a Latin one, by the Latin letter that they imitate. */
const IMITATIONS: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'Ьƅ',
  c: 'сϲⅽ',
  d: 'ԁⅾ',
  e: 'еєҽ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıιⅰ',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏⅼǀ',
  m: 'мⅿ',
  n: 'ոп',
  o: 'оοօσ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гꭇ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υսц',
  v: 'νѵⅴ',
  w: 'ԝѡա',
  x: 'хχⅹ',
  y: 'уγү',
  z: 'ᴢ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'Ѕ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'УΥ',
  Z: 'Ζ',
};

const LATIN = new Map(
  Object.entries(IMITATIONS).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

const WORD = /[\p{L}\p{N}_]+/gu;

/** Words that mix Latin letters with letters that only look like some. */
export const imitatingWords = (text: string): readonly string[] =>
  (text.match(WORD) ?? []).filter((word) => /[A-Za-z]/u.test(word) && Array.from(word).some((char) => LATIN.has(char)));

/** A name reduced to what the eye keeps of it: no case, no separators, look-alikes replaced. */
export const skeleton = (name: string): string =>
  Array.from(name.normalize('NFKC'), (char) => LATIN.get(char) ?? char)
    .join('')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('0', 'o')
    .replaceAll(/[1|]/gu, 'l');

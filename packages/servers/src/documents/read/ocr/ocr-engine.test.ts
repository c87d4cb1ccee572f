import { describe, expect, it } from 'vitest';
import { canRecognise, OcrEngine } from './ocr-engine.js';
import { ocrRuns } from './ocr-runs.js';

describe('recognising text', () => {
  it('says what to install for a language that is not there', async () => {
    expect(canRecognise(['eng'])).toBe(true);
    expect(canRecognise(['eng', 'xxx'])).toBe(false);
    await expect(OcrEngine.start(['xxx'])).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      hint: expect.stringContaining('npm install tesseract.js-core @tesseract.js-data/xxx') as string,
    });
  });

  it('never answers a picture that it cannot read with the words of another', async () => {
    const engine = await OcrEngine.start(['eng']);
    const white = Buffer.concat([Buffer.from('P5\n200 100\n255\n'), Buffer.alloc(20_000, 255)]);
    expect(ocrRuns(engine.recognise(white) ?? '').runs).toEqual([]);
    expect(engine.recognise(Buffer.from('no picture'))).toBeUndefined();
  });

  it('places words as they stand on the page', () => {
    const tsv = [
      '1\t1\t0\t0\t0\t0\t0\t0\t600\t400\t-1\t',
      '4\t1\t1\t1\t1\t0\t50\t40\t200\t20\t-1\t',
      '5\t1\t1\t1\t1\t1\t50\t40\t80\t20\t96\tHello',
      '5\t1\t1\t1\t1\t2\t140\t40\t80\t20\t3\tnoise',
    ].join('\n');
    expect(ocrRuns(tsv)).toMatchObject({
      width: 600,
      height: 400,
      runs: [{ text: 'Hello', x: 50, y: 340, width: 80 }],
    });
  });
});

import { MUTANTS } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { problemOf, PROBLEMS } from '../catalogue/problems.js';
import { UNOBSERVABLE } from '../catalogue/checks-markdown.js';
import { FAMILIES } from '../model/family.js';
import { CHECKS } from './registry.js';

describe('the registry', () => {
  test('has each id once, in the form of the catalogue', () => {
    const ids = CHECKS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[A-Z][A-Z0-9]{2}-\d{2}$/u.test(id))).toEqual([]);
  });

  test('keeps the families together, in their order', () => {
    const order = Object.keys(FAMILIES);
    const positions = CHECKS.map(({ family }) => order.indexOf(family));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test('has a mutant for every MUST, and a check for every mutant', () => {
    const killed = new Set(MUTANTS.map(({ kills }) => kills));
    expect(CHECKS.filter(({ id, level }) => level === 'MUST' && !killed.has(id)).map(({ id }) => id)).toEqual([]);
    const known = new Set(CHECKS.map(({ id }) => id));
    expect(MUTANTS.filter(({ kills }) => !known.has(kills))).toEqual([]);
  });

  test('has no check for a rule that it lists as unobservable', () => {
    const ids = new Set(CHECKS.map(({ id }) => id));
    expect(UNOBSERVABLE.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  test('names each mutant once', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('says for every check what is wrong when it is red', () => {
    const provider = /^(?:OAI|AZR|ANT|GEM|BED|HST)-/u;
    const ids = CHECKS.map(({ id }) => id);
    expect(ids.filter((id) => !provider.test(id) && PROBLEMS[id] === undefined)).toEqual([]);
    expect(Object.keys(PROBLEMS).filter((id) => !ids.includes(id))).toEqual([]);
    expect(CHECKS.filter((check) => problemOf(check) === check.title)).toEqual([]);
  });

  test('cites a sentence and an address for every check', () => {
    const sources = CHECKS.flatMap(({ source }) => ('sentence' in source ? [source] : [source.legacy, source.modern]));
    expect(sources.filter(({ sentence, url }) => sentence.length < 10 || !URL.canParse(url))).toEqual([]);
    expect(CHECKS.filter(({ remedy, title }) => remedy.length < 10 || title.length < 10)).toEqual([]);
  });
});

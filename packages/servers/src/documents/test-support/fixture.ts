import { readFileSync } from 'node:fs';

const url = (name: string): URL => new URL(`../../../test/fixtures/${name}`, import.meta.url);

export const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(url(name)));

export const fixtureText = (name: string): string => readFileSync(url(name), 'utf8');

// The search box: loads the index when it is first used.
import MiniSearch from './minisearch.js';
import { SEARCH_OPTIONS } from './search-options.js';

const box = document.querySelector('#search');
const list = document.querySelector('#results');
const LIMIT = 8;
let index;

const load = () => {
  index ??= fetch(new URL('search.json', import.meta.url))
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS));
  return index;
};

const entry = ({ id, title, heading, excerpt }) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(id, new URL('.', import.meta.url)).href;
  const name = document.createElement('strong');
  name.textContent = heading === title ? title : `${title} › ${heading}`;
  const words = document.createElement('span');
  words.textContent = excerpt;
  link.append(name, words);
  item.append(link);
  return item;
};

const show = async () => {
  const question = box.value.trim();
  const found = question === '' ? [] : (await load()).search(question).slice(0, LIMIT);
  if (question !== box.value.trim()) return;
  list.replaceChildren(...found.map(entry));
  list.hidden = question === '';
  if (question !== '' && found.length === 0) {
    const item = document.createElement('li');
    item.textContent = 'Nothing found.';
    list.append(item);
  }
};

box.addEventListener('input', () => void show());
box.addEventListener('focus', () => void load());
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  }
  if (event.key === 'Escape') {
    box.value = '';
    void show();
    box.blur();
  }
});

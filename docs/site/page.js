// What a page does beside being read: copies code, opens the menu on a phone, marks the section that is in view.
const copyButton = (block) => {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  };
  button.addEventListener('click', () => {
    const text = copied(block.querySelector('code')?.textContent ?? '');
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not allowed'),
    );
  });
  return button;
};

/** Of a session in a terminal, the commands without their prompts; of anything else, all of it. */
const copied = (text) => {
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  return commands.length === 0 ? text.trimEnd() : commands.map((line) => line.slice(2)).join('\n');
};

for (const block of document.querySelectorAll('main pre')) {
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, copyButton(block));
}

const menu = document.querySelector('#menu');
const navigation = document.querySelector('#pages');
menu.addEventListener('click', () => {
  const open = menu.getAttribute('aria-expanded') !== 'true';
  menu.setAttribute('aria-expanded', String(open));
  navigation.classList.toggle('open', open);
});

const entries = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);
const mark = (id) => {
  for (const [key, link] of entries) {
    if (key === id) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
};
const watcher = new IntersectionObserver(
  (seen) => {
    const first = seen.find(({ isIntersecting }) => isIntersecting);
    if (first !== undefined) mark(first.target.id);
  },
  { rootMargin: '-70px 0px -70% 0px' },
);
for (const heading of document.querySelectorAll('main h2, main h3')) watcher.observe(heading);

document.querySelector('nav a[aria-current]')?.scrollIntoView({ block: 'nearest' });

/** The whole style of the page; colours follow the reader's system. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f8; --line: #dfe3e8; --text: #1c2430; --soft: #5b6675; --link: #1f5fbf;
  --get: #1c6e3d; --post: #1f5fbf; --put: #86510a; --patch: #6b3fb3; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --panel: #1a2029; --line: #2c3541; --text: #e4e9f0; --soft: #9aa6b6; --link: #7fb0ff;
    --get: #6fd195; --post: #7fb0ff; --put: #e8b565; --patch: #c0a1f5; --delete: #ff9a92;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--text); display: grid; grid-template-columns: 19rem minmax(0, 1fr);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.88em; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.4rem 0.8rem; z-index: 1; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 2rem;
  background: var(--panel); border-right: 1px solid var(--line); font-size: 0.9rem;
}
nav h2 { font-size: 0.8rem; margin: 1.2rem 0 0.35rem; }
nav h2 a { color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: 0.55rem; align-items: baseline; padding: 0.16rem 0.3rem; color: var(--text); border-radius: 4px; }
nav li a:hover { background: var(--line); text-decoration: none; }
nav .method { flex: 0 0 2.9rem; min-width: 0; font-size: 0.66rem; padding: 0; border: 0; text-align: left; }
main { padding: 1.5rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 68rem; }
h1 { font-size: 1.7rem; margin: 0.2rem 0 0.6rem; line-height: 1.25; }
h1 small, h4 small { font-weight: 400; color: var(--soft); font-size: 0.75em; margin-left: 0.35em; }
main h2 { font-size: 1.3rem; margin: 3rem 0 0.5rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 0 0 0.35rem; }
h3 a { color: inherit; }
h4 { font-size: 0.86rem; margin: 1.1rem 0 0.4rem; color: var(--soft); }
article { padding: 1.5rem 0; border-bottom: 1px solid var(--line); }
article:target { background: linear-gradient(90deg, var(--panel), transparent); box-shadow: -0.6rem 0 0 var(--panel); }
.route { margin: 0 0 0.6rem; }
.route code { font-size: 0.95em; }
.method {
  display: inline-block; min-width: 4.1rem; padding: 0.08rem 0.4rem; border-radius: 4px; text-align: center;
  font: 600 0.72rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: 0.02em;
  border: 1px solid currentColor;
}
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
pre, .box { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; margin: 0.6rem 0; }
pre { padding: 0.75rem 0.9rem; overflow-x: auto; }
.box { padding: 0.5rem 0.9rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: 1rem 0 0.4rem; }
th, td { text-align: left; vertical-align: top; padding: 0.32rem 0.8rem 0.32rem 0; border-bottom: 1px solid var(--line); }
th { font-size: 0.78rem; font-weight: 600; color: var(--soft); }
td:first-child { white-space: nowrap; width: 1%; }
tbody tr:last-child td { border-bottom: 0; }
.overview td:nth-child(2) { width: 55%; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields .fields { margin: 0.3rem 0 0.3rem 0.2rem; padding-left: 0.9rem; border-left: 2px solid var(--line); }
.fields li { padding: 0.16rem 0; }
.fields p { margin: 0; color: var(--soft); font-size: 0.92em; }
.fields b { font-size: 0.75rem; font-weight: 600; color: var(--put); }
.field { font-weight: 600; }
.type { color: var(--soft); }
.fields .or, .or { margin: 0.3rem 0 0.3rem 0.2rem; color: var(--soft); font-style: italic; }
.status { font: 600 0.85rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.s2 { color: var(--get); } .s4 { color: var(--put); } .s5 { color: var(--delete); }
.shape { padding: 1rem 0; }
@media (max-width: 56rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  .overview { display: none; }
  table { display: block; overflow-x: auto; }
}
@media print { nav { display: none; } body { display: block; } }
`;

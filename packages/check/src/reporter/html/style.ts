export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d8dde3;--soft:#f4f6f8;--pass:#2e7d32;--fail:#c62828;--warn:#b26a00;--nv:#6a4fb3;--na:#9aa3ad}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171a;--line:#343a41;--soft:#1d2126;--pass:#66bb6a;--fail:#ef5350;--warn:#ffb74d;--nv:#b39ddb;--na:#78828c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem;margin:0 0 .25rem}
.meta{opacity:.75;margin:0 0 1rem}
.charts{display:flex;flex-wrap:wrap;gap:2rem;align-items:flex-start;margin:1rem 0}
svg{max-width:100%;height:auto}
svg .big{font:700 26px system-ui,sans-serif;fill:var(--ink)}
svg .small,svg .label{font:12px system-ui,sans-serif;fill:var(--ink)}
circle.v-pass{stroke:var(--pass)}circle.v-fail{stroke:var(--fail)}circle.v-warn{stroke:var(--warn)}circle.v-not-verified{stroke:var(--nv)}circle.v-not-applicable{stroke:var(--na)}
rect.v-pass{fill:var(--pass)}rect.v-fail{fill:var(--fail)}rect.v-warn{fill:var(--warn)}rect.v-not-verified{fill:var(--nv)}rect.v-not-applicable{fill:var(--na)}
form{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.6rem 0;background:var(--paper);border-bottom:1px solid var(--line);z-index:1}
form label{white-space:nowrap}
form label[data-colour]{padding-bottom:1px;border-bottom:3px solid var(--na)}
form label[data-colour=pass]{border-color:var(--pass)}form label[data-colour=fail]{border-color:var(--fail)}form label[data-colour=warn]{border-color:var(--warn)}form label[data-colour=not-verified]{border-color:var(--nv)}
nav ul{margin:.25rem 0 1rem;padding:0;list-style:none}
nav li{margin:.3rem 0;padding:.35rem .6rem;border-left:4px solid var(--fail);background:var(--soft);overflow-wrap:anywhere}
nav a{color:inherit;font-weight:600}
details:target{outline:2px solid var(--fail);scroll-margin-top:5rem}
input[type=search],select{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.2rem .5rem}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
details{border:1px solid var(--line);border-left:4px solid var(--na);border-radius:4px;margin:.3rem 0;background:var(--soft)}
details.pass{border-left-color:var(--pass)}details.fail{border-left-color:var(--fail)}details.warn{border-left-color:var(--warn)}details.not-verified{border-left-color:var(--nv)}
summary{cursor:pointer;padding:.35rem .6rem;display:flex;gap:.6rem;flex-wrap:wrap}
summary .id{font-weight:600;font-variant-numeric:tabular-nums}
summary .tags{margin-left:auto;opacity:.7;font-size:.85em}
.body{padding:.2rem .9rem .8rem}
.body dt{font-weight:600;margin-top:.5rem}.body dd{margin:0}
pre{overflow:auto;max-height:22rem;padding:.5rem;background:var(--paper);border:1px solid var(--line);border-radius:4px;font:12px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.sent{color:var(--nv)}.received{color:var(--pass)}.note{opacity:.7}
blockquote{margin:0;padding-left:.7rem;border-left:3px solid var(--line)}
[hidden]{display:none!important}
`;

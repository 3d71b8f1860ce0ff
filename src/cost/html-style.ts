/** The style sheet of the report: light and dark, for phones and larger screens, and for paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1c2128; --muted: #57606a; --line: #d5dae0;
  --after: #2a6cb0; --up: #963c00; --down: #11632b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f141a; --card: #171d25; --text: #e4e9ef; --muted: #a2adb9; --line: #323b46;
    --after: #69a9ee; --up: #ffb580; --down: #7fd99a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 60rem; margin: 0 auto; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; }
h2 small { font-weight: 400; color: var(--muted); }
h3 { margin: 2rem 0 .5rem; font-size: 1rem; }
a { color: var(--after); }
.notes { margin: 0 0 1.5rem; padding-left: 1.25rem; }
.notes li { margin: .25rem 0; }
.about { margin: -.75rem 0 1rem; color: var(--muted); font-size: .875rem; }
.over { padding: .5rem 1rem .5rem 2rem; border: 2px solid var(--up); border-radius: .375rem; font-weight: 600; }
section { margin: 0 0 1.5rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.figures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .75rem; margin: 0 0 1.5rem; }
.figures div { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem; }
dt { color: var(--muted); font-size: .875rem; }
dd small { font-size: .875rem; font-weight: 400; color: var(--muted); }
dd { margin: 0; font-size: 1.375rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
.up { color: var(--up); }
.down { color: var(--down); }
figure { margin: 1.5rem 0; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-bottom: .25rem; }
.legend { color: var(--muted); font-size: .875rem; }
.legend svg { margin: 0 .125rem 0 .75rem; vertical-align: -2px; }
.chart { display: block; overflow: visible; }
.chart text { fill: var(--text); font-size: 13px; }
.chart .amount { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
rect.before { fill: none; stroke: var(--muted); }
rect.after { fill: var(--after); stroke: var(--after); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding-bottom: .25rem; font-weight: 700; text-align: left; }
th, td { padding: .4rem .5rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child { padding-left: 0; text-align: left; font-weight: 400; }
td:last-child, thead th:last-child { padding-right: 0; }
td { white-space: nowrap; }
thead th, thead th:first-child { color: var(--muted); font-size: .875rem; font-weight: 600; }
tfoot th:first-child, tfoot td { border-bottom: 0; font-weight: 700; }
.sign { display: inline-block; min-width: 1.5rem; font-family: ui-monospace, monospace; }
.type { color: var(--muted); }
details { margin: 0 0 .5rem; }
summary { padding: .25rem 0; cursor: pointer; }
details table { margin: .25rem 0 1rem; font-size: .9375rem; }
details caption { display: none; }
@media (max-width: 40rem) {
  body { padding: 1rem .5rem 2rem; }
  section { padding: 1rem .75rem; }
  .figures { grid-template-columns: 1fr; gap: .5rem; }
  .figures div { padding: .5rem .75rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, caption, tbody, tfoot { display: block; }
  tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(5.6rem, 1fr)); border-bottom: 1px solid var(--line); padding: .4rem 0; }
  tr > th { grid-column: 1 / -1; }
  th, td { padding: .1rem .25rem .1rem 0; border: 0; text-align: left; white-space: normal; }
  td { font-size: .9375rem; }
  td::before { content: attr(data-column); display: block; color: var(--muted); font-size: .75rem; font-weight: 400; }
}
@media print {
  body { padding: 0; background: none; }
  section { padding: 0; border: 0; }
  section + section { break-before: page; }
  tr, figure { break-inside: avoid; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
}
`;

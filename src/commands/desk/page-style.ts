/**
 * The look of the desk's pages: in the dark, on a phone, on paper, and where the system chooses the colours.
 *
 * Tests: test/system/desk.test.ts
 */
import { type Html, html } from '../../view/html/html.ts';

export const DESK_STYLE: Html = html`
:root {
  color-scheme: light dark;
  --ink: #1a1f36; --soft: #59627a; --paper: #f5f6f8; --card: #fff; --line: #dfe3ea; --accent: #4338ca; --on-accent: #fff;
  --good: #0a6b3d; --good-bg: #e3f5ea; --bad: #b3261e; --bad-bg: #fdeceb; --doubt: #8a4b00; --doubt-bg: #fff2dc;
  --live: #b00020; --bar: #4338ca; --below: #b3261e; --hover: #eef0fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7e9f0; --soft: #a3abc0; --paper: #12141c; --card: #1b1e29; --line: #30354a; --accent: #a5a0ff; --on-accent: #12141c;
    --good: #6fd69b; --good-bg: #12331f; --bad: #ff9a92; --bad-bg: #3d1917; --doubt: #f3bf6a; --doubt-bg: #3a2a0d;
    --live: #c4132f; --bar: #8f8aff; --below: #ff9a92; --hover: #252a3b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; z-index: 1; }
.live { margin: 0; padding: .45rem 1.25rem; background: var(--live); color: #fff; font-weight: 700; letter-spacing: .01em; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .6rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; font-size: 1.1rem; color: inherit; text-decoration: none; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem; }
.top nav a { padding: .3rem .7rem; border-radius: .5rem; color: var(--soft); text-decoration: none; font-weight: 500; }
.top nav a:hover { background: var(--hover); }
.top nav a[aria-current] { color: var(--accent); background: var(--hover); }
.who { margin: 0 0 0 auto; color: var(--soft); font-size: .875rem; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
p { margin: .25rem 0 .75rem; }
.note, .age, .soft, footer { color: var(--soft); font-size: .875rem; }
.age { white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem; margin: 0 0 1rem; box-shadow: 0 1px 2px rgb(16 24 40 / 5%); }
.card .card { box-shadow: none; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); gap: 1rem; align-items: start; }
.heads { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: center; font-size: 1.05rem; margin: 0 0 1rem; }
h1.heads { font-size: 1.5rem; margin: 0 0 .25rem; }
h1.heads .chip { font-size: 1.05rem; padding: .15rem .8rem; }
.title { color: var(--soft); margin: 0 0 1.1rem; overflow-wrap: anywhere; }
.heads .head { font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.chip { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-weight: 600; font-size: .875rem; overflow-wrap: anywhere; color: var(--doubt); background: var(--doubt-bg); border: 1px solid transparent; }
.chip.approved, .chip.authorised { color: var(--good); background: var(--good-bg); }
.chip.declined, .chip.rejected { color: var(--bad); background: var(--bad-bg); }
.sign { font-weight: 700; color: var(--doubt); }
.sign.approved, .sign.authorised { color: var(--good); }
.sign.declined, .sign.rejected { color: var(--bad); }
dl { margin: 0; }
dl + dl { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 1rem; padding: .2rem 0; }
dt { color: var(--soft); grid-row: span 99; overflow-wrap: anywhere; }
dd { margin: 0; grid-column: 2; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.part { margin-left: .6rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .875rem; padding: 0 0 .5rem; }
th { font-size: .8rem; font-weight: 600; color: var(--soft); text-transform: capitalize; }
th, td { padding: .55rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover, tbody tr:focus-within { background: var(--hover); }
td { overflow-wrap: break-word; }
td .chip { min-width: 7.5rem; }
td.c-who, td.c-what, td.c-reference, td.c-reason, td.c-event { overflow-wrap: anywhere; }
td.c-kind, td.c-card, td.c-outcome, td.c-event, td.c-day, td.c-at, td.c-since, td.c-risk, td.c-next_date, td.c-subscription { white-space: nowrap; }
td.c-who { min-width: 7rem; }
td.c-outcome:has(.chip) { white-space: normal; }
.number { text-align: right; white-space: nowrap; }
td.c-when, td.c-time, td.c-received { white-space: nowrap; color: var(--soft); }
td.c-id { white-space: nowrap; }
td.c-amount { font-weight: 600; }
td.none { color: var(--soft); }
form.search { display: flex; gap: .5rem; margin: 0 0 .6rem; }
input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .5rem; padding: .5rem .75rem; min-width: 0; }
form.search input { flex: 1; font-size: 1.1rem; padding: .7rem 1rem; }
button, .button { font: inherit; font-weight: 600; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .5rem; color: var(--on-accent); background: var(--accent); cursor: pointer; }
button.quiet { color: var(--accent); background: transparent; padding: .25rem .7rem; font-size: .875rem; }
.hints { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1.25rem; padding: 0; list-style: none; font-size: .875rem; }
.hints a { display: inline-block; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); text-decoration: none; }
.commands { list-style: none; margin: 0; padding: 0; }
.commands li { margin: 0 0 .9rem; }
.commands p { margin: 0 0 .2rem; }
.commands code span { display: inline-block; max-width: 100%; }
.columns .extra { display: none; }
.columns td.c-what { min-width: 11rem; }
.columns ul:not(.commands) { margin: 0; padding-left: 1.1rem; }
code { display: block; font: .85rem/1.5 ui-monospace, monospace; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .6rem; overflow-wrap: anywhere; margin: 0 0 .35rem; }
pre { font: .8rem/1.5 ui-monospace, monospace; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; font-weight: 600; padding: .4rem 0; }
.fields { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: 0 0 1rem; }
.card .fields { margin: 0; }
aside .fields label { flex: 1 1 100%; }
.fields .note { margin: 0; }
.fields label { display: grid; font-size: .875rem; color: var(--soft); min-width: 0; }
.alert { border-left: 4px solid var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 0 0 1rem; }
.tile { padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
.tile dt { color: var(--soft); font-size: .875rem; }
.tile dd { margin: 0; font-size: 1.45rem; font-weight: 650; }
.tile dd.below { font-size: .85rem; font-weight: 400; color: var(--soft); }
.tiles > div.tile { display: block; }
.money section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem; margin: 0 0 1rem; overflow-x: auto; }
figure { margin: 0; }
figcaption { font-weight: 600; margin: 0 0 .5rem; }
svg { width: 100%; height: auto; }
svg rect { fill: var(--bar); }
svg rect.below { fill: var(--below); }
svg line { stroke: var(--soft); }
svg text { fill: var(--soft); font: 10px system-ui, sans-serif; text-anchor: middle; }
table.numbers { display: block; columns: 15rem; font-size: .85rem; margin-top: .75rem; }
table.numbers thead { position: absolute; left: -99rem; }
table.numbers tbody, table.numbers tr { display: block; }
table.numbers tr { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); break-inside: avoid; }
table.numbers td { border: 0; padding: .15rem .3rem; }
.fresh { animation: fresh 2s; }
@keyframes fresh { from { background: var(--good-bg); } }
@media (prefers-reduced-motion: reduce) { .fresh { animation: none; } }
@media (max-width: 90rem) { [data-stream] .extra { display: none; } }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } .extra { display: none; } }
@media (max-width: 40rem) {
  main { padding: 1rem .75rem 2rem; }
  .top { padding: .5rem .75rem; } .live { padding: .45rem .75rem; }
  .who { margin: 0; }
  .card { padding: .9rem; }
  dl > div { grid-template-columns: minmax(0, 1fr); padding: .35rem 0; }
  dt { font-size: .8rem; } dt, dd { grid-column: 1; grid-row: auto; }
  table.records, table.records tbody, table.records tr, table.records td, table.records caption { display: block; }
  table.records thead { position: absolute; left: -99rem; }
  table.records tr { display: flex; flex-wrap: wrap; gap: .15rem .75rem; padding: .7rem .1rem; border-bottom: 1px solid var(--line); align-items: baseline; }
  table.records td { border: 0; padding: 0; text-align: left; white-space: normal; }
  table.records td.none { display: none; }
  table.records td { order: 8; }
  table.records td.extra { display: none; }
  table.records td.c-event { white-space: normal; }
  table.records td.c-kind, table.records td.c-when, table.records td.c-time, table.records td.c-received { order: 1; color: var(--soft); font-size: .875rem; }
  table.records td.c-amount { order: 2; margin-left: auto; }
  table.records td.c-who { order: 3; flex-basis: 100%; font-weight: 600; }
  table.records td.c-what, table.records td.c-event { order: 4; flex-basis: 100%; }
  table.records td.c-outcome { order: 5; }
  table.records td.c-id { order: 6; }
  .top nav a { padding: .3rem .5rem; }
  form.search button { padding: .5rem .7rem; } form.search input { padding: .6rem .7rem; }
}
@media (forced-colors: active) { .chip, .tile, .card, .hints a, .top nav a[aria-current] { border: 1px solid; } .live { border-bottom: 3px solid; } svg rect { fill: CanvasText; } }
@media print { .top nav, form, .hints, .skip, button { display: none; } body { background: #fff; } .card { break-inside: avoid; box-shadow: none; } .columns { display: block; } }
`;

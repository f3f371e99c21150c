/** Every report of `gw report` as a page. A new one needs nothing here. */
import { helpSource, loadCommand } from '../../cli/dispatch/program.ts';
import { Failure } from '../../failure.ts';
import { type Html, html } from '../../view/html/html.ts';
import { type Desk, REPORT_PATH } from './desk.ts';
import type { Page } from './page-shell.ts';
import { shownRows } from './typed.ts';

const TOPIC = 'report';

/** @param asked the name of a report, and perhaps a period or a customer behind it; empty for the list of reports */
export async function reportPage(desk: Desk, asked: string): Promise<Page> {
  const { commands } = helpSource(desk.program).index;
  const [name = '', ...words] = asked.split(/\s+/);
  const id = `${TOPIC}:${name}`;
  const summary = commands[id];
  if (summary === undefined) return { title: 'Reports', at: '/report', body: listOf(commands) };
  const { args = {}, takesMany } = loadCommand(desk.program, id);
  const given = takesMany || words.length === 0 ? words : [words.join(' ')];
  const [asks] = Object.values(args);
  const isReady = words.length > 0 || asks?.required !== true;
  return {
    title: asked,
    at: '/report',
    body: html`<h1>${summary}</h1>
<form class="fields" action="/report"><input type="hidden" name="of" value="${name}"><label>${asks?.description ?? ''}<input name="more" value="${words.join(' ')}" autocomplete="off"></label><button>Show</button></form>
${isReady ? await rows(desk, id, given) : null}<p><a href="/report">All reports</a></p>
`,
  };
}

/** A report that wants other words says so below the field for them. */
async function rows(desk: Desk, id: string, words: readonly string[]): Promise<Html> {
  try {
    return await shownRows(desk, { id, words });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return html`<section class="card alert" role="alert"><p>${error.message}</p><p>${error.next}</p></section>`;
  }
}

function listOf(commands: Readonly<Record<string, string>>): Html {
  const reports = Object.entries(commands).filter(([id]) => id.startsWith(`${TOPIC}:`));
  return html`<h1>Reports</h1><section class="card"><ul>${reports.map(
    ([id, summary]) =>
      html`<li><a href="${REPORT_PATH}${id.slice(TOPIC.length + 1)}">${summary}</a></li>`,
  )}</ul></section>
`;
}

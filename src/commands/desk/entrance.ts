/** The pages for whoever has not come in, and for what went wrong. */
import type { Failure } from '../../failure.ts';
import { html } from '../../view/html/html.ts';
import type { Page } from './page-shell.ts';

/** The path of the desk to which somebody was going before coming in. */
const PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** @returns the path, or that of the search if a page could lead elsewhere by it */
export function safePath(path: string): string {
  return PATH.test(path) ? path : '/';
}

/** @param to the path to go on to @param isWrong true after a secret that does not fit */
export function entrancePage(to: string, isWrong = false): Page {
  const words = isWrong
    ? 'This address was used already, or is from an earlier run of gw desk.'
    : 'gw desk shows its pages to the browser that it opened.';
  return {
    title: 'Come in',
    status: 403,
    isEntrance: true,
    body: html`<section class="card${isWrong ? ' alert' : ''}"><h1>gw desk</h1><p>${words}</p>
<p>Did you come here by a link? <a href="${safePath(to)}">Go on to the page</a>. If you see this again, run <b>gw desk</b> in the terminal. It opens the page, and prints its address.</p>
<form class="entrance fields" method="post" action="/enter"><input type="hidden" name="to" value="${safePath(to)}"><label>What stands behind # in the address<input name="secret" autocomplete="off" required></label><button>Come in</button></form></section>
`,
  };
}

/** @returns the page about an expected failure */
export function failurePage(failure: Failure, status = statusOf(failure)): Page {
  return {
    title: 'This did not work',
    status,
    body: html`<section class="card alert" role="alert"><h1>This did not work</h1><p>${failure.message}</p><p>${failure.next}</p></section>
<p><a href="/">Back to the search</a></p>
`,
  };
}

function statusOf({ kind }: Failure): number {
  return kind === 'notFound' ? 404 : kind === 'guard' ? 403 : 400;
}

/** The parts that all pages of the desk have in common: the head, the band of a live profile, the ways to other pages. */
import { createHash } from 'node:crypto';
import type { Environment } from '../../base/account.ts';
import { cut } from '../../host/redaction/safe.ts';
import { type Html, html } from '../../view/html/html.ts';
import { DESK_SCRIPT } from './page-script.ts';
import { DESK_STYLE } from './page-style.ts';

/** The content of one page. */
export interface Page {
  title: string;
  /** The path of the part of the desk to which the page belongs; undefined for the entrance and errors. */
  at?: '/' | '/today' | '/month' | '/report' | '/events' | undefined;
  body: Html;
  /** HTTP status; 200 if left out. */
  status?: number;
  /** true for the page of whoever has not come in. */
  isEntrance?: true;
}

/** The profile of the desk, which every page names. */
export interface Shell {
  /** Name of the profile. */
  profile: string;
  environment: Environment;
}

/** The most UTF-16 units of a title. */
const MOST_TITLE = 100;

/** The parts of the desk, as people name them. */
const PARTS = [
  ['/', 'Search'],
  ['/today', 'Today'],
  ['/month', 'Month'],
  ['/report', 'Reports'],
  ['/events', 'Events'],
] as const;

const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  live: 'LIVE',
  sandbox: 'sandbox',
  local: 'built-in test gateway',
};

/** @param shell undefined for whoever has not come in @returns the document */
export function pageText({ title, at, body }: Page, shell: Shell | undefined): string {
  const band =
    shell?.environment === 'live'
      ? html`<p class="live">LIVE: profile ${shell.profile}. A command that you copy here moves real money.</p>
`
      : null;
  const parts = PARTS.map(
    ([path, name]) =>
      html`<a href="${path}"${path === at ? html` aria-current="page"` : null}>${name}</a>`,
  );
  const ways = shell
    ? html`<nav aria-label="Parts of the desk">${parts}</nav><p class="who">${shell.profile}, ${ENVIRONMENTS[shell.environment]}</p>`
    : null;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${cut(title, MOST_TITLE)} - gw desk</title>
<style>${DESK_STYLE}</style>
</head>
<body>
${band}<header class="top"><a class="skip" href="#main">Skip to the content</a><a class="brand" href="/">gw desk</a>${ways}</header>
<main id="main">
${body}</main>
<script>${DESK_SCRIPT}</script>
</body>
</html>
`.text;
}

const hashOf = ({ text }: Html) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of a page: a browser may run and show what is in it, and ask this server. */
const POLICY = [
  `default-src 'none'`,
  `script-src ${hashOf(DESK_SCRIPT)}`,
  `style-src ${hashOf(DESK_STYLE)}`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The headers of every answer. */
export const SAFE_HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

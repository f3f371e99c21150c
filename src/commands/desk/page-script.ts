/**
 * The only script of the desk's pages. Every page also works without it, but for events as they come.
 *
 *   entrance  posts the secret of the fragment, and takes it out of the address
 *   search    shows results while a person types; the address follows
 *   keys      `/` goes to the search; arrows walk through results, and Escape goes back
 *   copying   puts a command into the clipboard
 *   events    adds and replaces rows that the server sends
 *
 * HTML from the server is escaped there, by the same templates as whole pages.
 *
 * Tests: test/system/desk.test.ts
 */
import { Html } from '../../view/html/html.ts';

/** It has no end tag, so it stands in a page as it is. */
export const DESK_SCRIPT = new Html(`
'use strict';
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector) => Array.from(document.querySelectorAll(selector));

// The entrance
const entrance = $('form.entrance');
const secret = location.hash.slice(1);
if (secret !== '') history.replaceState(null, '', location.pathname + location.search);
if (entrance && secret !== '') {
  entrance.elements.secret.value = secret;
  entrance.submit();
}

// Search
const search = $('form.search');
const input = search && search.elements.q;
const TYPING_MS = 120;
let timer;
let asking;
// The text whose results are shown.
let shown = input && input.value;
async function show() {
  if (asking) asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const wanted = input.value;
  const path = '/?q=' + encodeURIComponent(wanted);
  try {
    const answer = await fetch(path, { headers: { 'x-gw-part': 'results' }, signal });
    const text = await answer.text();
    if (signal.aborted) return;
    if (!answer.ok) return void location.assign(path);
    $('#results').innerHTML = text;
    shown = wanted;
    history.replaceState(null, '', path);
    document.title = (wanted || 'Search') + ' - gw desk';
  } catch (error) {
    if (error.name !== 'AbortError') $('#results').textContent = ENDED;
  }
}
const ENDED = 'gw desk has ended. Run it again in the terminal.';
if (input) {
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, TYPING_MS);
  });
  input.setSelectionRange(input.value.length, input.value.length);
}

// Keys
const links = () => all('table.records tbody a');
function walk(step) {
  const found = links();
  const at = found.indexOf(document.activeElement);
  const next = at + step;
  if (at === 0 && step === -1 && input) return input.focus();
  const link = at === -1 ? found[0] : found[Math.min(found.length - 1, Math.max(0, next))];
  if (link) link.focus();
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { target, key } = event;
  const isTyping = target.matches('input, select, textarea');
  const isWalking = target === input || target.matches('table.records tbody a') || target === document.body;
  if (key === '/' && !isTyping) {
    event.preventDefault();
    if (input) input.select();
    else location.assign('/');
  } else if (isWalking && (key === 'ArrowDown' || key === 'ArrowUp')) {
    event.preventDefault();
    if (target !== input || key === 'ArrowDown') walk(key === 'ArrowDown' ? 1 : -1);
  } else if (key === 'Enter' && target === input) {
    // The only result is what was looked for.
    const found = links();
    if (found.length === 1 && shown === input.value) {
      event.preventDefault();
      found[0].click();
    }
  } else if (key === 'Escape' && input) {
    input.focus();
    input.select();
  }
});

// Copying
for (const button of all('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const command = document.getElementById(button.dataset.copies);
    const said = $('#said');
    try {
      await navigator.clipboard.writeText(command.textContent);
      if (said) said.textContent = 'Copied: ' + command.textContent;
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(command);
      if (said) said.textContent = 'Press Ctrl-C to copy what is selected.';
    }
  });
}

// Events
const events = $('[data-stream]');
const MOST_ROWS = 500;
if (events) {
  const state = $('#state');
  const source = new EventSource(events.dataset.stream);
  source.addEventListener('open', () => (state.textContent = 'Live: new events appear here.'));
  source.addEventListener('error', () => {
    const isOver = source.readyState === EventSource.CLOSED;
    state.textContent = isOver ? ENDED : 'The connection is lost. Trying again.';
  });
  source.addEventListener('event', ({ data }) => {
    const part = document.createElement('template');
    part.innerHTML = '<table>' + data + '</table>';
    const body = $('table.records tbody', events);
    if (!body) return location.reload();
    const fresh = Array.from(part.content.querySelectorAll('tbody tr'));
    for (const row of fresh.reverse()) {
      const shown = Array.from(body.rows).find((one) => $('a', one).textContent === $('a', row).textContent);
      if (shown && shown.innerHTML === row.innerHTML) continue;
      row.classList.add('fresh');
      if (shown) shown.replaceWith(row);
      else body.prepend(row);
    }
    while (body.rows.length > MOST_ROWS) body.deleteRow(-1);
  });
  addEventListener('pagehide', () => source.close());
}
`);

#!/usr/bin/env bash
# chromium of Debian, driven by playwright-core 1.65.1: which requests to a server of loopback carry its cookie.
#
# Guess: a cookie with SameSite=Strict stays at home, so a page of another port of 127.0.0.1 cannot send a request with it;
# and a form of the server's own page sends its Origin along.
# Seen: a site has no port, so a page of another port gets the cookie sent, also in an image or a frame; only
# `Sec-Fetch-Site: same-site` tells. And where a page has `Referrer-Policy: no-referrer`, its own form sends `Origin: null`.
# Output seen: cookie=yes site=same-site origin=null
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund playwright-core@1.65.1
cat >try.cjs <<'JS'
const { createServer } = require('node:http');
const { chromium } = require('playwright-core');
const listening = (handle) => new Promise((resolve) => {
  const server = createServer(handle).listen(0, '127.0.0.1', () => resolve(server.address().port));
});
(async () => {
  const seen = {};
  const desk = await listening(({ url, method, headers }, response) => {
    if (url === '/image') Object.assign(seen, { cookie: headers.cookie ? 'yes' : 'no', site: headers['sec-fetch-site'] });
    if (method === 'POST') seen.origin = headers.origin;
    response.setHeader('set-cookie', 'a=b; SameSite=Strict; HttpOnly');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('content-type', 'text/html');
    response.end('<form method="post"><button>Send</button></form>');
  });
  const other = await listening((_, response) => response.end('<!doctype html>'));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${desk}/`);
  await page.click('button');
  await page.goto(`http://127.0.0.1:${other}/`);
  await page.evaluate((src) => new Promise((done) => {
    const image = new Image();
    image.onerror = done;
    image.src = src;
  }), `http://127.0.0.1:${desk}/image`);
  console.log(`cookie=${seen.cookie} site=${seen.site} origin=${seen.origin}`);
  await browser.close();
  process.exit(0);
})();
JS
seen=$(node try.cjs)
echo "$seen"
[[ $seen == 'cookie=yes site=same-site origin=null' ]] || { echo "it has changed"; exit 1; }

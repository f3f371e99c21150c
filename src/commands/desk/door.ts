/**
 * Decides who may come in to the desk. Any page in a browser, and any user of this machine, can send a request to a port of
 * loopback, so nothing is answered for being here:
 *
 *   Host      exactly this address, so that no other name leads here (DNS rebinding)
 *   origin    a request that a page makes comes from the desk's own page, by `Sec-Fetch-Site` and `Origin`. Other ports
 *             are other origins, and yet the same site: they get the cookie along
 *   secret    in the fragment of the address, which no browser sends: the entrance posts it once, for a cookie
 *   cookie    of this process alone. Its name differs by process, because cookies do not know ports
 *   token     beside the cookie, in a form or a header, for whatever changes something
 *
 * Tests: test/unit/commands/desk/door.test.ts, test/system/desk-attacks.test.ts
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RefusedHead } from '../../host/http/request-rules.ts';

/** The parts of a request that say who sent it. */
export interface AskingRequest {
  method: string;
  /** The text that stands in the request. */
  url: string;
  headers: IncomingHttpHeaders;
}

const SECRET_BYTES = 32;
const NAME_BYTES = 6;
/** The header in which a script sends the token. */
export const TOKEN_HEADER = 'x-gw-desk';
/** A browser says of a request that a person typed it, or that a page of the same origin makes it. */
const OWN_SITES = ['none', 'same-origin'];

export class Door {
  /** To be posted once; used up afterwards. */
  readonly secret = random(SECRET_BYTES);
  /** The token of forms and scripts. */
  readonly token = random(SECRET_BYTES);
  /** Differs by process. */
  readonly instance = randomBytes(NAME_BYTES).toString('hex');
  readonly #cookie = random(SECRET_BYTES);
  readonly #host: string;
  #isUsed = false;

  /** @param port that the server listens on, at 127.0.0.1 */
  constructor(port: number) {
    this.#host = `127.0.0.1:${port}`;
  }

  /** The address to open, with the secret in its fragment. @param path begins with a slash */
  address(path: string): string {
    return `http://${this.#host}${path}#${this.secret}`;
  }

  /** @returns why a request is refused, whatever it asks for; undefined if it may be looked at */
  refused({ method, url, headers }: AskingRequest): RefusedHead | undefined {
    if (headers.host !== this.#host || !url.startsWith('/') || url.startsWith('//'))
      return { status: 421, reason: `to ${headers.host ?? 'nobody'}, which is not ${this.#host}` };
    if (method !== 'GET' && method !== 'POST')
      return { status: 405, reason: `with the method ${method}` };
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    const isOwn =
      origin === `http://${this.#host}` || (origin === 'null' && site === 'same-origin');
    if (origin !== undefined && !isOwn) return { status: 403, reason: `from a page of ${origin}` };
    if (method === 'POST' && origin === undefined)
      return { status: 403, reason: 'that does not say which page sent it' };
    // A link on another page may lead here. It gets the entrance, and no cookie goes along.
    const isLink = method === 'GET' && isNavigation(headers);
    if (site !== undefined && !OWN_SITES.includes(String(site)) && !isLink)
      return { status: 403, reason: `from another page (sec-fetch-site: ${site})` };
    return undefined;
  }

  /** @returns whether the request has the cookie of this process, and no other page led to it */
  isIn({ headers }: Pick<AskingRequest, 'headers'>): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && !OWN_SITES.includes(String(site))) return false;
    const cookies = (headers.cookie ?? '').split(/; */).map((one) => one.split('='));
    return cookies.some(
      ([name, value]) => name === this.#cookieName && isSame(value ?? '', this.#cookie),
    );
  }

  /** @param given the token of a form or of a script */
  mayChange(given: string | undefined): boolean {
    return isSame(given ?? '', this.token);
  }

  /**
   * Uses the secret up.
   * @param given as it was posted
   * @returns the cookie to set; undefined if the secret is wrong, or was used
   */
  enter(given: string): string | undefined {
    if (this.#isUsed || !isSame(given, this.secret)) return undefined;
    this.#isUsed = true;
    return `${this.#cookieName}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict`;
  }

  get #cookieName(): string {
    return `gw-desk-${this.instance}`;
  }
}

function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Takes the same time for every content. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

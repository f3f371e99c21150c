/** Reads elements out of an XML text, one after the other, so that a long list is never held as a whole. */
import { parser as parserOfXml } from 'sax';

export interface Element {
  /** Without a prefix, as all names here. */
  name: string;
  /** The line on which it begins, from 1. */
  line: number;
  text: string;
  attributes: Readonly<Record<string, string>>;
  children: Element[];
}

/** Characters that are read at once. */
const PIECE = 65_536;

/**
 * @param name of the elements to return, whole; one inside of another is part of it
 * @throws Error, by the parser and with several lines, if the text is no XML
 */
export function* elementsOf(text: string, name: string): Generator<Element, void, undefined> {
  const parser = parserOfXml(true);
  let whole: Element[] = [];
  const open: Element[] = [];
  let fault: Error | undefined;
  parser.onerror = (error) => {
    fault ??= error;
    // The parser throws the error again unless somebody takes it, and forgets one at the end of the text.
    parser.resume();
  };
  parser.onopentag = ({ name: tag, attributes }) => {
    if (open.length === 0 && localName(tag) !== name) return;
    const own = Object.entries(attributes as Record<string, string>);
    const element = {
      name: localName(tag),
      line: parser.line + 1,
      text: '',
      attributes: Object.fromEntries(own.map(([key, value]) => [localName(key), value])),
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const element = open.pop();
    if (element && open.length === 0) whole.push(element);
  };
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    if (fault) throw fault;
    yield* whole;
    whole = [];
  }
  parser.close();
  if (fault) throw fault;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** @returns the children with this name */
export function childrenOf({ children }: Element, name: string): Element[] {
  return children.filter((child) => child.name === name);
}

/** @param path names from the child on. @returns the first element there */
export function childAt(element: Element, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((one, name) => one && childrenOf(one, name)[0], element);
}

/** @param path the same as of `childAt`. @returns its text; empty if it has none */
export function textAt(element: Element, ...path: readonly string[]): string {
  return childAt(element, ...path)?.text.trim() ?? '';
}

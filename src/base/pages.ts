/** @returns the items in lists of `size`; the last one may be shorter */
export async function* pagesOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * @param order as in `sort`; both sources have it
 * @returns the items of both in this order
 */
export async function* merged<Item>(
  one: AsyncIterable<Item>,
  other: AsyncGenerator<Item>,
  order: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  let next = await other.next();
  for await (const item of one) {
    for (; !next.done && order(next.value, item) < 0; next = await other.next()) yield next.value;
    yield item;
  }
  for (; !next.done; next = await other.next()) yield next.value;
}

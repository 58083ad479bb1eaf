import { describe, expect, it } from 'vitest';

import { BUCKET_MS, Outbox } from './outbox.ts';
import { type Position, START } from './position.ts';

/** An outbox that posts to an array. `answer` can delay or reject posts. */
function outbox(
  over: { position?: Position; batch?: number; answer?: (id: string) => Promise<void> } = {},
) {
  const posts: string[][] = [];
  let saved: Position = over.position ?? START;
  const box = new Outbox<string>({
    batch: over.batch ?? 3,
    parallel: 2,
    retry: [5, 20],
    position: saved,
    save: (position) => (saved = position),
    async post(items, id) {
      await over.answer?.(id);
      posts.push([...items]);
    },
  });
  return { box, posts, saved: () => saved };
}

const bucket = (number: number) => number * BUCKET_MS;

describe('an outbox', () => {
  it('posts due items in order, small buckets together', async () => {
    const { box, posts, saved } = outbox();
    const numbers = [9, 3, 7, 3, 1, 12, 5];
    numbers.forEach((number, i) => box.add(`${number}.${i}`, bucket(number) + (7 - i)));
    box.flush(bucket(10));
    await expect.poll(() => box.posted).toBe(6);
    expect(posts).toEqual([
      ['1.4', '3.1', '3.3'],
      ['5.6', '7.2', '9.0'],
    ]);
    expect(saved()).toEqual({ bucket: 9, offset: 1 });
    expect(box.waiting).toBe(1);
  });

  it('keeps a bucket open until its end', async () => {
    const { box, posts } = outbox();
    box.add('a', bucket(5));
    box.flush(bucket(5) + BUCKET_MS - 1);
    expect(box.waiting).toBe(1);
    expect(box.closedUntil).toBe(bucket(5));
    box.add('b', bucket(5) + 1);
    box.flush(bucket(6));
    await expect.poll(() => posts).toEqual([['a', 'b']]);
  });

  it('repeats a post with the same id until it succeeds', async () => {
    let answers = 0;
    const ids = new Set<string>();
    const answer = (id: string) => (
      ids.add(id),
      ++answers < 4 ? Promise.reject(new Error('503')) : Promise.resolve()
    );
    const { box, posts } = outbox({ answer });
    box.add('a', 1);
    box.flush(bucket(1));
    await expect.poll(() => posts).toEqual([['a']]);
    expect(box.failures).toBe(3);
    expect(box.lastError).toBe('503');
    expect(ids.size).toBe(1);
    box.add('b', bucket(2));
    box.flush(bucket(3));
    await expect.poll(() => ids.size).toBe(2);
  });

  it('advances its position only up to the first unacknowledged post', async () => {
    const waiting: (() => void)[] = [];
    const { box, saved } = outbox({ answer: () => new Promise((done) => waiting.push(done)) });
    for (let i = 0; i < 6; i++) box.add(`${i}`, bucket(i));
    box.flush(bucket(6));
    await expect.poll(() => waiting).toHaveLength(2);
    waiting[1]!();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(saved()).toEqual(START);
    waiting[0]!();
    await expect.poll(saved).toEqual({ bucket: 5, offset: 1 });
  });

  it('continues after its position, also inside a bucket', async () => {
    const fill = (box: Outbox<string>) => {
      for (let i = 0; i < 10; i++) box.add(`${i}`, bucket(i < 2 ? 1 : 4));
      box.flush(bucket(5));
    };
    const first = outbox({ batch: 4 });
    fill(first.box);
    await expect.poll(() => first.posts).toHaveLength(3);
    const { box, posts } = outbox({ batch: 4, position: { bucket: 4, offset: 2 } });
    fill(box);
    await expect.poll(() => box.waiting).toBe(0);
    expect(posts.flat()).toEqual(['4', '5', '6', '7', '8', '9']);
    expect(box.posted).toBe(10);
  });

  it('posts nothing after a stop', async () => {
    const { box, posts } = outbox({ answer: () => Promise.reject(new Error('down')) });
    box.add('a', 1);
    box.flush(bucket(1));
    box.stop();
    box.add('b', bucket(1));
    box.flush(bucket(2));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(posts).toEqual([]);
    expect(box.failures).toBeLessThan(3);
  });
});

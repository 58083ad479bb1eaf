/** What comes within this time is stored together. */
const LINGER_MS = 10;
const MAX_ITEMS = 100;

interface Group<T> {
  items: T[];
  stored: PromiseWithResolvers<void>;
}

/** Stores what comes one by one in groups, one group at a time. */
export class Collector<T> {
  private open: Group<T> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly store: (items: T[]) => Promise<void>) {}

  /** Resolves when the item is stored; rejects when its group could not be. */
  add(item: T): Promise<void> {
    const group = this.open ?? this.begin();
    group.items.push(item);
    if (group.items.length === MAX_ITEMS) this.open = undefined;
    return group.stored.promise;
  }

  private begin(): Group<T> {
    const group: Group<T> = { items: [], stored: Promise.withResolvers() };
    this.open = group;
    // It is open until the groups before it are stored, but not for longer than it takes to fill it.
    this.last = Promise.all([this.last, wait(LINGER_MS)]).then(async () => {
      if (this.open === group) this.open = undefined;
      await this.store(group.items).then(group.stored.resolve, group.stored.reject);
    });
    return group;
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

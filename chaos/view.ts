import { RESYNC, sendings, tasks } from '@heliograph/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { isAway } from '../apps/cabinet/src/core/errors.ts';
import { toListQuery, type ListRequest } from '../apps/cabinet/src/core/list-request.ts';
import { follow } from '../apps/cabinet/src/core/realtime/follow.ts';
import type { Customer } from './customer.ts';

const ask: ListRequest = {
  offset: 0,
  limit: 20,
  order: [{ field: 'createdAt', direction: 'desc' }],
  scope: [],
  filter: {},
};
const RETRY_MS = 5000;
const LISTS = { tasks: tasks.find, sendings: sendings.find };
type List = keyof typeof LISTS;
const names = Object.keys(LISTS) as List[];

type Fields = Record<string, unknown>;
interface Shown {
  data: Fields[];
  total: number;
}

/** Two lists on the screen of a cabinet: its own code brings events into them, and asks again where it would. */
export class View {
  /** As in the cabinet (`untilAnswered`), a query without an answer is repeated until it has one. */
  private readonly client = new QueryClient({
    defaultOptions: {
      queries: { retry: 2, refetchInterval: ({ state }) => isAway(state.error) && RETRY_MS },
    },
  });
  private readonly socket: Socket;
  private readonly customer: Customer;
  private readonly leave: (() => void)[] = [];
  private isClosed = false;

  constructor(base: string, customer: Customer) {
    this.customer = customer;
    for (const name of names) {
      const observer = new QueryObserver(this.client, {
        queryKey: [name, 'find', ask],
        queryFn: () => this.fresh(name),
        staleTime: 30_000,
      });
      this.leave.push(observer.subscribe(() => undefined));
    }
    const { resync, receive } = follow(this.client);
    this.socket = io(base, {
      auth: { token: customer.token },
      transports: ['websocket'],
      reconnectionDelay: 1000,
      reconnectionDelayMax: 5000,
    });
    this.socket.on('connect', resync);
    // After a refusal, and after the server has ended it, it does not come back by itself.
    const retry = () => {
      if (!this.socket.active && !this.isClosed) setTimeout(() => this.socket.connect(), 1000);
    };
    this.socket.on('connect_error', retry);
    this.socket.on('disconnect', retry);
    this.socket.on(RESYNC, resync);
    this.socket.onAny(receive);
  }

  /** Rows of the lists on the screen that differ from what is asked for now, field by field. */
  async differences(): Promise<object[]> {
    const found: object[] = [];
    for (const list of names) {
      const fresh = await this.fresh(list);
      const shown = this.client.getQueryData<Shown>([list, 'find', ask]);
      if (canonical(shown) === canonical(fresh)) continue;
      const { data, ...rest } = fresh;
      found.push({ list, shown: { ...shown, data: shown?.data.length }, fresh: rest });
      for (const [place, row] of data.entries())
        found.push(
          ...differing(row, shown?.data[place]).map((fields) => ({ list, place, fields })),
        );
    }
    return found;
  }

  close(): void {
    this.isClosed = true;
    this.socket.disconnect();
    for (const leave of this.leave) leave();
    this.client.clear();
  }

  private fresh(list: List): Promise<Shown> {
    const query = toListQuery(ask, Date.now()) as never;
    return this.customer.once(LISTS[list], { query }) as Promise<Shown>;
  }
}

function differing(fresh: Fields, shown: Fields = {}): object[] {
  const fields = Object.keys(fresh).filter(
    (key) => canonical(fresh[key]) !== canonical(shown[key]),
  );
  if (!fields.length) return [];
  return [Object.fromEntries(fields.map((key) => [key, { shown: shown[key], fresh: fresh[key] }]))];
}

/** The order of fields says nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

import pg, { type Submittable } from 'pg';

type Callback = (error: Error | null, result?: unknown) => void;

/** The part of the driver's connection that a statement writes to. */
interface Wire {
  query(text: string): void;
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}

/** The driver's query, of which its types show only the events. */
interface DriverQuery {
  text: string;
  name?: string;
  queryMode?: 'extended';
  callback?: Callback;
  submit(wire: Wire): Error | null;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
const Query = pg.Query as unknown as new (
  config: unknown,
  values?: unknown,
  callback?: unknown,
) => DriverQuery;

const BEGIN = /^\s*(?:start\s+transaction|begin)\b/i;

/** Whether a connection leads to a pooler that lends a session of the database for one transaction at a time. */
export const isPooled = (client: object): boolean => 'isPooled' in client;

/**
 * The client of connections over a pooler in transaction mode: the next transaction may run in another session. So its settings
 * (of Postgres, by name) are sent with each transaction and with each statement outside of one, in the same message, and
 * end with it. Statements have no names, for they would stay in the session.
 */
export function pooledClient(settings: Record<string, string>): typeof pg.Client {
  const all = Object.entries(settings);
  const asText = all.map(([name, value]) => `set local ${name} = ${literal(value)}; `).join('');
  const asStatement = `select ${all.map(([name, value]) => `set_config('${name}', ${literal(value)}, true)`).join()}`;

  class PooledQuery extends Query {
    /** The answers that come first are those to the settings. */
    private isSetting = false;

    constructor(
      private readonly client: pg.Client,
      ...config: [unknown, unknown, unknown]
    ) {
      super(...config);
      this.name = undefined;
    }

    override submit(wire: Wire): Error | null {
      if (this.isFirst) {
        if (BEGIN.test(this.text)) {
          wire.query(asText + this.text);
          return null;
        }
        // A message has either texts of any number of statements, or parsed statements with parameters.
        this.queryMode = 'extended';
      }
      return super.submit(wire);
    }

    override prepare(wire: Wire): void {
      if (this.isFirst) {
        this.isSetting = true;
        wire.parse({ text: asStatement });
        wire.bind({ values: [] });
        wire.execute({});
      }
      super.prepare(wire);
    }

    override handleDataRow(message: unknown): void {
      if (!this.isSetting) super.handleDataRow(message);
    }

    override handleCommandComplete(message: unknown, wire: Wire): void {
      if (this.isSetting) this.isSetting = false;
      else super.handleCommandComplete(message, wire);
    }

    private get isFirst(): boolean {
      return this.client.getTransactionStatus() === 'I';
    }
  }

  class PooledClient extends pg.Client {
    readonly isPooled = true;

    /** A query of another kind, such as a COPY, has its own form and belongs into a transaction. */
    private send(config: unknown, values?: unknown, callback?: unknown): unknown {
      if (typeof (config as Submittable).submit === 'function')
        return super.query(config as Submittable);
      const query = new PooledQuery(this, config, values, callback);
      const submit = () => super.query(query as unknown as Submittable);
      if (query.callback) return submit();
      return new Promise((resolve, reject) => {
        query.callback = (error, result) => (error ? reject(error) : resolve(result));
        submit();
      });
    }

    override query = this.send.bind(this) as unknown as pg.Client['query'];
  }
  return PooledClient;
}

const literal = (text: string) => pg.escapeLiteral(text);

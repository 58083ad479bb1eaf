import { Injectable } from '@nestjs/common';
import type { GatewayStore, SimulatedInstance } from '@heliograph/simulators';
import { Db } from '../../core/db/db.ts';

interface Row {
  instance: SimulatedInstance;
}

/** Instances of the simulated gateway. They belong to no account: only the interface of the gateway and the pages of phones reach them. */
@Injectable()
export class SimulatedPhonesStore implements GatewayStore {
  constructor(private readonly db: Db) {}

  async add(instance: SimulatedInstance): Promise<void> {
    const { id, key } = instance;
    await this.db.query(`insert into simulated_phones (id, key, instance) values ($1, $2, $3)`, [
      id,
      key,
      instance,
    ]);
  }

  async get(id: string): Promise<SimulatedInstance | undefined> {
    const [row] = await this.db.query<Row>(`select instance from simulated_phones where id = $1`, [
      id,
    ]);
    return row?.instance;
  }

  async byKey(key: string): Promise<SimulatedInstance | undefined> {
    const [row] = await this.db.query<Row>(`select instance from simulated_phones where key = $1`, [
      key,
    ]);
    return row?.instance;
  }

  async all(): Promise<SimulatedInstance[]> {
    const rows = await this.db.query<Row>(
      `select instance from simulated_phones order by created_at desc limit 1000`,
    );
    return rows.map(({ instance }) => instance);
  }

  async remove(id: string): Promise<void> {
    await this.db.query(`delete from simulated_phones where id = $1`, [id]);
  }

  change: GatewayStore['change'] = (id, change) =>
    this.db.transaction(async () => {
      const [row] = await this.db.query<Row>(
        `select instance from simulated_phones where id = $1 for update`,
        [id],
      );
      if (!row) return undefined;
      const after = change(row.instance);
      if (after && after !== row.instance)
        await this.db.query(`update simulated_phones set instance = $2 where id = $1`, [id, after]);
      return after;
    });
}

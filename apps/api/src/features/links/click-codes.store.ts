import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** Clicks of recipients since the last write, as columns. */
export interface RecipientClicks {
  links: string[];
  tasks: number[];
  numbers: number[];
  clicks: number[];
  firstAt: Date[];
  lastAt: Date[];
}

/** Of a recipient on one link. */
export interface FirstClick {
  /** Target of the link. */
  url: string;
  firstAt: Date;
}

/** What deletes the text of a message. What else `data` has of it stays. */
export const DELETED_TEXT = `body = null, vars = null, carrier_text = null, data = nullif(data - '{payload,parts}'::text[], '{}')`;

/** Whether the text of the message of an alias is still there. Without it nobody is known to have clicked, or not to have. */
export const hasTextSql = (s: string): string =>
  `(${s}.body is not null or ${s}.vars is not null or coalesce(${s}.data ?| '{payload,parts}', false))`;

/** Bulks that tell who clicked, their recipients by number, and who clicked. */
@Injectable()
export class ClickCodesStore {
  constructor(private readonly db: Db) {}

  /** The number of a bulk, in the transaction that writes its task. */
  async addTask(taskId: string, linkIds: string[]): Promise<number> {
    const [row] = await this.db.query<{ id: number }>(
      `insert into click_tasks (task_id, link_ids) values ($1, $2) returning id`,
      [taskId, linkIds],
    );
    return row!.id;
  }

  async addRecipients(task: number, first: number, sendingIds: (string | null)[]): Promise<void> {
    await this.db.query(
      `insert into click_recipients (click_task_id, first_number, sending_ids) values ($1, $2, $3)`,
      [task, first, sendingIds],
    );
  }

  /**
   * Adds clicks in one statement and returns the bulks. A link that the bulk does not have, and a message whose text is deleted, as it
   * is old or the person is erased, have none; the erasure of a message waits, or is waited for.
   */
  addClicks({
    links,
    tasks,
    numbers,
    clicks,
    firstAt,
    lastAt,
  }: RecipientClicks): Promise<{ taskId: string; OwnerId: string }[]> {
    return this.db.query(
      `insert into link_clicks as k (sending_id, link_id, task_id, owner_id, address, clicks, first_at, last_at)
       select s.id, l.id, t.task_id, s.owner_id, s.phone, c.clicks, c.first_at, c.last_at
         from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[])
              as c(link_id, task, number, clicks, first_at, last_at)
         join click_tasks t on t.id = c.task and c.link_id = any(t.link_ids)
         join links l on l.id = c.link_id
         cross join lateral (
           select r.sending_ids[c.number - r.first_number + 1] as id from click_recipients r
            where r.click_task_id = c.task and r.first_number <= c.number order by r.first_number desc limit 1) r
         join sendings s on s.id = r.id and s.group_id = t.task_id and ${hasTextSql('s')}
        order by s.id, l.id
          for share of s
       on conflict (sending_id, link_id) do update
          set clicks = k.clicks + excluded.clicks, first_at = least(k.first_at, excluded.first_at), last_at = greatest(k.last_at, excluded.last_at)
       returning task_id as "taskId", owner_id as "OwnerId"`,
      [links, tasks, numbers, clicks, firstAt, lastAt],
    );
  }

  clicksOf(sendingId: string): Promise<FirstClick[]> {
    return this.db.query(
      `select l.url, k.first_at as "firstAt" from link_clicks k join links l on l.id = k.link_id where k.sending_id = $1 order by k.first_at`,
      [sendingId],
    );
  }

  /** Recipients of a bulk who clicked: of each of its links, and under null of any. */
  recipientsOf(taskId: string): Promise<{ linkId: string | null; count: number }[]> {
    return this.db.query(
      `select k.link_id as "linkId", count(distinct k.sending_id)::int as count from link_clicks k where k.task_id = $1
        group by grouping sets ((k.link_id), ())`,
      [taskId],
    );
  }
}

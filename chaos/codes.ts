import {
  ApiError,
  otpChannels,
  otpHandler,
  otpWidgets,
  type Call,
  type Endpoint,
} from '@heliograph/contract';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import { Customer } from './customer.ts';
import type { Database } from './database.ts';
import { Random } from './random.ts';
import { type Account, account } from './world.ts';

/** Seconds until the next channel of a widget is tried. */
export const CODE_LIFETIME = 10;
const TRIES = 5;
const LENGTH = 4;
/** More than a session takes. */
const GUESSES = 12;
const PATIENCE_MS = 20_000;
const START_MS = 90_000;

interface Session {
  id: string;
  phone: string;
  /** Answers that the code was right, that it was wrong, and that the session was completed. */
  right: number;
  wrong: number;
  completed: number;
}

/** People who ask for one-time codes: some enter them, twice at once, some guess, and some never come back. */
export class Codes {
  readonly sessions: Session[] = [];
  owner!: Account;
  private widgetId!: string;
  private phones = 0;
  private readonly visitor: Customer;
  private readonly random: Random;
  private readonly db: Database;
  private readonly address: Address;

  constructor(db: Database, address: Address, seed: string) {
    this.db = db;
    this.address = address;
    this.random = new Random(`${seed} codes`);
    this.visitor = new Customer(address.apis, '');
  }

  async prepare(): Promise<void> {
    this.owner = await account(this.db, this.address.apis, 100_000);
    const { customer } = this.owner;
    const { id } = await customer.insist(otpWidgets.create, {
      body: { name: 'Tea shop', captchaIsRequired: false },
    });
    const otpWidgetChannelSettings: { otpChannelSettingsId: string; priority: number }[] = [];
    for (const [priority, channelType] of (['viber', 'sms'] as const).entries()) {
      const additionalSettings = { lifetime: CODE_LIFETIME, numberOfTries: TRIES };
      const body = { name: channelType, channelType, additionalSettings };
      const made = await customer.insist(otpChannels.create, { body });
      otpWidgetChannelSettings.push({ otpChannelSettingsId: made.id, priority });
    }
    const body = { otpWidgetChannelSettings };
    await customer.insist(otpWidgets.setChannels, { params: { id }, body });
    this.widgetId = id;
  }

  async act(count: number, ms: number): Promise<void> {
    const underWay: Promise<void>[] = [];
    for (let n = 0; n < count; n++) {
      const lived = this.live(n);
      // One that fails is told of at the end.
      lived.catch(() => undefined);
      underWay.push(lived);
      await sleep(this.random.between(0, (2 * ms) / count));
    }
    await Promise.all(underWay);
  }

  async check(): Promise<Finding[]> {
    const rows = await this.db.rows<{ id: string; state: number; tries: number }>(
      `select id, state, tries from otp_sessions where owner_id = $1`,
      [this.owner.id],
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    const wrong = this.sessions.filter(({ id, right, wrong: refused, completed }) => {
      const row = stored.get(id);
      if (!row || row.tries > TRIES || right > 1 || completed > 1) return true;
      return refused + right > row.tries || (right > 0 && ![1, 2].includes(row.state));
    });
    const findings = [
      {
        what: 'a session is missing, or confirms more than once or with too many tries',
        rows: wrong,
      },
    ];
    for (const [what, sql] of Object.entries(RULES))
      findings.push({ what, rows: await this.db.rows(sql, [this.owner.id]) });
    return findings.filter((finding) => finding.rows.length);
  }

  private async live(n: number): Promise<void> {
    const session = await this.start();
    const { id, phone } = session;
    if (n % 4 === 3) return;
    const code = await this.codeOf(id);
    const other = String((Number(code) + 1) % 10 ** LENGTH).padStart(LENGTH, '0');
    const tried = n % 4 === 2 ? GUESSES : 2;
    await Promise.all(Array.from({ length: tried }, () => this.enter(session, other)));
    if (n % 4 === 2) return;
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      const ended = await Promise.all([this.enter(session, code), this.enter(session, code)]);
      if (ended.includes(true)) break;
      await sleep(this.random.between(100, 300));
    }
    const call = { params: { requestId: id }, query: { recipient: phone } };
    const complete = () =>
      this.attempt(this.owner.customer, otpHandler.checkStatusAndComplete, call);
    const answers = await Promise.all([complete(), complete()]);
    session.completed = answers.filter((answer) => answer === true).length;
  }

  /** A request without an answer may have started a session, so another number asks next: those of one are limited. */
  private async start(): Promise<Session> {
    for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
      const phone = `+7904${1_000_000 + this.phones++ * 1000}`;
      const body = { widgetId: this.widgetId, recipient: phone };
      const answer = await this.visitor.once(otpHandler.create, { body }).catch(() => null);
      if (!answer) continue;
      const session = { id: answer.requestId, phone, right: 0, wrong: 0, completed: 0 };
      this.sessions.push(session);
      return session;
    }
    throw new Error('no session could be started');
  }

  /** Whether nothing more can be entered. */
  private async enter(session: Session, code: string): Promise<boolean> {
    const call = { params: { requestId: session.id }, body: { code } };
    const answer = await this.attempt(this.visitor, otpHandler.checkCode, call);
    if (answer === true) session.right++;
    if (answer === 'InvalidCodeException') session.wrong++;
    return answer !== null && answer !== 'InvalidCodeException';
  }

  /** True, the name of a refusal, or null without an answer. */
  private async attempt<E extends Endpoint>(
    customer: Customer,
    endpoint: E,
    call: Call<E>,
  ): Promise<string | true | null> {
    try {
      await customer.once(endpoint, call);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return null;
      return (error.body as { type: string }).type;
    }
  }

  /** As the person reads it: only its hash is stored. */
  private async codeOf(id: string): Promise<string> {
    const [row] = await this.db.rows<{ hash: Buffer; secret: string }>(
      `select code_hashes[1] as hash, (select value from secrets where name = 'otp') as secret from otp_sessions where id = $1`,
      [id],
    );
    for (let n = 0; n < 10 ** LENGTH; n++) {
      const code = String(n).padStart(LENGTH, '0');
      const hmac = createHmac('sha256', row!.secret).update(`code ${id} 0 0 ${code}`);
      if (hmac.digest().equals(row!.hash)) return code;
    }
    throw new Error(`no code fits session ${id}`);
  }
}

const RULES: Record<string, string> = {
  'a session has not one chain, or a chain not one session': `
    select coalesce(s.id, o.chain_id) as chain, o.id as session
      from (select id from sendings where owner_id = $1 and chain_id is null) s
      full join (select id, chain_id from otp_sessions where owner_id = $1) o on o.chain_id = s.id
     where s.id is null or o.id is null`,
  'a code was not sent over the next channel': `
    select o.id, count(s.id)::int as attempts from otp_sessions o join sendings_now s on s.chain = o.chain_id
     where o.owner_id = $1 and o.state not in (1, 2)
     group by o.id having count(s.id) < 2 and bool_and(s.now_status = 5)`,
  'an attempt was charged more than once, or not at all': `
    select s.id, count(b.id)::int as charges from sendings s left join billings b on b.id = s.id
     where s.owner_id = $1 group by s.id having count(b.id) <> 1`,
};

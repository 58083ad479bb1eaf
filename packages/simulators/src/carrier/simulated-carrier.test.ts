import { TEST_NUMBER_PREFIX } from '@heliograph/domain';
import { describe, expect, it } from 'vitest';

import type { CarrierProfile } from './profile.ts';
import { carrierProfile } from './profile.ts';
import type { SubmittedMessage } from './simulated-carrier.ts';
import { planReports, respondToSubmit } from './simulated-carrier.ts';
import { TEST_NUMBERS } from './test-numbers.ts';

const submittedAt = new Date('2026-01-01T12:00:00Z');
const healthy = carrierProfile();

function message(suffix: string, type: SubmittedMessage['type'] = 'sms'): SubmittedMessage {
  return { reference: `ref-${suffix}`, type, recipient: TEST_NUMBER_PREFIX + suffix };
}

function many(count: number, type: SubmittedMessage['type'] = 'sms'): SubmittedMessage[] {
  return Array.from({ length: count }, (_, i) => ({
    reference: `0198c0de-0000-7000-8000-${String(i).padStart(12, '0')}`,
    type,
    recipient: `+7900${String(i).padStart(7, '0')}`,
  }));
}

/** Reports as text: `status[:code] [note] <delay in ms>`. */
function summaryOf(of: SubmittedMessage, profile: CarrierProfile = healthy): string[] {
  return planReports(of, profile, 1, submittedAt).reports.map(({ status, code, note, due }) => {
    const words = [
      code ? `${status}:${code}` : status,
      note,
      due.getTime() - submittedAt.getTime(),
    ];
    return words.filter((word) => word !== undefined).join(' ');
  });
}

describe('test numbers', () => {
  const plans: Record<string, string[]> = {
    '00': ['sent 500', 'delivered 2000'],
    '01': ['sent 500', 'delivered 2000', 'seen 5000'],
    '02': ['sent 500', 'failed:absent_subscriber 2000'],
    '03': ['sent 500', 'failed:temporary 2000'],
    '04': ['sent 500'],
    '05': ['sent 500', 'failed:expired 3000'],
    '06': [],
    '07': [],
    '08': ['sent 500', 'delivered 2000'],
    '09': ['sent 500', 'delivered 2000'],
    '10': ['sent 500', 'delivered 2000'],
    '11': ['sent 500', 'delivered 2000', 'delivered 2200'],
    '12': ['delivered 2000', 'sent 2200', 'processing 2400'],
    '13': ['sent 500', 'failed:partial 3000'],
    '14': ['sent 500', 'delivered 2000'],
    '15': ['sent 500', 'delivered 2000'],
    '16': ['sent 500', 'delivered ported 2000'],
    '17': ['sent 500', 'delivered roaming 2000'],
    '18': [],
    '19': ['sent 500', 'delivered 60000'],
  };

  it('are all described', () => {
    expect(Object.keys(plans).sort()).toEqual(Object.keys(TEST_NUMBERS).sort());
  });

  it.each(Object.entries(plans))('%s by sms', (suffix, expected) => {
    expect(summaryOf(message(suffix))).toEqual(expected);
    // Independent of the profile.
    expect(summaryOf(message(suffix), carrierProfile({ profile: 'flaky', silent: 0.5 }))).toEqual(
      expected,
    );
  });

  it('depend on the channel type', () => {
    for (const type of ['viber', 'whatsapp', 'vk', 'ok', 'telegram'] as const) {
      expect(summaryOf(message('08', type))).toEqual(['failed:not_a_user 1000']);
    }
    expect(summaryOf(message('18', 'voice'))).toEqual(['sent 500', 'delivered 2000']);
  });

  it('report out of order with the times of the true order', () => {
    const { reports } = planReports(message('12'), healthy, 1, submittedAt);
    expect(reports.map(({ at }) => at.getTime() - submittedAt.getTime())).toEqual([2000, 500, 100]);
  });

  it.each([
    ['09', 'STOP'],
    ['10', 'да'],
  ])('%s replies %s', (suffix, text) => {
    const { reply } = planReports(message(suffix), healthy, 1, submittedAt);
    const at = new Date(submittedAt.getTime() + 3_000);
    expect(reply).toEqual({ reference: `ref-${suffix}`, text, at });
  });

  it.each([
    ['00', 'sms', 0, { result: 'accepted' }],
    ['06', 'sms', 0, { result: 'rejected', code: 'rejected_sender' }],
    ['07', 'viber', 0, { result: 'rejected', code: 'blacklisted' }],
    ['14', 'sms', 0, { result: 'throttled', retryAfter: 1_000 }],
    ['14', 'sms', 2, { result: 'throttled', retryAfter: 1_000 }],
    ['14', 'sms', 3, { result: 'accepted' }],
    ['15', 'sms', 0, { result: 'lost' }],
    ['15', 'sms', 1, { result: 'accepted' }],
    ['18', 'sms', 0, { result: 'rejected', code: 'landline' }],
    ['18', 'flashcall', 0, { result: 'rejected', code: 'landline' }],
    ['18', 'voice', 0, { result: 'accepted' }],
  ] as const)('%s by %s at submission %i', (suffix, type, tries, expected) => {
    expect(respondToSubmit({ ...message(suffix, type), tries }, healthy, 1)).toEqual(expected);
    const down = carrierProfile({ profile: 'dead' });
    expect(respondToSubmit({ ...message(suffix, type), tries }, down, 1).result).toBe('throttled');
  });

  it('are only the numbers of the block', () => {
    const p = carrierProfile({ failed: 1, temporary: 0 });
    for (const recipient of ['+79990000020', '+7999000000', '+799900000041', '@79990000004']) {
      const { reports } = planReports(
        { reference: 'a', type: 'sms', recipient },
        p,
        1,
        submittedAt,
      );
      expect(reports.at(-1)?.status).toBe('failed');
    }
  });
});

describe('profiles', () => {
  it('are pure functions of reference, seed and time of submission', () => {
    const flaky = carrierProfile({ profile: 'flaky' });
    const later = new Date(submittedAt.getTime() + 5_000);
    let differing = 0;
    for (const m of many(500, 'viber')) {
      const plan = planReports(m, flaky, 'a', submittedAt);
      expect(planReports({ ...m }, { ...flaky }, 'a', submittedAt)).toEqual(plan);
      const shifted = planReports(m, flaky, 'a', later).reports;
      expect(shifted.map((r) => r.due.getTime() - 5_000)).toEqual(
        plan.reports.map((r) => r.due.getTime()),
      );
      const other = planReports(m, flaky, 'b', submittedAt);
      if (JSON.stringify(other) !== JSON.stringify(plan)) differing++;
    }
    expect(differing).toBeGreaterThan(450);
  });

  it('match their probabilities', () => {
    const p = carrierProfile({
      failed: 0.1,
      temporary: 0.1,
      silent: 0.2,
      seen: 0.5,
      throttled: 0.3,
      rejected: 0.1,
    });
    const all = many(20_000, 'viber').map((m) => planReports(m, p, 7, submittedAt).reports.at(-1));
    const share = (test: (r: (typeof all)[number]) => boolean) => all.filter(test).length / 20_000;
    expect(share((r) => r === undefined)).toBeCloseTo(0.2, 1);
    expect(share((r) => r?.code === 'temporary')).toBeCloseTo(0.1, 1);
    expect(share((r) => r?.status === 'seen')).toBeCloseTo(0.3, 1);
    expect(share((r) => r?.status === 'delivered')).toBeCloseTo(0.3, 1);
    const answers = many(20_000).map((m) => respondToSubmit({ ...m, tries: 0 }, p, 7).result);
    expect(answers.filter((a) => a === 'throttled').length / 20_000).toBeCloseTo(0.3, 1);
    expect(answers.filter((a) => a === 'rejected').length / 20_000).toBeCloseTo(0.07, 1);
  });

  it('accept throttled messages eventually', () => {
    const p = carrierProfile({ profile: 'throttling' });
    for (const m of many(200)) {
      const tries = Array.from(
        { length: 40 },
        (_, i) => respondToSubmit({ ...m, tries: i }, p, 1).result,
      );
      expect(tries).toContain('accepted');
    }
  });

  it('send reports in order and never before their time', () => {
    const p = carrierProfile({ profile: 'flaky', duplicates: 0.5, disorder: 0.5 });
    for (const m of many(2_000, 'whatsapp')) {
      let before = submittedAt.getTime();
      for (const { at, due } of planReports(m, p, 3, submittedAt).reports) {
        expect(due.getTime()).toBeGreaterThanOrEqual(Math.max(before, at.getTime()));
        before = due.getTime();
      }
    }
  });

  it('have no read reports and replies on channels without them', () => {
    const p = carrierProfile({ seen: 1, replies: 1 });
    for (const m of many(200, 'flashcall')) {
      const plan = planReports(m, p, 1, submittedAt);
      expect(plan.reply).toBeNull();
      expect(plan.reports.map((r) => r.status)).not.toContain('seen');
    }
  });

  it.each([
    [{ profile: 'brisk' }, 'profile: must be one of'],
    [{ failed: 2 }, 'failed: '],
    [{ silent: Number.NaN }, 'silent: '],
    [{ sentDelay: [5, 1] }, 'sentDelay: '],
    [{ seenDelay: 7 }, 'seenDelay: '],
    [{ down: 'yes' }, 'down: '],
    [{ speed: 1 }, 'speed: unknown'],
    [{ failed: 0.6, silent: 0.6 }, 'must not exceed 1'],
  ])('refuse %j', (options, message) => {
    expect(() => carrierProfile(options as never)).toThrow(message);
  });
});

describe('a call', () => {
  const reportsOf = (type: SubmittedMessage['type'], recipient: string, reference = 'a') =>
    planReports(
      { reference, type, recipient },
      carrierProfile({ failed: 0, temporary: 0, silent: 0 }),
      1,
      submittedAt,
    ).reports;

  it('has a length when it is delivered, the same each time', () => {
    for (let n = 0; n < 50; n++) {
      const recipient = `+7916${String(1_000_000 + n)}`;
      const [, delivered] = reportsOf('voice', recipient, `${n}`);
      expect(delivered!.seconds).toBeGreaterThanOrEqual(1);
      expect(delivered!.seconds).toBeLessThanOrEqual(60);
      expect(reportsOf('voice', recipient, `${n}`)[1]).toEqual(delivered);
    }
  });

  it('to a test number lasts 7 seconds, and one that fails has no length', () => {
    const secondsOf = (last: string) =>
      reportsOf('voice', `${TEST_NUMBER_PREFIX}${last}`).map(({ seconds }) => seconds);
    expect(secondsOf('00')).toEqual([undefined, 7]);
    expect(secondsOf('02').every((seconds) => seconds === undefined)).toBe(true);
    expect(reportsOf('sms', '+79161234567').every(({ seconds }) => seconds === undefined)).toBe(
      true,
    );
  });
});

describe('a look-up', () => {
  const always = carrierProfile({ failed: 0, temporary: 0, silent: 0 });
  const lookupOf = (recipient: string, type: SubmittedMessage['type'] = 'hlr', reference = 'a') =>
    planReports({ reference, type, recipient }, always, 1, submittedAt).reports.find(
      ({ status }) => status === 'delivered',
    )!.lookup;

  it('of a test number says what the number is for', () => {
    expect(lookupOf(`${TEST_NUMBER_PREFIX}00`)).toMatchObject({ roaming: false });
    expect(lookupOf(`${TEST_NUMBER_PREFIX}16`)).toMatchObject({ ported: true, roaming: false });
    expect(lookupOf(`${TEST_NUMBER_PREFIX}17`)).toMatchObject({ ported: false, roaming: true });
  });

  it('says the same of a number each time, and another network if it is ported', () => {
    for (let n = 0; n < 50; n++) {
      const recipient = `+7916${String(1_000_000 + n)}`;
      const found = lookupOf(recipient)!;
      expect(lookupOf(recipient, 'hlr', 'b')).toEqual(found);
      expect(found.network === found.origin).toBe(!found.ported);
    }
  });

  it('is not what other messages are', () => {
    expect(lookupOf(`${TEST_NUMBER_PREFIX}00`, 'sms')).toBeUndefined();
  });
});

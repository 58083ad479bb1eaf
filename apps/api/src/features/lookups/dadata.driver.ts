import type { BankSuggestion, CleanName, CompanySuggestion } from '@heliograph/contract';
import { fullNameGenitive } from '@heliograph/domain';
import * as z from 'zod';
import type { Config } from '../../core/config.ts';
import { busy, fetchService, unavailable } from '../../core/http/service-client.ts';
import { cleanName } from './local.driver.ts';
import { LookupDriver, MAX_SUGGESTIONS } from './lookup-driver.ts';

const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 256 * 1024;
const SUGGESTIONS = '/suggestions/api/4_1/rs';

const Text = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .transform((value) => value ?? '');
const Digits = (pattern: RegExp) => Text.transform((value) => (pattern.test(value) ? value : ''));

const Party = z.object({
  inn: z.string().regex(/^(?:\d{10}|\d{12})$/),
  kpp: Digits(/^\d{4}[\dA-Z]{2}\d{3}$/),
  ogrn: Digits(/^(?:\d{13}|\d{15})$/),
  okpo: Digits(/^(?:\d{8}|\d{10})$/),
  type: z.enum(['LEGAL', 'INDIVIDUAL']),
  name: z.object({ full: Text, short: Text }),
  opf: z.object({ short: Text }).nullish(),
  management: z.object({ name: Text, post: Text }).nullish(),
  fio: z.object({ surname: Text, name: Text, patronymic: Text }).nullish(),
  state: z.object({ status: Text }).nullish(),
  address: z
    .object({
      value: Text,
      data: z
        .object({
          postal_code: Digits(/^\d{6}$/),
          country: Text,
          city: Text,
          settlement: Text,
          region_with_type: Text,
        })
        .nullish(),
    })
    .nullish(),
});
const Bank = z.object({
  bic: z.string().regex(/^\d{9}$/),
  correspondent_account: Digits(/^\d{20}$/),
  name: z.object({ payment: Text, short: Text }),
});
const Answer = z.object({ suggestions: z.array(z.object({ data: z.unknown() })).max(300) });
const Names = z.tuple([
  z.object({ surname: Text, name: Text, patronymic: Text, result_genitive: Text }),
]);

/** DaData: suggestions with a key; its cleaner of names, which is paid, only with a secret as well. */
export class DadataLookups extends LookupDriver {
  constructor(private readonly config: Config) {
    super();
  }

  override async companies(inn: string): Promise<CompanySuggestion[]> {
    const found = await this.suggest('/findById/party', { query: inn, count: MAX_SUGGESTIONS });
    return valid(Party, found).map(companyOf);
  }

  override async banks(query: string): Promise<BankSuggestion[]> {
    const found = await this.suggest('/suggest/bank', { query, count: MAX_SUGGESTIONS });
    return valid(Bank, found).map(({ bic, correspondent_account, name }) => ({
      name: name.payment || name.short,
      bik: bic,
      ks: correspondent_account,
    }));
  }

  /** Without a secret the name stays here. */
  override async name(query: string): Promise<CleanName> {
    if (!this.config.DADATA_SECRET) return cleanName(query);
    const url = new URL('/api/v1/clean/name', this.config.DADATA_CLEANER_URL);
    const answer = await this.post(url, [query], { 'x-secret': this.config.DADATA_SECRET });
    const { success, data } = Names.safeParse(answer);
    if (!success) throw invalidAnswer();
    const [{ surname, name, patronymic, result_genitive }] = data;
    const fullName = [surname, name, patronymic].filter(Boolean).join(' ');
    return {
      lastName: surname,
      firstName: name,
      middleName: patronymic,
      genitive: result_genitive || fullNameGenitive(fullName),
    };
  }

  private async suggest(path: string, body: object): Promise<unknown[]> {
    const url = new URL(`${SUGGESTIONS}${path}`, this.config.DADATA_URL);
    const { success, data } = Answer.safeParse(await this.post(url, body));
    if (!success) throw invalidAnswer();
    return data.suggestions.map((one) => one.data);
  }

  private async post(url: URL, body: object, headers: Record<string, string> = {}) {
    const answer = await fetchService(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Token ${this.config.DADATA_KEY}`,
        ...headers,
      },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (answer.status === 429) throw busy(answer);
    if (answer.status !== 200)
      throw unavailable(`the look-up responded with status ${answer.status}`);
    try {
      return JSON.parse(answer.bytes.toString('utf8')) as unknown;
    } catch {
      throw invalidAnswer();
    }
  }
}

const invalidAnswer = () => unavailable('the look-up returned an invalid response');

/** What is not as expected is left out. */
const valid = <S extends z.ZodType>(schema: S, found: unknown[]): z.output<S>[] =>
  found
    .slice(0, MAX_SUGGESTIONS)
    .map((one) => schema.safeParse(one))
    .flatMap(({ success, data }) => (success ? [data] : []));

function companyOf(party: z.output<typeof Party>): CompanySuggestion {
  const { inn, kpp, ogrn, okpo, type, name, opf, management, fio, state, address } = party;
  const person = [fio?.surname, fio?.name, fio?.patronymic].filter(Boolean).join(' ');
  const { postal_code, country, city, settlement, region_with_type } = address?.data ?? {};
  return {
    type,
    opf: opf?.short ?? '',
    name: (type === 'INDIVIDUAL' && person) || name.short || name.full,
    inn,
    kpp,
    ogrn,
    okpo,
    isActive: !state?.status || state.status === 'ACTIVE',
    management: {
      name: management?.name || person,
      position: management?.post || (person ? 'Индивидуальный предприниматель' : ''),
    },
    address: {
      country: country ?? '',
      city: city || settlement || region_with_type || '',
      index: postal_code ?? '',
      address: address?.value ?? '',
    },
  };
}

export interface FullName {
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
}

/** Suffixes of Russian patronymics, of Turkic ones in Cyrillic, and of Russian ones in Latin letters. */
const PATRONYMIC = /(?:вич|вна|чна|оглы|кызы|улы)$|.(?:ovich|evich|ovna|evna|ichna)$/i;

/** Legal forms of organisations, as a word. Short ones of other alphabets are names of people, too, unless they are written in capitals. */
const LEGAL_FORMS = new Set(
  `ооо,оао,зао,пао,нко,ано,тоо,одо,тов,фгуп,муп,снт,тсж,тсн,гуп,фгбу,фгбоу,мбоу,гбуз,кфх,жшс,осоо,чуп,уп,llc,ltd,limited,gmbh,ohg,srl,sarl,eurl,ltda,eireli,llp,plc,
   inc,corp,corporation,incorporated,pty,pte,kgaa,mbh,spzoo,ooo,oao,jsc,ojsc,pjsc,общество,товарищество,gesellschaft,société,sociedad,sociedade,società`.split(
    /[,\s]+/,
  ),
);
const SHORT_FORMS = new Set('АО,ЧП,AG,KG,UG,SA,SL,SLU,SAS,SPA,SNC,LDA,BV,NV,AB,OY'.split(','));
/** At the end, also in small letters, with dots or a slash: `Acme S.p.A.`, `Acme Lda.`, `Acme A/S`, `Acme Sp. z o.o.` */
const LAST_FORM = / (?:s\.? ?p\.? ?a|lda|b\.v|n\.v|a\/s|aps|oyj|e\. ?[vk]|sp\. ?z ?o\. ?o)\.?$/i;
/** `А.О.` are initials, `S.A.` is a form. */
const CYRILLIC_INITIALS = /^(?:\p{Script=Cyrillic}\.)+$/u;
const IN_QUOTES = /^(["'])[^"']+\1$|^[«“„][^»”“]+[»”“]$/;

/** Whether a name is that of an organisation, by its legal form or as it is in quotes: `ООО "Ромашка"`, `Acme GmbH`. */
export function isOrganisation(text: string): boolean {
  const isLoud = text === text.toUpperCase();
  return (
    IN_QUOTES.test(text.trim()) ||
    LAST_FORM.test(text.trim()) ||
    words(text).some((word) => {
      const form = word.replace(/[.,]/g, '');
      return (
        LEGAL_FORMS.has(form.toLowerCase()) ||
        (!isLoud && SHORT_FORMS.has(form) && !CYRILLIC_INITIALS.test(word))
      );
    })
  );
}

/** The mark of a sole trader, whose name is a person's. */
const SOLE_TRADER = /^(?:ИП|ФОП|индивидуальный предприниматель)\s+/i;

/**
 * Splits the full name of a person. In order of reliability:
 *
 * 1. a comma follows the family name: `Иванова, Анна`;
 * 2. a patronymic identifies the order: `Анна Петровна Иванова` and `Иванова Анна Петровна`;
 * 3. otherwise `familyFirst` decides, from the header (`isFamilyFirst`): `Иванова Анна` under `ФИО`, `Anna van Dyk` under `Full name`.
 *    Words after family name and first name are the patronymic. Without a patronymic, all words after the first name are the
 *    family name.
 *
 * A single word is the first name. All fields are null for an empty text.
 */
export function splitFullName(input: string, familyFirst: boolean): FullName {
  const text = input.trim().replace(SOLE_TRADER, '');
  const comma = text.indexOf(',');
  if (comma > 0 && text.slice(comma + 1).trim())
    return toFullName(
      words(text.slice(0, comma)),
      words(text.slice(comma + 1).replaceAll(',', ' ')),
    );
  const all = words(text);
  const [first, second = ''] = all;
  if (all.length < 2) return { firstName: first ?? null, middleName: null, lastName: null };
  if (all.length > 2 && PATRONYMIC.test(second)) return toFullName(all.slice(2), all.slice(0, 2));
  if (familyFirst || PATRONYMIC.test(all[2] ?? ''))
    return toFullName(all.slice(0, 1), all.slice(1));
  return { firstName: first!, middleName: null, lastName: all.slice(1).join(' ') };
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

function toFullName(family: string[], [first, ...middle]: string[]): FullName {
  const joined = (names: string[]) => names.join(' ') || null;
  return { firstName: first ?? null, middleName: joined(middle), lastName: joined(family) };
}

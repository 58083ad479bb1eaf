import type { DocumentType, TemplateBlock } from './document-templates.ts';

/** The templates of a new company, in the language of documents of Russia. */
export const DEFAULT_TEMPLATES: Record<DocumentType, readonly TemplateBlock[]> = {
  invoice: [
    { kind: 'bank' },
    { kind: 'space' },
    { kind: 'heading', text: 'Счёт на оплату № {number} от {dateInWords}' },
    { kind: 'line' },
    { kind: 'parties' },
    { kind: 'text', text: 'Основание: пополнение лицевого счёта {username}' },
    { kind: 'items' },
    { kind: 'totals' },
    { kind: 'words' },
    {
      kind: 'small',
      text: 'Счёт действителен до {validUntil}. Оплата этого счёта означает согласие с условиями оказания услуг. В назначении платежа укажите номер счёта.',
    },
    { kind: 'line' },
    { kind: 'signatures' },
    { kind: 'qr' },
  ],
  act: [
    { kind: 'heading', text: 'Акт № {number} от {dateInWords}' },
    { kind: 'line' },
    { kind: 'parties' },
    { kind: 'text', text: 'Лицевой счёт {username}, период: {period}' },
    { kind: 'items' },
    { kind: 'totals' },
    { kind: 'words' },
    {
      kind: 'text',
      text: 'Услуги оказаны полностью и в срок. Заказчик претензий по объёму, качеству и срокам оказания услуг не имеет.',
      align: 'justify',
    },
    { kind: 'line' },
    { kind: 'signatures' },
  ],
  contract: [
    { kind: 'heading', text: 'Договор оказания услуг № {number}', align: 'center' },
    { kind: 'text', text: '{dateInWords}', align: 'right' },
    {
      kind: 'text',
      align: 'justify',
      text: '{seller.name}, в лице {seller.signerPositionGenitive} {seller.signerNameGenitive}, действующего на основании {seller.signerBasisGenitive}, именуемое далее «Исполнитель», и {buyer.name}, в лице {buyer.signerPositionGenitive} {buyer.signerNameGenitive}, действующего на основании {buyer.signerBasisGenitive}, именуемое далее «Заказчик», заключили настоящий договор о нижеследующем.',
    },
    { kind: 'heading', text: '1. Предмет договора' },
    {
      kind: 'text',
      align: 'justify',
      text: '1.1. Исполнитель оказывает Заказчику услуги по передаче сообщений через личный кабинет (лицевой счёт {username}), а Заказчик оплачивает их.',
    },
    {
      kind: 'text',
      align: 'justify',
      text: '1.2. Цены услуг определяются тарифами, которые опубликованы в личном кабинете.',
    },
    { kind: 'heading', text: '2. Порядок расчётов' },
    {
      kind: 'text',
      align: 'justify',
      text: '2.1. Заказчик вносит предварительную оплату на основании счёта. Стоимость услуг списывается с баланса лицевого счёта по мере их оказания.',
    },
    {
      kind: 'text',
      align: 'justify',
      text: '2.2. По окончании месяца Исполнитель составляет акт оказанных услуг. Если в течение пяти рабочих дней Заказчик не направил возражений, услуги считаются принятыми.',
    },
    { kind: 'heading', text: '3. Права и обязанности сторон' },
    {
      kind: 'text',
      align: 'justify',
      text: '3.1. Исполнитель обеспечивает круглосуточную работу личного кабинета и сообщает о плановых перерывах заранее.',
    },
    {
      kind: 'text',
      align: 'justify',
      text: '3.2. Заказчик отправляет сообщения только получателям, которые дали на это согласие, и отвечает за содержание сообщений.',
    },
    { kind: 'heading', text: '4. Срок действия и прочие условия' },
    {
      kind: 'text',
      align: 'justify',
      text: '4.1. Договор вступает в силу с даты подписания и действует один год. Он продлевается на каждый следующий год, если ни одна из сторон не заявила о его прекращении за тридцать дней.',
    },
    {
      kind: 'text',
      align: 'justify',
      text: '4.2. Споры разрешаются путём переговоров, а при недостижении согласия — в арбитражном суде по месту нахождения ответчика.',
    },
    { kind: 'heading', text: '5. Реквизиты и подписи сторон' },
    { kind: 'requisites' },
    { kind: 'signatures' },
  ],
};

import { parseMoney, paymentPurpose, paymentQr, type DocumentFacts } from '@heliograph/domain';
import type { Content } from 'pdfmake';

/** Points. A module of the longest code is two of them, which phones scan from a printed page. */
const QR_SIZE = 150;

/** The text of the payment code of an invoice. */
export function qrText(facts: DocumentFacts): string {
  const { seller, sum } = facts;
  return paymentQr({
    name: seller.name,
    account: seller.account,
    bankName: seller.bankName,
    bik: seller.bik,
    correspondentAccount: seller.correspondentAccount,
    amount: parseMoney(sum!.amount),
    inn: seller.inn,
    kpp: seller.kpp || null,
    purpose: paymentPurpose(facts),
  });
}

export function qrBlock(facts: DocumentFacts): Content {
  if (!facts.sum) return { text: '' };
  return {
    columns: [
      { qr: qrText(facts), eccLevel: 'M', fit: QR_SIZE, width: QR_SIZE + 8 },
      {
        text: 'Отсканируйте код в приложении банка, чтобы заполнить платёжное поручение.',
        fontSize: 8,
        color: '#444444',
        margin: [0, 4, 0, 0],
        width: 180,
      },
    ],
    columnGap: 8,
    unbreakable: true,
    margin: [0, 10, 0, 0],
  };
}

import type { NextFunction, Request, Response } from 'express';

const RETURN = /^\/[a-z0-9.]{1,40}\/(success|fail)\/?$/;

/**
 * `/api/payments/webhook/:method/success/` and `/fail/`, to which payers return, by GET or POST: on to the page of the cabinet. With
 * `?recurrent=1` they have saved a card for a recurring payment.
 */
export function returnPages(request: Request, response: Response, next: NextFunction): void {
  const page = RETURN.exec(request.path)?.[1];
  const tab = request.query.recurrent === '1' ? 'recurrentPayments' : 'payments';
  if (page) response.redirect(303, `/balance/${tab}?paid=${page}`);
  else next();
}

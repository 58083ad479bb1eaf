import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { AppRequest } from '../../../core/http/endpoint.ts';
import { Log } from '../../../core/log.ts';
import { OpenImagesService } from './open-images.service.ts';
import { Opens } from './opens.ts';

/** One transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const METHODS = ['GET', 'HEAD'];

/**
 * `GET /o/:token`: the image of an e-mail, which tells that it is opened. Not part of the contract, since recipients have no session.
 * Any other token gets the same image, so that old e-mails show no broken one when keys have changed. Nothing is counted by network: a
 * token costs a hash, the openings of many people come from the few networks of their mail services, and a page of unknown images would
 * use up what its network may ask for elsewhere.
 */
@Injectable()
export class OpenImage {
  constructor(
    private readonly images: OpenImagesService,
    private readonly opens: Opens,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      // Mail on the web is a page of another site.
      'cross-origin-resource-policy': 'cross-origin',
    });
    request.resume();
    if (!METHODS.includes(request.method))
      return void response.status(405).set('allow', METHODS.join(', ')).end();
    const [, token] = /^\/([\w-]{34})$/.exec(request.path) ?? [];
    try {
      const id = token ? await this.images.read(token) : null;
      if (id && request.method === 'GET') this.opens.add(id);
    } catch (error) {
      // Keys that cannot be read now: the e-mail is shown all the same.
      this.log.error({ err: error }, 'failed to tell that an e-mail is opened');
    }
    response.type('gif').send(GIF);
  };
}

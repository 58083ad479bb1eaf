import { Module } from '@nestjs/common';
import { ClickCodesService } from './click-codes.service.ts';
import { ClickCodesStore } from './click-codes.store.ts';
import { Clicks } from './clicks.ts';
import { LinksController } from './links.controller.ts';
import { LinksService } from './links.service.ts';
import { LinksStore } from './links.store.ts';
import { Redirects } from './redirects.ts';
import { Shortener } from './shortener.ts';

@Module({
  controllers: [LinksController],
  providers: [
    ClickCodesService,
    ClickCodesStore,
    Clicks,
    LinksService,
    LinksStore,
    Redirects,
    Shortener,
  ],
  exports: [ClickCodesService, LinksService],
})
export class LinksModule {}

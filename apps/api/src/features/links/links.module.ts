import { Module } from '@nestjs/common';
import { Clicks } from './clicks.ts';
import { LinksController } from './links.controller.ts';
import { LinksService } from './links.service.ts';
import { LinksStore } from './links.store.ts';
import { Redirects } from './redirects.ts';
import { Shortener } from './shortener.ts';

@Module({
  controllers: [LinksController],
  providers: [Clicks, LinksService, LinksStore, Redirects, Shortener],
  exports: [LinksService],
})
export class LinksModule {}

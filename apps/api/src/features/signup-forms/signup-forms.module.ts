import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { ContactsModule } from '../contacts/contacts.module.ts';
import { OtpModule } from '../otp/otp.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { SuppressionsModule } from '../suppressions/suppressions.module.ts';
import { SignupFormsController } from './signup-forms.controller.ts';
import { SignupFormsService } from './signup-forms.service.ts';
import { SignupFormsStore } from './signup-forms.store.ts';
import { SignupPage } from './signup-page.ts';
import { SignupsService } from './signups.service.ts';
import { SignupsStore } from './signups.store.ts';

/** Forms by which people enter lists, their pages, and what people have agreed to there. */
@Module({
  imports: [
    BrandsModule,
    ContactListsModule,
    ContactsModule,
    OtpModule,
    SendingsModule,
    SettingsModule,
    SuppressionsModule,
  ],
  controllers: [SignupFormsController],
  providers: [SignupFormsService, SignupFormsStore, SignupPage, SignupsService, SignupsStore],
})
export class SignupFormsModule {}

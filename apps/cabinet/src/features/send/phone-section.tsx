import type { Payload, SendingType } from '@heliograph/contract';
import { writeInMarkdown, type VariableValues } from '@heliograph/domain';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileUrl } from '../../core/file-url.ts';
import { IconFile } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { filledIn } from './form/variables.ts';
import classes from './phone-preview.module.css';

const MailPreview = later(async () => (await import('../../ui/mail-preview.tsx')).MailPreview);

interface PhoneSectionProps {
  type: SendingType;
  payload: Partial<Payload>;
  /** Of one recipient. */
  values: VariableValues;
  /** Tells it from others on the page. */
  label?: string;
  /** Below the phone. */
  children?: ReactNode;
}

/** A message as its recipient gets it. */
export function PhoneSection({ type, payload, values, label, children }: PhoneSectionProps) {
  const { t } = useTranslation();
  const {
    sender,
    subject,
    text,
    format,
    image,
    file,
    video,
    audio,
    button,
    buttons = [],
  } = payload;
  const isFormatted = format === 'markdown';
  const shown = filledIn(text ?? '', values, isFormatted ? writeInMarkdown : undefined);
  const { url: imageUrl } = useFileUrl(image || null);
  return (
    <section aria-label={label ?? t('send:preview')} className={classes.phone}>
      <Text size="xs" c="dimmed" ta="center" className={classes.sender}>
        {sender || t('send:sender')} · {t(`common:type.${type}`)}
      </Text>
      <div
        className={classes.screen}
        role="region"
        aria-label={[t('send:bubble'), label].filter(Boolean).join(', ')}
        tabIndex={0}
      >
        <div className={classes.bubble}>
          {imageUrl && (
            <img src={imageUrl} alt={t('send:attachedImage')} className={classes.image} />
          )}
          {(file || video || audio) && (
            <Group gap={6} mb={4}>
              <IconFile size={18} aria-hidden />
              <span>
                {t(
                  audio ? 'send:attachedAudio' : video ? 'send:attachedVideo' : 'send:attachedFile',
                )}
              </span>
            </Group>
          )}
          {subject && <strong className={classes.subject}>{filledIn(subject, values)}</strong>}
          {isFormatted && shown ? (
            <MailPreview text={shown} />
          ) : (
            <span className={classes.text}>{shown || t('send:previewEmpty')}</span>
          )}
        </div>
        {[...(button ? [button] : []), ...buttons].map(({ text: label }, i) => (
          <div key={i} className={classes.button}>
            {filledIn(label, values) || '…'}
          </div>
        ))}
      </div>
      {children}
    </section>
  );
}

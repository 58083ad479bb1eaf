import { ActionIcon, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFileUrl } from '../../core/file-url.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconChevronLeft, IconChevronRight, IconFile } from '../../ui/icons.ts';
import { useSendForm, useWizard } from './form/send-form.ts';
import { payloadOf } from './form/send-values.ts';
import { filledIn } from './form/variables.ts';
import classes from './phone-preview.module.css';

/** The message as one recipient gets it. */
export function PhonePreview() {
  const { t } = useTranslation();
  const { values } = useSendForm();
  const { sample } = useWizard();
  const {
    sender,
    subject,
    text,
    image,
    file,
    video,
    audio,
    button,
    buttons = [],
  } = payloadOf(values);
  const { url: imageUrl } = useFileUrl(image ?? null);
  const shownText = filledIn(text ?? '', sample.values);
  return (
    <section aria-label={t('send:preview')} className={classes.phone}>
      <Text size="xs" c="dimmed" ta="center" className={classes.sender}>
        {sender || t('send:sender')} · {t(`common:type.${values.type}`)}
      </Text>
      <div className={classes.screen} role="region" aria-label={t('send:bubble')} tabIndex={0}>
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
          {subject && (
            <strong className={classes.subject}>{filledIn(subject, sample.values)}</strong>
          )}
          <span className={classes.text}>{shownText || t('send:previewEmpty')}</span>
        </div>
        {[...(button ? [button] : []), ...buttons].map(({ text: label }, i) => (
          <div key={i} className={classes.button}>
            {filledIn(label, sample.values) || '…'}
          </div>
        ))}
      </div>
      <Who />
    </section>
  );
}

/** Whose values fill the message, and the way to the next one. */
function Who() {
  const { t } = useTranslation();
  const formats = useFormats();
  const {
    sample: { place, values, go },
  } = useWizard();
  if (!place) {
    return (
      <Text size="xs" c="dimmed" ta="center" mt={6}>
        {t('send:previewDefaults')}
      </Text>
    );
  }
  const { index, total } = place;
  const name = [values.firstName, values.lastName].filter(Boolean).join(' ');
  return (
    <Group gap={4} justify="center" mt={6} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('send:previousContact')}
        disabled={index === 0}
        onClick={() => go(index - 1)}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="xs" ta="center" role="status" className="numeric">
        {t('send:contactOf', {
          name: name || values.phone || values.email || '',
          number: formats.number(index + 1),
          total: formats.number(total),
        })}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('send:nextContact')}
        disabled={index + 1 >= total}
        onClick={() => go(index + 1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
